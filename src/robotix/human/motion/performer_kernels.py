"""Compiled parts of a tick of the performer."""

from __future__ import annotations

import math

from robotix.geometry import Array
from robotix.kernels import kernel

__all__ = ["comfortable_rates", "lay_goals", "shortfall"]


@kernel
def lay_goals(
    goals: Array,
    turns: Array,
    before: Array,
    before_that: Array,
    ratios: Array,
    lead: Array,
    positions: Array,
    rotations: Array,
) -> None:
    """Write the targets with which points reach their goals at the end of the tick.

    `goals` (n, 3) and `turns` (n, 3, 3) are the desired positions and rotations, `before` and
    `before_that` the goals of the last two ticks; `positions` and `rotations` are the targets of
    the solver. A point follows its target with a gain, so the target leads its goal by `ratios`
    (n,) times the motion of the goal.
    """
    for i in range(len(goals)):
        for k in range(3):
            lead[i, k] = (goals[i, k] - before[i, k]) * ratios[i]
            positions[i, k] = before[i, k] + lead[i, k]
            before_that[i, k] = before[i, k]
            before[i, k] = goals[i, k]
            for m in range(3):
                rotations[i, k, m] = turns[i, k, m]


@kernel
def comfortable_rates(
    laws: Array, q: Array, dq: Array, comfort: Array, comfort_before: Array, out: Array
) -> None:
    """Write the desired joint velocities: a damped pull to the comfort posture.

    `laws` (3, n) are the factors of the velocity, of the error to the comfort posture and of the
    change of the comfort posture.
    """
    for j in range(len(q)):
        rate = laws[0, j] * dq[j]
        rate += laws[1, j] * (comfort[j] - q[j])
        rate += laws[2, j] * (comfort[j] - comfort_before[j])
        out[j, 2] = rate
        comfort_before[j] = comfort[j]


@kernel
def shortfall(errors: Array, lead: Array, shift: Array, scale: float) -> float:
    """Return the distance of a point from its goal: the weighted errors minus the target's lead."""
    total = 0.0
    for k in range(len(errors)):
        short = errors[k] * scale - lead[k] + shift[k]
        total += short * short
    return math.sqrt(total)
