"""Reach envelopes of a hand: comfortable and maximum.

The envelope is found by sampling arm postures and keeping, for every direction from the shoulder,
the farthest position of the grip. Comfortable means that the arm stays within the mild bands of
RULA: the upper arm up to 45° of flexion and 20° of abduction, the elbow between 60° and 100°, the
wrist up to 15°. Maximum means the whole range of the joints; with `lean`, the trunk bends, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from robotix.dynamics.supports import Flags
from robotix.ergonomics.signals.measured_angles import PostureAngles
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.performance import Performance
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch

__all__ = ["ReachEnvelope", "ReachStance", "ReachUse", "reach_envelope", "reach_use"]

ReachStance: TypeAlias = Literal["standing", "sitting"]

COMFORTABLE_DEG = {
    "shoulder_flexion": (-20, 45),
    "shoulder_abduction": (-10, 20),
    "shoulder_internal_rotation": (-45, 60),
    "elbow_flexion": (60, 100),
    "forearm_pronation": (-60, 60),
    "wrist_flexion": (-15, 15),
    "wrist_radial_deviation": (-10, 10),
}
SITTING_DEG = {"hip_flexion": 90.0, "knee_flexion": 90.0}
CELL_ANGLE = np.radians(15.0)  # of the grid of directions
DEFAULT_SAMPLES = 40_000


@dataclass(frozen=True, eq=False)
class ReachEnvelope:
    """The farthest positions of the grip, one per direction from the shoulder."""

    side: Side
    stance: ReachStance
    shoulder: Array  # (3,), m
    azimuth: Array  # (k,), rad, from ahead to the left
    elevation: Array  # (k,), rad, up
    maximum: Array  # (k, 3), m; NaN in directions out of reach
    comfortable: Array  # (k, 3), m; NaN in directions without comfortable reach

    @property
    def farthest(self) -> float:
        """The longest reach from the shoulder, m."""
        return float(np.nanmax(np.linalg.norm(self.maximum - self.shoulder, axis=1)))

    @property
    def farthest_ahead(self) -> tuple[float, float]:
        """Comfortable and maximum reach in front of the shoulder, m."""
        ends = (self.comfortable, self.maximum)
        near, far = (float(np.nanmax(positions[:, 0] - self.shoulder[0])) for positions in ends)
        return near, far

    def reaches(self, point: Array, *, comfortably: bool = False) -> bool:
        """Return whether a point is inside the envelope, in its direction from the shoulder."""
        direction = np.asarray(point, dtype=float) - self.shoulder
        positions = self.comfortable if comfortably else self.maximum
        cell = int(np.argmax(_directions(self.azimuth, self.elevation) @ direction))
        return bool(np.linalg.norm(direction) <= np.linalg.norm(positions[cell] - self.shoulder))

    def columns(self) -> dict[str, Any]:
        """Return a table with one row per direction."""
        table: dict[str, Any] = {
            "azimuth [deg]": np.degrees(self.azimuth),
            "elevation [deg]": np.degrees(self.elevation),
        }
        for name, positions in (("maximum", self.maximum), ("comfortable", self.comfortable)):
            for k, axis in enumerate("xyz"):
                table[f"{name}_{axis} [m]"] = positions[:, k]
        return table


@dataclass(frozen=True, eq=False)
class ReachUse:
    """Reach of one hand along a motion."""

    side: Side
    reach: Array  # (N,), m, horizontal distance from shoulder to grip
    longest: float  # m, of the stretched arm
    is_comfortable: Flags  # (N,), the arm is within the comfortable bands

    @property
    def row(self) -> int:
        """The row of the farthest reach."""
        return int(np.argmax(self.reach))


def reach_use(performance: Performance, angles: PostureAngles) -> tuple[ReachUse, ...]:
    """Return the reach of both hands along a performance, the right one first."""
    manikin, q = performance.manikin, performance.motion.q
    body = manikin.anthropometry
    longest = sum(body[name] for name in ("upper_arm_length", "forearm_length", "grip_length"))
    uses = []
    for side in SIDES:
        hand, shoulder = (
            forward_batch(manikin.model, q, point=f"{side}_{name}")[0]
            for name in ("hand", "shoulder")
        )
        arm = angles.arms[side]
        bands = {
            "shoulder_flexion": arm.flexion,
            "shoulder_abduction": arm.abduction,
            "elbow_flexion": arm.elbow,
            "wrist_flexion": arm.wrist,
        }
        inside = np.ones(len(q), dtype=bool)
        for name, values in bands.items():
            low, high = COMFORTABLE_DEG[name]
            inside &= (low - 1e-9 <= np.degrees(values)) & (np.degrees(values) <= high + 1e-9)
        reach = np.linalg.norm((hand - shoulder)[:, :2], axis=1)
        uses.append(ReachUse(side, reach, longest, inside))
    return tuple(uses)


def reach_envelope(
    manikin: Manikin,
    *,
    side: Side = "right",
    stance: ReachStance = "standing",
    lean: float = 0.0,
    samples: int = DEFAULT_SAMPLES,
    seed: int = 0,
) -> ReachEnvelope:
    """Return the reach envelope of a hand with fixed feet (or seat) and pelvis.

    Args:
        manikin: The body; it stands or sits at the origin, facing x.
        side: Of the hand.
        stance: `"standing"`, or `"sitting"` with hips and knees at a right angle.
        lean: How far the trunk may bend and turn for the maximum, rad.
        samples: Postures tried for each envelope.
        seed: Of the random numbers.
    """
    if side not in SIDES or stance not in ("standing", "sitting"):
        raise ValueError(f"side is right or left, stance standing or sitting; got {side}, {stance}")
    if not 0 <= lean <= 1 or samples < 100:
        raise ValueError(f"lean must be from 0 to 1 rad and samples 100 or more: {lean}, {samples}")
    rng, start = np.random.default_rng(seed), _start(manikin, stance)
    shoulder = Posture(manikin.model, start).position(f"{side}_shoulder")
    azimuth, elevation = _cells()
    wide, mild = (
        _postures(manikin, start, side, rng, comfortably=mild, lean=lean, count=samples)
        for mild in (False, True)
    )
    maximum, comfortable = (
        _farthest(manikin, q, side, shoulder, azimuth, elevation) for q in (wide, mild)
    )
    return ReachEnvelope(side, stance, shoulder, azimuth, elevation, maximum, comfortable)


def _start(manikin: Manikin, stance: ReachStance) -> Array:
    q = np.array(manikin.relaxed)
    if stance == "sitting":
        for name, degrees in SITTING_DEG.items():
            for side in SIDES:
                q[manikin.model.dof_index(f"{side}_{name}")] = np.radians(degrees)
        q[2] = manikin.anthropometry["knee_height"] - manikin.anthropometry["hip_height"]
    return q


def _postures(
    manikin: Manikin,
    start: Array,
    side: Side,
    rng: np.random.Generator,
    *,
    comfortably: bool,
    lean: float,
    count: int,
) -> Array:
    """Return random postures of the arm, (count, n_dof); half of the wide ones are stretched."""
    model, q = manikin.model, np.tile(start, (count, 1))
    for name, mild in COMFORTABLE_DEG.items():
        dof = model.dof_index(f"{side}_{name}")
        low, high = np.radians(mild) if comfortably else (model.lower[dof], model.upper[dof])
        q[:, dof] = rng.uniform(low, high, count)
    if not comfortably:
        q[::2, model.dof_index(f"{side}_elbow_flexion")] = 0.0
        q[::2, model.dof_index(f"{side}_wrist_flexion")] = 0.0
        for name in ("L5S1_flexion", "L5S1_lateral_right", "L5S1_axial_left") if lean else ():
            dof = model.dof_index(name)
            low, high = max(-lean, model.lower[dof]), min(lean, model.upper[dof])
            q[:, dof] = rng.uniform(0.0 if name == "L5S1_flexion" else low, high, count)
    return q


def _cells() -> tuple[Array, Array]:
    """Return the directions of a grid, without duplicates at the poles."""
    elevations = np.arange(-np.pi / 2, np.pi / 2 + 1e-9, CELL_ANGLE)
    cells = []
    for elevation in elevations:
        count = max(round(2 * np.pi * np.cos(elevation) / CELL_ANGLE), 1)
        cells += [(2 * np.pi * k / count - np.pi, elevation) for k in range(count)]
    azimuth, up = np.array(cells).T
    return azimuth, up


def _directions(azimuth: Array, elevation: Array) -> Array:
    flat = np.cos(elevation)
    return np.column_stack([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)])


def _farthest(
    manikin: Manikin, q: Array, side: Side, shoulder: Array, azimuth: Array, elevation: Array
) -> Array:
    """Return the farthest position in every direction, (k, 3), m."""
    positions, _ = forward_batch(manikin.model, q, point=f"{side}_hand")
    directions = positions - shoulder
    reach = np.linalg.norm(directions, axis=1)
    cell = np.argmax(directions @ _directions(azimuth, elevation).T, axis=1)
    order = np.argsort(reach, kind="stable")  # the farthest is written last
    found = np.full((len(azimuth), 3), np.nan)
    found[cell[order]] = positions[order]
    return found
