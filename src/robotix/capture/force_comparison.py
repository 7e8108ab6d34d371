"""What the plates measured against what the followed motion needs: upward force, and where.

The motion needs m (g + a) with the acceleration a of the centre of mass, at its zero-moment point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.capture.follow_markers import Followed
from robotix.capture.force_file import MIN_FORCE, PlateForces
from robotix.capture.marker_feet import Mask
from robotix.dynamics import motion_rates, transmitted_wrench
from robotix.geometry import Array
from robotix.human.motion.support import support_margins, support_polygon
from robotix.kinematics import Posture, forward_batch

__all__ = ["ForceComparison", "compare_forces"]

GRAVITY = 9.81  # m/s²
SMOOTHING = 0.1  # s, over which accelerations and measured forces are averaged
EDGE = 0.1  # s left out at either end, where accelerations are not known
MIN_PART = 0.8  # of the needed force that plates must measure, else a foot is beside them
MAX_BIAS = 0.08  # of the body weight; more suggests another mass
EDGE_TOLERANCE = 0.02  # m, by which a foot may look as if it were beside its plate
OFF_PLATES = "the plates and the motion have no time in common in which the feet stand on plates"


@dataclass(frozen=True)
class ForceComparison:
    """The upward force of the plates, and of the motion."""

    rms: float  # of the difference, as a fraction of the body weight
    bias: float  # mean of motion minus plates, likewise
    correlation: float  # NaN if one of them does not change
    seconds: float  # that were compared
    centre_rms: float = float("nan")  # m, between the centres of pressure; NaN if not measured
    measured_mass: float = float("nan")  # kg, mean upward force over g
    centre_bias: tuple[float, float] = (float("nan"), float("nan"))  # m, forward, left: mean

    @property
    def line(self) -> str:
        """In words."""
        words = (
            f"upward force: {100 * self.rms:.1f} % of the body weight off the plates (mean "
            f"{100 * self.bias:+.1f} %, r {self.correlation:.2f}) over {self.seconds:.1f} s"
        )
        if np.isfinite(self.centre_rms):
            words += f"; centre of pressure {100 * self.centre_rms:.1f} cm off"
        if abs(self.bias) > MAX_BIAS:
            words += f"; the plates carried {self.measured_mass:.1f} kg: is --mass right?"
        return words


def compare_forces(followed: Followed, plates: PlateForces) -> ForceComparison:
    """Compare the upward force while the person is on the plates and not on a seat.

    Compared are times at which a plate is loaded, the feet alone carry the body and, if the corners
    of the plates are known, all standing feet are on plates. Where they are not known, a foot
    beside the plates shows as a bias. Centres of pressure are compared where the plates carry at
    least four fifths of what the motion needs.
    """
    manikin, motion = followed.recording.manikin, followed.motion
    weight = GRAVITY * float(manikin.model.mass)
    dt = followed.recording.dt
    times = motion.times + followed.recording.start_time
    heights = np.array([Posture(manikin.model, q).com[2] for q in motion.q])
    needed = float(manikin.model.mass) * (GRAVITY + _acceleration(heights, dt))
    period = float(np.median(np.diff(plates.times))) if len(plates.times) > 1 else dt
    smooth = _averaged(plates.vertical, round(SMOOTHING / period))
    measured = np.interp(times, plates.times, smooth, left=np.nan, right=np.nan)
    edge = round(EDGE / dt)
    rows = np.isfinite(measured) & (measured > MIN_FORCE) & ~followed.unsteady
    rows &= _on_plates(followed, plates)
    rows[:edge] = rows[len(rows) - edge :] = False
    if rows.sum() < 2:
        raise ValueError(OFF_PLATES)
    gap = (needed - measured)[rows] / weight
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = float(np.corrcoef(needed[rows], measured[rows])[0, 1])
    offsets = _centre_offsets(followed, plates, rows=rows & (measured > MIN_PART * needed))
    mean = offsets.mean(axis=0) if len(offsets) else np.full(2, np.nan)
    return ForceComparison(
        float(np.sqrt(np.mean(gap**2))),
        float(gap.mean()),
        correlation,
        dt * int(rows.sum()),
        float(np.sqrt(np.mean((offsets**2).sum(axis=1)))) if len(offsets) else float("nan"),
        float(measured[rows].mean()) / GRAVITY,
        (float(mean[0]), float(mean[1])),
    )


def _on_plates(followed: Followed, plates: PlateForces) -> Mask:
    """Return where every standing foot is on a plate, and one stands, (k,)."""
    stands = {side: foot.stands for side, foot in followed.feet.items()}
    found = np.logical_or.reduce(list(stands.values()))
    if plates.corners is None:
        return np.asarray(found)
    model, move = followed.recording.manikin.model, followed.recording.base_from_recording
    hulls = [support_polygon(move.apply(corners)) for corners in plates.corners]
    for side, mask in stands.items():
        for name in (f"{side}_foot", f"{side}_toes"):
            positions, _ = forward_batch(model, followed.motion.q, point=name)
            inside = np.max([support_margins(hull, positions) for hull in hulls], axis=0)
            found = found & (~mask | (inside > -EDGE_TOLERANCE))
    return np.asarray(found)


def _centre_offsets(followed: Followed, plates: PlateForces, *, rows: Mask) -> Array:
    """Return the zero-moment point minus the measured centre of pressure, (n, 2), m."""
    if plates.centres is None or not rows.any():
        return np.zeros((0, 2))
    model, motion = followed.recording.manikin.model, followed.motion
    rates = motion_rates(model, motion)
    wrench = transmitted_wrench(
        model, motion.q, joint=model.bodies[0].joint.name, dq=rates.dq, ddq=rates.ddq
    )
    (fx, fy, fz), (mx, my, _) = wrench.force.T, wrench.moment.T
    x, y, height = wrench.centre.T
    width = round(SMOOTHING / followed.recording.dt)
    pressing = _averaged(fz, width)
    moments = (
        _averaged(fz * x - height * fx - my, width),
        _averaged(fz * y - height * fy + mx, width),
    )
    ours = np.column_stack(moments) / np.where(pressing > MIN_FORCE, pressing, np.nan)[:, None]
    flat = plates.centre_of_pressure
    seen = np.isfinite(flat).all(axis=1)
    if seen.sum() < 2:
        return np.zeros((0, 2))
    times = motion.times + followed.recording.start_time
    width = round(SMOOTHING / float(np.median(np.diff(plates.times))))
    columns = [
        np.interp(times, plates.times[seen], _averaged(flat[seen, k], width)) for k in (0, 1)
    ]
    theirs = followed.recording.base_from_recording.apply(
        np.column_stack([*columns, np.zeros(len(times))])
    )[:, :2]
    offsets = (ours - theirs)[rows]
    return np.asarray(offsets[np.isfinite(offsets).all(axis=1)])


def _acceleration(heights: Array, dt: float) -> Array:
    """Return the second derivative, averaged over `SMOOTHING`, (k,)."""
    if len(heights) < 3:
        return np.zeros(len(heights))
    return _averaged(np.gradient(np.gradient(heights, dt), dt), round(SMOOTHING / dt))


def _averaged(values: Array, width: int) -> Array:
    """Return the running mean over an odd number of rows, (k,)."""
    odd = max(1, min(width, len(values))) | 1
    padded = np.pad(values, odd // 2, mode="edge")
    return np.asarray(np.convolve(padded, np.ones(odd) / odd, mode="valid"))
