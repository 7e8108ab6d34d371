"""Figures of steps: speed, and sway of the centre of mass."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.performance import Performance
from robotix.kinematics.batch import mass_centre_batch

__all__ = ["StepFigures", "landings", "step_figures"]

MIN_STRIDE_LENGTH = 0.1  # m; shorter displacements are steps on the spot


@dataclass(frozen=True)
class StepFigures:
    """Figures of the strides of a motion; None without strides."""

    speed: float | None  # m/s, of the centre of mass in the fastest stride
    sway: float | None  # m, of the centre of mass across its path, in the widest stride
    rise: float | None  # m, of the centre of mass up and down on the level, in the largest stride


def step_figures(performance: Performance) -> StepFigures:
    """Measure the strides of a performance: from a landing of a foot to its next one.

    The last two strides bring the feet side by side; where there are others, they do not count.
    """
    com = mass_centre_batch(performance.manikin.model, performance.motion.q).com
    strides = _strides(performance)
    inner = strides[:-2] or strides
    found = [
        _stride_figures(com[first : last + 1], performance.motion.times[[first, last]])
        for first, last in inner
        if np.linalg.norm(com[last, :2] - com[first, :2]) > MIN_STRIDE_LENGTH
    ]
    if not found:
        return StepFigures(None, None, None)
    speed, sway, rise = np.max(found, axis=0)
    return StepFigures(float(speed), float(sway), float(rise))


def _strides(performance: Performance) -> list[tuple[int, int]]:
    """Return first and last row of every stride: both landings of a foot, in order."""
    found = []
    for side in SIDES:
        found += list(pairwise(landings(performance, side)))
    return sorted(found)


def landings(performance: Performance, side: str) -> list[int]:
    """Return the rows at which a foot begins to touch the ground."""
    phases = [p for p in performance.contacts if p.contact.name.startswith(f"{side}_")]
    phases = [p for p in phases if not p.contact.name.endswith("_hand")]
    ends = {performance.row_at(phase.end) for phase in phases}
    starts = sorted({performance.row_at(phase.start) for phase in phases})
    # a start at the end of another contact only changes the part of the foot that touches
    return [row for row in starts if row > 0 and row not in ends]


def _stride_figures(com: Array, times: Array) -> tuple[float, float, float]:
    """Return speed, sway and rise of one stride, from its centres of mass (n, 3)."""
    total = com[-1, :2] - com[0, :2]
    length = float(np.linalg.norm(total))
    across = np.array([-total[1], total[0]]) / length
    progress = np.linspace(0.0, 1.0, len(com))
    sway = float(np.ptp((com[:, :2] - com[0, :2]) @ across))
    rise = float(np.ptp(com[:, 2] - progress * (com[-1, 2] - com[0, 2])))
    return length / float(times[1] - times[0]), sway, rise
