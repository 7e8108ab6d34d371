"""Compiled parts of a tick of the performer."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance_kernels import distance_pair, place_shapes
from robotix.geometry import Array
from robotix.kernels import kernel
from robotix.kinematics.kernels.clearance import gap_row

__all__ = ["comfortable_rates", "lay_goals", "push_apart", "shortfall"]


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


@kernel
def push_apart(
    world: Array,
    columns: Array,
    column_dof: NDArray[np.int64],
    column_ratio: Array,
    support_start: NDArray[np.int64],
    support: NDArray[np.int64],
    local: Array,
    links: NDArray[np.int64],
    placed: Array,
    pairs: NDArray[np.int64],
    movable: Array,
    law: Array,
    dq: Array,
    found: Array,
    row: Array,
    other: Array,
    rates: Array,
) -> None:
    """Add to the rates of movable coordinates those that open gaps below a margin.

    `law` holds the margin (m), and the gains of what lacks to it and of the rate at which a gap
    closes, both times dt. Each gap counts as if it were the only one.
    """
    place_shapes(local, links, world, placed)
    for k in range(pairs.shape[0]):
        i, j = pairs[k, 0], pairs[k, 1]
        lack = law[0] - distance_pair(placed[i], placed[j], found)
        if lack <= 0.0:
            continue
        normal, a, b = found[7:10], links[i], links[j]
        above = support[support_start[a] : support_start[a + 1]]
        gap_row(columns, column_dof, column_ratio, above, found[1:4], normal, row)
        above = support[support_start[b] : support_start[b + 1]]
        gap_row(columns, column_dof, column_ratio, above, found[4:7], normal, other)
        opening, square = 0.0, 1e-2
        for n in range(len(dq)):
            row[n] -= other[n]
            opening += row[n] * dq[n]
            square += movable[n] * row[n] * row[n]
        push = law[1] * lack - law[2] * min(opening, 0.0) * min(lack / law[0], 1.0)
        for n in range(len(dq)):
            rates[n] += movable[n] * row[n] * push / square
