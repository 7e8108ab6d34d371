"""Smooth curve through given points: a natural cubic spline, parametrised by arc length."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import Polynomial

from robotix.geometry import Array
from robotix.motion.paths import point_of

__all__ = ["Spline"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)
LENGTH_TOLERANCE = 1e-12  # relative to the length
MIN_RELATIVE_SPEED = 1e-3  # relative to the mean ‖dp/du‖; below it the curve has a cusp


@dataclass(frozen=True, eq=False)
class Spline:
    """Curve through all points with continuous curvature, which is zero at its two ends.

    The spline's own parameter `u` is the sum of the distances between the points (chord length);
    the public one is arc length.
    """

    points: Array  # (k, 3), m, k ≥ 2

    def __post_init__(self) -> None:
        points = np.array([point_of(p, "point of a spline") for p in self.points])
        points.flags.writeable = False
        object.__setattr__(self, "points", points)
        if len(points) < 2:
            raise ValueError(f"a spline needs two points or more, got {len(points)}")
        if not (np.diff(self._knots) > 1e-9 * self._knots[-1]).all():
            raise ValueError(
                "a spline needs distances between its points; one occurs twice in a row"
            )
        self._check_cusps()

    @property
    def length(self) -> float:
        """Arc length of the whole curve."""
        return float(self._table[0, -1])

    def point(self, s: float) -> Array:
        """Position at arc length `s`."""
        return self._derivative(self._parameter(s), 0)

    def tangent(self, s: float) -> Array:
        """Unit vector along the curve."""
        velocity = self._derivative(self._parameter(s), 1)
        return velocity / np.linalg.norm(velocity)

    def curvature(self, s: float) -> Array:
        """Change of the tangent per metre."""
        u = self._parameter(s)
        velocity, bend = self._derivative(u, 1), self._derivative(u, 2)
        speed2 = float(velocity @ velocity)
        return np.asarray((bend - velocity * (velocity @ bend) / speed2) / speed2)

    # -- the curve by its parameter ---------------------------------------------------------

    @cached_property
    def _knots(self) -> Array:
        steps = np.linalg.norm(np.diff(self.points, axis=0), axis=1)
        return np.concatenate([[0.0], np.cumsum(steps)])

    @cached_property
    def _coefficients(self) -> Array:
        """Coefficients (4, pieces, 3) by power of the distance from the piece's start."""
        h = np.diff(self._knots)[:, None]
        slope = np.diff(self.points, axis=0) / h
        k = len(self.points)
        A, b = np.eye(k), np.zeros((k, 3))  # unknown: second derivatives, zero at the ends
        for i in range(1, k - 1):
            A[i, i - 1 : i + 2] = h[i - 1, 0], 2 * (h[i - 1, 0] + h[i, 0]), h[i, 0]
            b[i] = 6 * (slope[i] - slope[i - 1])
        m = np.linalg.solve(A, b)
        first = slope - h * (2 * m[:-1] + m[1:]) / 6
        return np.array([self.points[:-1], first, m[:-1] / 2, (m[1:] - m[:-1]) / (6 * h)])

    def _derivative(self, u: float | Array, order: int) -> Array:
        """Derivative of the curve at `u`, shape (*u.shape, 3)."""
        i = self._knots[1:-1].searchsorted(u, side="right")
        x = np.asarray(u - self._knots[i])[..., None]
        a, b, c, d = self._coefficients[:, i]
        if order == 0:
            return np.asarray(a + x * (b + x * (c + x * d)))
        if order == 1:
            return np.asarray(b + x * (2 * c + 3 * x * d))
        return np.asarray(2 * c + 6 * x * d)

    def _check_cusps(self) -> None:
        for i, h in enumerate(np.diff(self._knots)):
            _, b, c, d = self._coefficients[:, i]
            speed2 = sum(
                (Polynomial([b[j], 2 * c[j], 3 * d[j]]) ** 2 for j in range(3)), Polynomial([0.0])
            )
            extrema = speed2.deriv().trim().roots().real
            candidates = np.array([0.0, h, *extrema[(extrema > 0) & (extrema < h)]])
            if speed2(candidates).min() < MIN_RELATIVE_SPEED**2:
                raise ValueError(
                    f"the spline turns back sharply between points {i + 1} and {i + 2}, "
                    f"{self.points[i]} and {self.points[i + 1]}; add points, or use lines"
                )

    # -- arc length -------------------------------------------------------------------------

    def _distance(self, start: Array, end: Array) -> Array:
        """Arc length from parameter `start` to `end`, arrays of one shape."""
        half = 0.5 * (end - start)
        u = start[..., None] + half[..., None] * (_NODES + 1)
        return np.asarray(half * (np.linalg.norm(self._derivative(u, 1), axis=-1) @ _WEIGHTS))

    @cached_property
    def _table(self) -> Array:
        """Arc lengths, parameters and du/ds, (3, m), dense enough for `LENGTH_TOLERANCE`."""
        u = self._knots
        for _ in range(20):
            steps = self._distance(u[:-1], u[1:])
            s = np.concatenate([[0.0], np.cumsum(steps)])
            table = np.array([s, u, 1 / np.linalg.norm(self._derivative(u, 1), axis=-1)])
            middle = _hermite(table[:, :-1], table[:, 1:], s=s[:-1] + steps / 2)
            coarse = abs(self._distance(u[:-1], middle) - steps / 2) > LENGTH_TOLERANCE * s[-1]
            if not coarse.any():
                break
            u = np.sort(np.concatenate([u, (0.5 * (u[:-1] + u[1:]))[coarse]]))
        return table

    def _parameter(self, s: float) -> float:
        """Return the parameter at arc length `s`."""
        inside = min(max(s, 0.0), self.length)
        i = int(self._table[0, 1:-1].searchsorted(inside, side="right"))
        return float(_hermite(self._table[:, i], self._table[:, i + 1], s=inside))


def _hermite(start: Array, end: Array, *, s: float | Array) -> Array:
    """Interpolate between two rows of (s, u, du/ds) by a cubic."""
    (s0, u0, slope0), (s1, u1, slope1) = start, end
    h = s1 - s0
    w = (s - s0) / h
    a, b = h * slope0 - (u1 - u0), (u1 - u0) - h * slope1
    return np.asarray(u0 + w * (u1 - u0) + w * (1 - w) * ((1 - w) * a + w * b))
