"""Curves in space, parametrised by arc length: straight lines, arcs, splines.

Every path has a point p(s), its unit tangent dp/ds and its curvature vector d²p/ds², with s in m
from its start, 0 ≤ s ≤ `length`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, rotation_about

__all__ = ["Arc", "Line", "PointPath"]


class PointPath(Protocol):
    """A curve with a length, in m."""

    @property
    def length(self) -> float:
        """Arc length from start to end."""

    def point(self, s: float) -> Array:
        """Position at arc length `s`, (3,)."""

    def tangent(self, s: float) -> Array:
        """Unit vector along the path, (3,)."""

    def curvature(self, s: float) -> Array:
        """Change of the tangent per metre, (3,); towards the centre of the bend."""


@dataclass(frozen=True, eq=False)
class Line:
    """Straight line. If start and end coincide (a pure rotation), the tangent is zero."""

    start: Array  # (3,), m
    end: Array  # (3,), m

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", point_of(self.start, "start of a line"))
        object.__setattr__(self, "end", point_of(self.end, "end of a line"))

    @cached_property
    def length(self) -> float:
        """Distance from start to end."""
        return float(np.linalg.norm(self.end - self.start))

    def point(self, s: float) -> Array:
        """Position at arc length `s`."""
        return self.start + s * self._direction

    def tangent(self, s: float) -> Array:
        """Unit vector along the line."""
        return self._direction

    def curvature(self, s: float) -> Array:
        """Zero."""
        return np.zeros(3)

    @cached_property
    def _direction(self) -> Array:
        return (self.end - self.start) / self.length if self.length else np.zeros(3)


@dataclass(frozen=True, eq=False)
class Arc:
    """Part of a circle: `start` rotated about an axis through `centre` by `angle` (either sign).

    The centre may be any point of the axis.
    """

    start: Array  # (3,), m
    centre: Array  # (3,), m
    axis: Array  # (3,), any length
    angle: float  # rad

    def __post_init__(self) -> None:
        for what in ("start", "centre", "axis"):
            object.__setattr__(self, what, point_of(getattr(self, what), f"{what} of an arc"))
        if not math.isfinite(self.angle) or self.angle == 0:
            raise ValueError(f"an arc needs a finite angle other than 0, got {self.angle}")
        if not np.linalg.norm(self.axis) > 0:
            raise ValueError("the axis of an arc has no direction")
        object.__setattr__(self, "axis", self.axis / np.linalg.norm(self.axis))
        if self.radius <= 1e-12:
            raise ValueError("the start of an arc lies on its axis; move the centre or the start")

    @staticmethod
    def through(start: ArrayLike, middle: ArrayLike, end: ArrayLike) -> Arc:
        """Arc from `start` through `middle` to `end`."""
        a, b, c = (point_of(p, "point of an arc") for p in (start, middle, end))
        u, v = b - a, c - a
        normal = np.cross(u, v)
        area = float(normal @ normal)
        if area <= 1e-18 * float(u @ u) * float(v @ v) or not area:
            raise ValueError(f"{a}, {b} and {c} lie on a line; use Line, or move one of them")
        centre = a + np.cross((u @ u) * v - (v @ v) * u, normal) / (2 * area)
        axis = normal / math.sqrt(area)  # about this axis, start, middle and end are in order
        x, y = a - centre, np.cross(axis, a - centre)
        angle = math.atan2(float((c - centre) @ y), float((c - centre) @ x)) % (2 * math.pi)
        return Arc(a, centre, axis, angle)

    @cached_property
    def radius(self) -> float:
        """Distance of the start from the axis."""
        return float(np.linalg.norm(self._spoke))

    @cached_property
    def length(self) -> float:
        """Radius times angle."""
        return self.radius * abs(self.angle)

    def point(self, s: float) -> Array:
        """Position at arc length `s`."""
        return self.start - self._spoke + self._turned(s, self._spoke)

    def tangent(self, s: float) -> Array:
        """Unit vector along the arc."""
        along = np.cross(self.axis, self._spoke) * math.copysign(1.0, self.angle)
        return self._turned(s, along / self.radius)

    def curvature(self, s: float) -> Array:
        """Vector towards the axis with length 1/radius."""
        return self._turned(s, -self._spoke / self.radius**2)

    @cached_property
    def _spoke(self) -> Array:
        """Perpendicular vector from the axis to the start."""
        arm = self.start - self.centre
        return np.asarray(arm - self.axis * (self.axis @ arm))

    def _turned(self, s: float, vector: Array) -> Array:
        angle = math.copysign(s / self.radius, self.angle)
        return np.asarray(rotation_about(self.axis, angle) @ vector)


def point_of(values: ArrayLike, what: str) -> Array:
    """Return three finite numbers as a read-only array; raise ValueError otherwise."""
    array = np.array(values, dtype=float)
    if array.shape != (3,) or not np.isfinite(array).all():
        raise ValueError(f"{what} must be three finite numbers, got {values!r}")
    array.flags.writeable = False
    return array
