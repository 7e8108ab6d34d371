"""Compiled: one tick of a robot's joints, and where its bodies are then."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.geometry.kernel import kernel
from robotix.kinematics.kernels.forward import difference, forward, integrate, put_body_poses
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, Ints

__all__ = ["AT_STOP", "MOVED", "STOPPED_OR_LEFT", "WRONG", "place_bodies", "take_step"]

AT_STOP = 1e-9  # rad or m from a limit
MOVE = 1e-9  # rad or m in a tick; less is rest
MOVED, STOPPED_OR_LEFT, WRONG = 1, 2, 4  # bits of what `take_step` returns


@kernel
def take_step(
    q: Array, wish: Array, lower: Array, upper: Array, room: Array, dt: float, link_ints: Ints,
    next_q: Array, dq: Array, at_stop: np.ndarray,
) -> int:  # fmt: skip
    """Go from `q` to the wish, as far as rates and limits let each joint; say what happened.

    `room` is how far a joint may go in this tick. A wish that is no number changes nothing.
    """
    total = 0.0
    for j in range(len(q)):
        next_q[j], dq[j] = q[j], 0.0
        total += abs(wish[j])
    if not math.isfinite(total):
        return WRONG
    difference(link_ints, q, wish, dq)
    for j in range(len(q)):
        dq[j] = min(max(dq[j], -room[j]), room[j])
    integrate(link_ints, q, dq, 1.0, next_q)
    for j in range(len(q)):
        if abs(wish[j] - q[j]) <= room[j]:
            next_q[j] = wish[j]  # to the last bit
    _turn_roots(link_ints, q, wish, room, dq, next_q)
    happened = 0
    for j in range(len(q)):
        next_q[j] = min(max(next_q[j], lower[j]), upper[j])
        if next_q[j] - q[j] > MOVE or q[j] - next_q[j] > MOVE:
            happened |= MOVED
        if stops(next_q[j], lower[j], upper[j]) != at_stop[j]:
            at_stop[j] = not at_stop[j]
            happened |= STOPPED_OR_LEFT
    difference(link_ints, q, next_q, dq)
    for j in range(len(q)):
        dq[j] /= dt
    return happened


@kernel
def stops(value: float, lower: float, upper: float) -> bool:
    """Tell whether a joint is at its limit; one that cannot move has no stroke to end."""
    near = value <= lower + AT_STOP or value >= upper - AT_STOP
    return near and upper - lower > 2 * AT_STOP


@kernel
def _turn_roots(
    link_ints: Ints, q: Array, wish: Array, room: Array, step: Array, next_q: Array
) -> None:
    """Let a floating root turn as a whole: to the wish, or along the step if that is too far."""
    for link in range(link_ints.shape[0]):
        if link_ints[link, KIND] != FLOATING:
            continue
        d = link_ints[link, DOF] + 3
        near = True
        for j in range(d, d + 3):
            near = near and abs(step[j]) < room[j]
        if near:
            next_q[d : d + 3] = wish[d : d + 3]
            continue
        whole = np.empty_like(q)
        integrate(link_ints, q, step, 1.0, whole)
        next_q[d : d + 3] = whole[d : d + 3]


@kernel
def place_bodies(
    link_ints: Ints, link_floats: Array, pieces: Array, q: Array, world: Array, columns: Array,
    body_link: Ints, body_offset: Array, poses: Array,
) -> None:  # fmt: skip
    """Write the pose of every link and of every body at `q`, in the base frame."""
    forward(link_ints, link_floats, pieces, q, world, columns)
    put_body_poses(world, body_link, body_offset, poses)
