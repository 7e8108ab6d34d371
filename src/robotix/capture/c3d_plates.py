"""Force plates in C3D files: ANALOG channels as the group FORCE_PLATFORM describes them.

A plate has four corners in the room, numbered by the quadrants of its own axes: x points from the
second to the first, y from the fourth to the first. Its type says what the channels are:

1. Fx Fy Fz, the point of application Px Py, and Mz about it,
2. Fx Fy Fz Mx My Mz about the origin of the sensors,
3. Fx12 Fx34 Fy14 Fy23 Fz1 Fz2 Fz3 Fz4 of four sensors at (±a, ±b),
4. as 2, after a calibration matrix.

Files differ in whether they hold the force on the plate or on the person, and in the sign of the
origin. A plate cannot pull, and its sensors are below its surface; both signs follow from that.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np

from robotix.capture.c3d_file import axis_up, read_isolated, unit_of
from robotix.capture.force_file import MAX_FORCE, MIN_FORCE, PlateForces
from robotix.capture.markers import AxisName, z_up
from robotix.errors import BadFile
from robotix.geometry import Array

__all__ = ["load_c3d_plates"]

MAX_PLATES = 32
MAX_SAMPLES = 10_000_000
CHANNELS = {1: 6, 2: 6, 3: 8, 4: 6}  # by type
MOMENT_UNITS = {"nm": 1.0, "n.m": 1.0, "n*m": 1.0, "nmm": 1e-3, "n.mm": 1e-3, "ntmm": 1e-3}
LENGTH_UNITS = {"m": 1.0, "cm": 1e-2, "mm": 1e-3}
MIN_SIDE = 0.05  # m, of a plate


@dataclass(frozen=True, eq=False)
class _Plate:
    """One plate: its description in the file's axes and m, and its samples."""

    kind: int
    corners: Array  # (4, 3), m
    origin: Array  # (3,), m
    samples: Array  # (k, 6 or 8), N and N m, or N and m

    def axes(self, place: str) -> Array:
        """Return the axes of the plate as columns, (3, 3)."""
        first, second, _, fourth = self.corners
        x, y = first - second, first - fourth
        if min(np.linalg.norm(x), np.linalg.norm(y)) < MIN_SIDE:
            raise BadFile(place, "corners of a plate that coincide", "four corners of a rectangle")
        x = x / np.linalg.norm(x)
        z = np.cross(x, y)
        z /= np.linalg.norm(z)
        return np.column_stack([x, np.cross(z, x), z])


def load_c3d_plates(
    path: str | os.PathLike[str], *, up: AxisName | None = None, timeout: float = 30.0
) -> PlateForces | None:
    """Read the forces of the plates of a C3D file; None if it has none.

    The times are those of the markers. `up` overrides the file's POINT:Y_SCREEN.
    """
    name = os.fspath(path)
    answer, body = read_isolated(name, timeout=timeout, plates=True, max_samples=MAX_SAMPLES)
    count = answer["count"]
    if count == 0 or 0 in answer["shape"]:
        return None
    if not 0 < count <= MAX_PLATES:
        raise BadFile(name, f"{count} force plates", f"at most {MAX_PLATES}")
    if len(body) != 8 * int(np.prod(answer["shape"])):
        raise BadFile(name, "an answer cut short", "a sound C3D file; this one is damaged")
    if not 0 < answer["rate"] <= 1e6:
        raise BadFile(name, f"a rate of {answer['rate']:g} Hz of the plates", "more than 0")
    samples = np.frombuffer(body, dtype="<f8").reshape(answer["shape"])
    samples = _without_baseline(samples, answer)
    upward = axis_up(answer["up"]) if up is None else up
    described = [_plate(name, answer, samples, index=index) for index in range(count)]
    found = [_forces(plate, name, up=upward) for plate in described]
    corners = z_up(np.stack([plate.corners for plate in described]), upward)
    forces, centres = (np.stack([pair[k] for pair in found], axis=1) for k in (0, 1))
    times = np.arange(len(samples)) / answer["rate"]
    plates = tuple(f"plate {index + 1}" for index in range(count))
    return PlateForces(plates, times, forces, centres, corners)


def _without_baseline(samples: Array, answer: dict[str, Any]) -> Array:
    """Subtract the mean of the frames that FORCE_PLATFORM:ZERO names, if it names any."""
    zero = np.ravel(answer["plates"].get("zero", []))
    if len(zero) < 2 or not 1 <= zero[0] < zero[1]:
        return samples
    per_frame = float(answer["samples_per_frame"])
    start, stop = round((zero[0] - 1) * per_frame), round(zero[1] * per_frame)
    baseline = samples[start:stop]
    return samples - baseline.mean(axis=0) if len(baseline) else samples


