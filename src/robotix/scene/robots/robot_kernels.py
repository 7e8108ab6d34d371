"""Compiled kernels: one tick of a robot's joints, and the poses of its bodies."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kernels import kernel
from robotix.kinematics.kernels.forward import difference, forward, integrate, put_body_poses
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, Ints

__all__ = ["INVALID", "MOVED", "STOPS_CHANGED", "is_at_stop", "place_bodies", "step_joints"]

STOP_TOLERANCE = 1e-9  # rad or m from a limit
REST_TOLERANCE = 1e-9  # rad or m per tick
MOVED, STOPS_CHANGED, INVALID = 1, 2, 4  # bits of the result of `step_joints`


@kernel
def step_joints(
    q: Array, desired: Array, lower: Array, upper: Array, max_step: Array, dt: float,
    link_ints: Ints, next_q: Array, dq: Array, at_stop: np.ndarray,
) -> int:  # fmt: skip
    """Move from `q` towards `desired` within rates and limits; return what changed, as bits.

    `max_step` is the largest step of each joint in one tick, rad or m. Unless all of `desired` is
    finite, nothing changes.
    """
    total = 0.0
    for j in range(len(q)):
        next_q[j], dq[j] = q[j], 0.0
        total += abs(desired[j])
    if not math.isfinite(total):
        return INVALID
    difference(link_ints, q, desired, dq)
    for j in range(len(q)):
        dq[j] = min(max(dq[j], -max_step[j]), max_step[j])
    integrate(link_ints, q, dq, 1.0, next_q)
    for j in range(len(q)):
        if abs(desired[j] - q[j]) <= max_step[j]:
            next_q[j] = desired[j]  # bit-exact
    _rotate_roots(link_ints, q, desired, max_step, dq, next_q)
    changes = 0
    for j in range(len(q)):
        next_q[j] = min(max(next_q[j], lower[j]), upper[j])
        if next_q[j] - q[j] > REST_TOLERANCE or q[j] - next_q[j] > REST_TOLERANCE:
            changes |= MOVED
        if is_at_stop(next_q[j], lower[j], upper[j]) != at_stop[j]:
            at_stop[j] = not at_stop[j]
            changes |= STOPS_CHANGED
    difference(link_ints, q, next_q, dq)
    for j in range(len(q)):
        dq[j] /= dt
    return changes


@kernel
def is_at_stop(value: float, lower: float, upper: float) -> bool:
    """Return whether a joint is at its limit; a joint that cannot move never is."""
    near = value <= lower + STOP_TOLERANCE or value >= upper - STOP_TOLERANCE
    return near and upper - lower > 2 * STOP_TOLERANCE


@kernel
def _rotate_roots(
    link_ints: Ints, q: Array, desired: Array, max_step: Array, step: Array, next_q: Array
) -> None:
    """Rotate a floating root as a whole: to `desired`, or along the step if that is too far."""
    for link in range(link_ints.shape[0]):
        if link_ints[link, KIND] != FLOATING:
            continue
        d = link_ints[link, DOF] + 3
        near = True
        for j in range(d, d + 3):
            near = near and abs(step[j]) < max_step[j]
        if near:
            next_q[d : d + 3] = desired[d : d + 3]
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
