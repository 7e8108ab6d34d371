"""What the plates measured against what the followed motion needs: the upward force."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.capture.follow_markers import Followed
from robotix.capture.force_file import PlateForces
from robotix.geometry import Array
from robotix.kinematics import Posture

__all__ = ["ForceComparison", "compare_forces"]

GRAVITY = 9.81  # m/s²
SMOOTHING = 0.1  # s, over which accelerations are averaged
EDGE = 0.1  # s left out at either end, where accelerations are not known
MIN_FORCE = 20.0  # N; less is an empty plate


@dataclass(frozen=True)
class ForceComparison:
    """The upward force of the plates, and of the motion."""

    rms: float  # of the difference, as a fraction of the body weight
    bias: float  # mean of motion minus plates, likewise
    correlation: float  # NaN if one of them does not change
    seconds: float  # that were compared

    @property
    def line(self) -> str:
        """In words."""
        return (
            f"upward force: {100 * self.rms:.1f} % of the body weight off the plates (mean "
            f"{100 * self.bias:+.1f} %, r {self.correlation:.2f}) over {self.seconds:.1f} s"
        )


def compare_forces(followed: Followed, plates: PlateForces) -> ForceComparison:
    """Compare the upward force while the person is on the plates and not on a seat.

    The motion needs m (g + a), with the acceleration a of the centre of mass. Compared are times
    at which a plate is loaded and the feet alone carry the body; a foot beside the plates is not
    known, and shows as a bias.
    """
    manikin, motion = followed.recording.manikin, followed.motion
    weight = GRAVITY * float(manikin.model.mass)
    times = motion.times + followed.recording.start_time
    heights = np.array([Posture(manikin.model, q).com[2] for q in motion.q])
    needed = float(manikin.model.mass) * (GRAVITY + _acceleration(heights, followed.recording.dt))
    measured = np.interp(times, plates.times, plates.vertical, left=np.nan, right=np.nan)
    edge = round(EDGE / followed.recording.dt)
    rows = np.isfinite(measured) & (measured > MIN_FORCE) & ~followed.unsteady
    rows[:edge] = rows[len(rows) - edge :] = False
    if rows.sum() < 2:
        raise ValueError("the plates and the motion have no time in common in which feet stand")
    gap = (needed - measured)[rows] / weight
    with np.errstate(invalid="ignore", divide="ignore"):
        correlation = float(np.corrcoef(needed[rows], measured[rows])[0, 1])
    return ForceComparison(
        float(np.sqrt(np.mean(gap**2))),
        float(gap.mean()),
        correlation,
        followed.recording.dt * int(rows.sum()),
    )


def _acceleration(heights: Array, dt: float) -> Array:
    """Return the second derivative, averaged over `SMOOTHING`, (k,)."""
    if len(heights) < 3:
        return np.zeros(len(heights))
    second = np.gradient(np.gradient(heights, dt), dt)
    width = max(1, round(SMOOTHING / dt)) | 1
    padded = np.pad(second, width // 2, mode="edge")
    return np.asarray(np.convolve(padded, np.ones(width) / width, mode="valid"))
