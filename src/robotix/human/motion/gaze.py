"""What a person looks at, and the neck that follows.

People look at what they are about to grasp or to put down, otherwise ahead. The eyes take the first
part of the way: downwards from the horizon to one standard deviation below the preferred line of
sight (29° ± 11.6° below the horizon with upright head and trunk [Kroemer1986]), and 15° upwards and
to either side (assumed). The neck takes the rest, within its range.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.geometry.vectors import unit_rows
from robotix.human.body.head_and_hands import (
    EXTENDED_NECK,
    FLEXED_NECK,
    TURNED_NECK,
    neck_rotations,
)
from robotix.human.body.manikin import Manikin
from robotix.human.motion.performance import Performance
from robotix.kinematics.batch import forward_batch

__all__ = ["NeckAngles", "look_angles", "neck_angles"]

LOWEST_EYES, OTHER_EYES = np.radians(29.0 + 11.6), np.radians(15.0)
AHEAD_DOWN = np.radians(20.0)  # of the line of sight of people who walk: the floor 4 m ahead
LEAD, LAG, RAMP = 1.5, 0.6, 0.4  # s: looking before and after a grasp, and turning the head
NEARLY_VERTICAL = 0.35  # share of a direction across the trunk; below, its heading is uncertain


@dataclass(frozen=True, eq=False)
class NeckAngles:
    """The neck at every row, rad, each (N,)."""

    flexion: Array  # of the head against the thorax, forwards
    rotation: Array  # to the left


def look_angles(manikin: Manikin, q: Array, points: ArrayLike) -> NeckAngles:
    """Return the neck of postures (N, 39) that look at points, (N, 3) or (3,), m."""
    neck, thorax = forward_batch(manikin.model, q, point="neck")
    eyes = manikin.skeleton["eyes"] - manikin.skeleton["neck"]
    angles = NeckAngles(np.zeros(len(q)), np.zeros(len(q)))
    for _ in range(3):  # the eyes move with the neck, by some centimetres
        head = neck_rotations(angles.flexion, angles.rotation) @ eyes
        position = neck + np.einsum("nij,nj->ni", thorax, head)
        angles = _followed(np.einsum("nji,nj->ni", thorax, np.asarray(points) - position))
    return angles


def neck_angles(performance: Performance) -> NeckAngles:
    """Return the neck during a performance.

    It is 0 in recorded motions and single postures, which do not tell what a person looks at.
    """
    q, times = performance.motion.q, performance.motion.times
    if performance.tracking is not None or len(times) < 2:
        return NeckAngles(np.zeros(len(q)), np.zeros(len(q)))
    ahead = _look_ahead(performance.manikin, q)
    total, flexion, rotation = np.zeros(len(q)), np.zeros(len(q)), np.zeros(len(q))
    for time, point in _events(performance):
        weight = _ramp(times - (time - LEAD - RAMP)) * _ramp(time + LAG + RAMP - times)
        near = np.flatnonzero(weight)
        if len(near):
            looking = look_angles(performance.manikin, q[near], point)
            total += weight
            flexion[near] += weight[near] * looking.flexion
            rotation[near] += weight[near] * looking.rotation
    scale, rest = np.maximum(total, 1.0), np.maximum(1.0 - total, 0.0)
    return NeckAngles(
        flexion / scale + rest * ahead.flexion, rotation / scale + rest * ahead.rotation
    )


def _followed(directions: Array) -> NeckAngles:
    """Return the neck for directions of sight in the frame of the thorax, (N, 3)."""
    x, y, z = unit_rows(directions).T
    across = np.hypot(x, y)
    heading = np.arctan2(y, x) * np.minimum(across / NEARLY_VERTICAL, 1.0)
    return NeckAngles(
        np.clip(
            _beyond(np.arctan2(-z, across), -OTHER_EYES, LOWEST_EYES), -EXTENDED_NECK, FLEXED_NECK
        ),
        np.clip(_beyond(heading, -OTHER_EYES, OTHER_EYES), -TURNED_NECK, TURNED_NECK),
    )


def _beyond(angles: Array, low: float, high: float) -> Array:
    """Return how far angles lie outside an interval: what the eyes leave to the neck."""
    return angles - np.clip(angles, low, high)


def _look_ahead(manikin: Manikin, q: Array) -> NeckAngles:
    """Return the neck of people who look where the pelvis points."""
    left = forward_batch(manikin.model, q, point="pelvis")[1][:, :, 1]
    forward = unit_rows(np.cross(left, [0.0, 0.0, 1.0]))
    thorax = forward_batch(manikin.model, q, point="neck")[1]
    sight = np.cos(AHEAD_DOWN) * forward - [0.0, 0.0, np.sin(AHEAD_DOWN)]
    return _followed(np.einsum("nji,nj->ni", thorax, sight))


def _events(performance: Performance) -> Iterator[tuple[float, Array]]:
    """Yield times and places of grasps and releases of loads and handholds."""
    motion, model = performance.motion, performance.manikin.model
    for phase in performance.loads:
        positions, _ = performance.load_poses(phase.load.name)
        for time in (phase.start, phase.end):
            yield time, positions[performance.row_at(time)]
    for held in performance.contacts:
        if held.contact.name.endswith("_hand"):
            row = performance.row_at(held.start)
            yield held.start, forward_batch(model, motion.q[[row]], point=held.contact.name)[0][0]


def _ramp(times: Array) -> Array:
    """Return a smooth step from 0 at 0 s to 1 after the time that turning the head takes."""
    t = np.clip(times / RAMP, 0.0, 1.0)
    return np.asarray(t**3 * (10 - 15 * t + 6 * t**2))
