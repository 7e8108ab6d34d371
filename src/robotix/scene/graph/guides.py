"""Guides: the one degree of freedom of a door, a drawer or a trolley.

A guide maps a number, its value, to a pose. Values count from `home`, the pose of the node when it
was first gripped; axes and origins are in the node's own frame there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from robotix.geometry import Array, Pose, log_rotation, rotation_about
from robotix.geometry.vectors import unit_rows
from robotix.scene.graph.field_types import Vector
from robotix.scene.graph.graph import Node

__all__ = ["Guide", "Guided", "HingeGuide", "PathGuide", "SlideGuide", "guide_node"]

MIN_RADIUS = 0.01  # m from the axis; the angle of a nearer hand is undefined
SEARCH_DISTANCE = 0.1  # m along a path, in either direction
POSE_TOLERANCE = 1e-6  # m or 1; a node farther from its guide was moved by somebody else


class Guide(Protocol):
    """One degree of freedom. All points and poses are in the node's parent."""

    @property
    def limits(self) -> tuple[float, float]:
        """Return the lowest and the highest value."""

    def pose(self, home: Pose, value: float) -> Pose:
        """Return parent_from_node at a value."""

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the value of a pose; of several, the one nearest to `near`."""

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the value around `near` that brings a point of the node nearest to the hand.

        `grip` is the position of that point at home.
        """


@dataclass(frozen=True)
class HingeGuide:
    """Rotation about an axis; the value is an angle."""

    axis: Vector
    origin: Vector
    limits: tuple[float, float]

    def pose(self, home: Pose, value: float) -> Pose:
        """Rotate about the hinge."""
        turn, centre = rotation_about(home.rotation @ self.axis, value), home.apply(self.origin)
        return Pose(turn @ home.rotation, centre + turn @ (home.translation - centre))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the angle between the two poses."""
        axis = unit_rows(home.rotation @ self.axis)
        angle = float(log_rotation(pose.rotation @ home.rotation.T) @ axis)
        return near + math.remainder(angle - near, math.tau)

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the angle from the grip to the hand about the axis."""
        axis, centre = unit_rows(home.rotation @ self.axis), home.apply(self.origin)
        a, b = (p - centre - axis * (axis @ (p - centre)) for p in (grip, hand))
        if min(math.hypot(*a), math.hypot(*b)) < MIN_RADIUS:
            return near
        angle = math.atan2(float(axis @ np.cross(a, b)), float(a @ b))
        return near + math.remainder(angle - near, math.tau)


@dataclass(frozen=True)
class SlideGuide:
    """Translation along an axis; the value is a length."""

    axis: Vector
    limits: tuple[float, float]

    def pose(self, home: Pose, value: float) -> Pose:
        """Translate along the axis."""
        return Pose(home.rotation, home.translation + value * unit_rows(home.rotation @ self.axis))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the distance between the two poses along the axis."""
        axis = unit_rows(home.rotation @ self.axis)
        return float(axis @ (pose.translation - home.translation))

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the distance of the hand from the grip along the axis."""
        return float(unit_rows(home.rotation @ self.axis) @ (hand - grip))


@dataclass(frozen=True)
class PathGuide:
    """Translation along a polyline; the value is the arc length from its first point.

    A node beside the line keeps its offset from it.
    """

    points: tuple[Vector, ...]
    closed: bool

    @property
    def limits(self) -> tuple[float, float]:
        """Return the ends; a closed path has none."""
        return (-math.inf, math.inf) if self.closed else (0.0, float(self._marks[-1]))

    def pose(self, home: Pose, value: float) -> Pose:
        """Translate along the path, without rotation."""
        start = self._search(home.translation)
        return Pose(home.rotation, home.translation + self._point(value) - self._point(start))

    def value_of(self, home: Pose, pose: Pose, *, near: float) -> float:
        """Return the arc length of the pose."""
        start = self._search(home.translation)
        value = self._search(pose.translation - home.translation + self._point(start))
        return near + math.remainder(value - near, self._marks[-1]) if self.closed else value

    def nearest(self, home: Pose, *, grip: Array, hand: Array, near: float) -> float:
        """Return the nearest arc length around `near`, so that nothing jumps across a loop."""
        goal = hand - grip + self._point(self._search(home.translation))
        return self._search(goal, near=near, reach=SEARCH_DISTANCE)

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
        fraction = (along - marks[i]) / (marks[i + 1] - marks[i])
        return np.asarray(self._corners[i] + fraction * (self._corners[i + 1] - self._corners[i]))

    def _search(self, goal: Array, *, near: float = 0.0, reach: float = math.inf) -> float:
        """Return the arc length of the nearest point within `reach` of `near` along the path."""
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
            fraction = np.clip(foot, low, high)
            far = np.linalg.norm(corners[:-1] + fraction[:, None] * sides - goal, axis=1)
            far[(first > near + reach) | (first + lengths < near - reach)] = math.inf
            i = int(np.argmin(far))
            if far[i] < best:
                best, found = float(far[i]), float(first[i] + fraction[i] * lengths[i])
        return found


@dataclass
class Guided:
    """A node on its guide, and its value: the angle of a door, the position of a drawer."""

    node: Node
    guide: Guide
    home: Pose
    parent: Node | None
    value: float

    def move(self, value: float) -> None:
        """Move the node to a value of the guide."""
        self.value = value
        self.node.pose = self.guide.pose(self.home, value)


def guide_node(known: Guided | None, node: Node, guide: Guide) -> Guided:
    """Return a node on its guide: the known one if still valid, or a new one with its home here."""
    pose = node.pose
    if known is not None and known.node is node and known.parent is node.parent:
        low, high = guide.limits
        value = min(max(guide.value_of(known.home, pose, near=known.value), low), high)
        if known.guide == guide and _is_close(guide.pose(known.home, value), pose):
            known.value = value
            return known
    return Guided(node, guide, pose, node.parent, guide.value_of(pose, pose, near=0.0))


def _is_close(a: Pose, b: Pose) -> bool:
    return np.allclose(a.matrix, b.matrix, rtol=0.0, atol=POSE_TOLERANCE)


def _laps(near: float, reach: float, total: float) -> tuple[int, ...]:
    """Return the laps of a closed path that lie within reach, at most one in either direction."""
    here = math.floor(near / total)
    return tuple(
        lap for lap in (here, here - 1, here + 1)
        if lap * total <= near + reach and (lap + 1) * total >= near - reach
    )  # fmt: skip
