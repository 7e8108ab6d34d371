"""Guides: the one way in which a door, a drawer or a trolley can move.

A guide turns one number, its value, into a place. Values count from `home`, where the node was
when it was first taken; axes and origins are in the node's own frame there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from robotix.geometry import Array, Pose, log_rotation, rotation_about
from robotix.scene.graph.field_types import Vector
from robotix.scene.graph.graph import Node

__all__ = ["Guide", "Guided", "HingeGuide", "PathGuide", "SlideGuide", "take_guided"]

NEAR_AXIS = 0.01  # m; a hand so near to a hinge says nothing about its angle
CLOSE = 0.1  # m along a path either way, in which the nearest point is looked for
SAME = 1e-6  # m or 1; a node so far off its guide was moved by somebody else


class Guide(Protocol):
    """One degree of freedom. All points and places are in the node's parent."""

    @property
    def limits(self) -> tuple[float, float]:
        """Return the lowest and the highest value."""

    def place(self, home: Pose, value: float) -> Pose:
        """Return parent_from_node at a value."""

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the value at which the node is at a pose; of several, the one next to `near`."""

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the value, next to `near`, that brings a point of the node nearest to the hand.

        `grip` is where that point is at home.
        """


@dataclass(frozen=True)
class HingeGuide:
    """Turning about an axis; the value is an angle."""

    axis: Vector
    origin: Vector
    limits: tuple[float, float]

    def place(self, home: Pose, value: float) -> Pose:
        """Turn about the hinge."""
        turn, centre = rotation_about(home.rotation @ self.axis, value), home.apply(self.origin)
        return Pose(turn @ home.rotation, centre + turn @ (home.translation - centre))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the angle between the two places."""
        axis = _unit(home.rotation @ self.axis)
        angle = float(log_rotation(pose.rotation @ home.rotation.T) @ axis)
        return near + math.remainder(angle - near, math.tau)

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the angle from the grip to the hand, seen along the axis."""
        axis, centre = _unit(home.rotation @ self.axis), home.apply(self.origin)
        a, b = (p - centre - axis * (axis @ (p - centre)) for p in (grip, hand))
        if min(math.hypot(*a), math.hypot(*b)) < NEAR_AXIS:
            return near
        angle = math.atan2(float(axis @ np.cross(a, b)), float(a @ b))
        return near + math.remainder(angle - near, math.tau)


@dataclass(frozen=True)
class SlideGuide:
    """Sliding along an axis; the value is a length."""

    axis: Vector
    limits: tuple[float, float]

    def place(self, home: Pose, value: float) -> Pose:
        """Slide."""
        return Pose(home.rotation, home.translation + value * _unit(home.rotation @ self.axis))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return how far apart the two places are along the axis."""
        axis = _unit(home.rotation @ self.axis)
        return float(axis @ (pose.translation - home.translation))

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return how far the hand went along the axis."""
        return float(_unit(home.rotation @ self.axis) @ (hand - grip))


@dataclass(frozen=True)
class PathGuide:
    """Moving along a line of points; the value is the length gone from the first of them.

    A node that is beside the line at home stays as far beside it.
    """

    points: tuple[Vector, ...]
    closed: bool

    @property
    def limits(self) -> tuple[float, float]:
        """Return the ends; a closed path has none."""
        return (-math.inf, math.inf) if self.closed else (0.0, float(self._marks[-1]))

    def place(self, home: Pose, value: float) -> Pose:
        """Move along, without turning."""
        start = self._search(home.translation)
        return Pose(home.rotation, home.translation + self._point(value) - self._point(start))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return how far along the pose is."""
        start = self._search(home.translation)
        value = self._search(pose.translation - home.translation + self._point(start))
        return near + math.remainder(value - near, self._marks[-1]) if self.closed else value

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the nearest place around `near`, so that nothing jumps across a loop."""
        goal = hand - grip + self._point(self._search(home.translation))
        return self._search(goal, near=near, reach=CLOSE)

    @cached_property
    def _corners(self) -> Array:
        return np.array((*self.points, self.points[0]) if self.closed else self.points)

    @cached_property
    def _marks(self) -> Array:
        steps = np.linalg.norm(np.diff(self._corners, axis=0), axis=1)
        return np.concatenate(([0.0], np.cumsum(steps)))

    def _point(self, value: float) -> Array:
        marks = self._marks
        along = value % marks[-1] if self.closed else value
        i = min(max(int(np.searchsorted(marks, along)) - 1, 0), len(marks) - 2)
        share = (along - marks[i]) / (marks[i + 1] - marks[i])
        return np.asarray(self._corners[i] + share * (self._corners[i + 1] - self._corners[i]))

    def _search(self, goal: Array, *, near: float = 0.0, reach: float = math.inf) -> float:
        """Return the value of the nearest point that is no farther than `reach` along."""
        corners, marks = self._corners, self._marks
        sides, lengths = np.diff(corners, axis=0), np.diff(marks)
        total = marks[-1]
        laps = (0,) if not self.closed or math.isinf(reach) else _laps(near, reach, total)
        best, found = math.inf, near
        for lap in laps:
            first = marks[:-1] + lap * total
            low = np.clip((near - reach - first) / lengths, 0.0, 1.0)
            high = np.clip((near + reach - first) / lengths, 0.0, 1.0)
            foot = np.einsum("ij,ij->i", goal - corners[:-1], sides) / lengths**2
            share = np.clip(foot, low, high)
            far = np.linalg.norm(corners[:-1] + share[:, None] * sides - goal, axis=1)
            far[(first > near + reach) | (first + lengths < near - reach)] = math.inf
            i = int(np.argmin(far))
            if far[i] < best:
                best, found = float(far[i]), float(first[i] + share[i] * lengths[i])
        return found


@dataclass
class Guided:
    """A node on its guide, and how far along it is: the angle of a door, the way of a drawer."""

    node: Node
    guide: Guide
    home: Pose
    parent: Node | None
    value: float

    def move(self, value: float) -> None:
        """Put the node where the guide has this value."""
        self.value = value
        self.node.pose = self.guide.place(self.home, value)


def take_guided(known: Guided | None, node: Node, guide: Guide) -> Guided:
    """Return a node on its guide: as known when it is still there, or with its home where it is."""
    pose = node.pose
    if known is not None and known.node is node and known.parent is node.parent:
        low, high = guide.limits
        value = min(max(guide.value_of(known.home, pose, near=known.value), low), high)
        if known.guide == guide and _same(guide.place(known.home, value), pose):
            known.value = value
            return known
    return Guided(node, guide, pose, node.parent, guide.value_of(pose, pose, near=0.0))


def _same(a: Pose, b: Pose) -> bool:
    return np.allclose(a.matrix, b.matrix, rtol=0.0, atol=SAME)


def _unit(vector: Array) -> Array:
    return vector / math.hypot(*vector)


def _laps(near: float, reach: float, total: float) -> tuple[int, ...]:
    """Return the rounds of a closed path that lie within reach, at most one either way."""
    here = math.floor(near / total)
    return tuple(
        lap for lap in (here, here - 1, here + 1)
        if lap * total <= near + reach and (lap + 1) * total >= near - reach
    )  # fmt: skip