def _plate(name: str, answer: dict[str, Any], samples: Array, *, index: int) -> _Plate:
    """Return one plate, in N, N m and m."""
    place = f"{name}: force plate {index + 1}"
    kinds = np.ravel(answer["plates"].get("type", []))
    kind = int(kinds[index]) if index < len(kinds) else 0
    if kind not in CHANNELS:
        raise BadFile(place, f"TYPE {kind}", "a plate of type 1, 2, 3 or 4")
    corners = _part(answer, "corners", place, (3, 4), index)
    origin = _part(answer, "origin", place, (3,), index)
    if not (np.isfinite(corners).all() and np.isfinite(origin).all()):
        raise BadFile(place, "corners or an origin that are no numbers", "finite ones")
    numbers = np.array(answer["plates"].get("channel", []), float)
    needed = CHANNELS[kind]
    if numbers.ndim != 2 or numbers.shape[0] < needed or numbers.shape[1] <= index:
        raise BadFile(place, "too few CHANNELs", f"{needed} for type {kind}")
    wanted = [int(number) for number in numbers[:needed, index]]
    known = answer["channels"]
    if any(number not in known for number in wanted):
        lost = next(number for number in wanted if number not in known)
        raise BadFile(place, f"CHANNEL {lost}, which the file has not", "channels of the file")
    columns = [known.index(number) for number in wanted]
    length = unit_of(name, answer["units"])
    own = np.where(np.isfinite(samples[:, columns]), samples[:, columns], 0.0)
    if kind == 4:
        own = own @ _part(answer, "cal_matrix", place, (6, 6), index).T
    units = [answer["channel_units"][column] for column in columns]
    own = own * _scales(units, kind, length=length)
    return _Plate(kind, length * corners.T, length * origin, own)


def _part(
    answer: dict[str, Any], key: str, place: str, shape: tuple[int, ...], index: int
) -> Array:
    """Return what a parameter says about one plate, its last index."""
    value = np.array(answer["plates"].get(key, []), float)
    if value.ndim != len(shape) + 1 or value.shape[:-1] != shape or value.shape[-1] <= index:
        found = f"{key.upper()} of the shape {value.shape}"
        raise BadFile(place, found, f"{' x '.join(map(str, shape))} numbers a plate")
    return np.asarray(value[..., index])


def _scales(units: list[str], kind: int, *, length: float) -> Array:
    """Return the factors of channels to N, N m and m; without units, lengths are as of points."""
    scales = np.ones(len(units))
    if kind == 3:
        return scales
    moments = [5] if kind == 1 else [3, 4, 5]
    for column in moments:
        scales[column] = MOMENT_UNITS.get(units[column].lower(), length)
    for column in (3, 4) if kind == 1 else ():
        scales[column] = LENGTH_UNITS.get(units[column].lower(), length)
    return scales


def _forces(plate: _Plate, name: str, *, up: AxisName) -> tuple[Array, Array]:
    """Return force on the person, (k, 3), N, and where it acts, (k, 3), m, with z up."""
    axes = z_up(plate.axes(name).T, up).T
    middle = z_up(plate.corners.mean(axis=0), up)
    force, moment = _at_surface(plate, is_down=bool(axes[2, 2] < 0))
    upward = force @ axes[2]
    loaded = abs(upward) >= MIN_FORCE
    if loaded.any() and np.median(upward[loaded]) < 0:
        force, moment, upward = -force, -moment, -upward
    if abs(force).max() > MAX_FORCE:
        raise BadFile(name, f"a force of {abs(force).max():.3g} N", f"at most {MAX_FORCE:g}")
    normal = np.where(loaded, force[:, 2], np.nan)
    if plate.kind == 1:
        flat = np.where(loaded[:, None], plate.samples[:, 3:5], np.nan)
    else:
        flat = np.column_stack([-moment[:, 1] / normal, moment[:, 0] / normal])
    if plate.kind == 3 and not plate.origin[:2].all():
        flat = np.full_like(flat, np.nan)  # the file does not say where the sensors are
    return force @ axes.T, middle + flat @ axes[:, :2].T


def _at_surface(plate: _Plate, *, is_down: bool) -> tuple[Array, Array]:
    """Return force and moment about the middle of the surface, in the plate's axes."""
    if plate.kind == 3:
        return _of_four_sensors(plate, is_down=is_down)
    force = plate.samples[:, :3]
    if plate.kind == 1:
        return force, np.zeros_like(force)
    below = plate.origin if bool(plate.origin[2] > 0) == is_down else -plate.origin
    return force, plate.samples[:, 3:6] + np.cross(below, force)


def _of_four_sensors(plate: _Plate, *, is_down: bool) -> tuple[Array, Array]:
    """Return force and moment of a plate with sensors at (a, b), (-a, b), (-a, -b), (a, -b)."""
    x12, x34, y14, y23, z1, z2, z3, z4 = plate.samples.T
    a, b, depth = abs(plate.origin)
    force = np.column_stack([x12 + x34, y14 + y23, z1 + z2 + z3 + z4])
    moment = np.column_stack(
        [
            b * (z1 + z2 - z3 - z4),
            a * (-z1 + z2 + z3 - z4),
            b * (x34 - x12) + a * (y14 - y23),
        ]
    )
    below = np.array([0.0, 0.0, depth if is_down else -depth])
    return force, moment + np.cross(below, force)
