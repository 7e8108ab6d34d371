"""Compiled parts of planning the mass centre: a banded least-squares problem in polygons.

The unknown displacement of the mass centre is a uniform cubic B-spline; every row of a motion sees
four of its coefficients, so that all normal equations are banded. Zero-moment points are kept in
their polygons by the alternating direction method of multipliers.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.kernels import kernel, part

__all__ = ["BAND", "keep_in_polygons", "nearest_inside"]

MOVED = 0.2  # of the tolerance, by which points move in the last round
BAND = 4  # coefficients of a cubic B-spline that one instant sees


@part
def nearest_inside(x: float, y: float, corners: Array) -> tuple[float, float]:
    """Return the point of a convex polygon, counter-clockwise, that is nearest to a point."""
    count = len(corners)
    inside = count > 2
    best, bx, by = math.inf, x, y
    for i in range(count):
        ax, ay = corners[i, 0], corners[i, 1]
        j = i + 1 if i + 1 < count else 0
        dx, dy = corners[j, 0] - ax, corners[j, 1] - ay
        if dx * (y - ay) - dy * (x - ax) < 0.0:
            inside = False
        square = dx * dx + dy * dy
        w = ((x - ax) * dx + (y - ay) * dy) / square if square > 0.0 else 0.0
        w = min(max(w, 0.0), 1.0)
        px, py = ax + w * dx, ay + w * dy
        away = (x - px) ** 2 + (y - py) ** 2
        if away < best:
            best, bx, by = away, px, py
    if inside:
        return x, y
    return bx, by


@part
def factorise(band: Array) -> None:
    """Replace a banded matrix, `band[i, k]` = A[i, i - k], by its Cholesky factor."""
    n, width = band.shape
    for i in range(n):
        for k in range(min(i, width - 1), -1, -1):
            j = i - k
            total = band[i, k]
            for m in range(max(i - width + 1, j - width + 1, 0), j):
                total -= band[i, i - m] * band[j, j - m]
            band[i, k] = total / band[j, 0] if k else math.sqrt(max(total, 1e-300))


@part
def solve_factorised(band: Array, x: Array) -> None:
    """Solve A x = b in place for both columns of `x`, given the factor of A."""
    n, width = band.shape
    for i in range(n):
        for c in range(2):
            total = x[i, c]
            for k in range(1, min(i, width - 1) + 1):
                total -= band[i, k] * x[i - k, c]
            x[i, c] = total / band[i, 0]
    for i in range(n - 1, -1, -1):
        for c in range(2):
            total = x[i, c]
            for k in range(1, min(n - 1 - i, width - 1) + 1):
                total -= band[i + k, k] * x[i + k, c]
            x[i, c] = total / band[i, 0]


@part
def add_square(band: Array, rows: Array, first: NDArray[np.int64], weight: float) -> None:
    """Add weight × AᵀA to a banded matrix, where row i of A is `rows[i]` from `first[i]` on."""
    for i in range(len(rows)):
        for a in range(BAND):
            for b in range(a + 1):
                band[first[i] + a, a - b] += weight * rows[i, a] * rows[i, b]


@part
def add_pull(
    out: Array, rows: Array, first: NDArray[np.int64], weight: float, values: Array
) -> None:
    """Add weight × Aᵀ values to `out`, (n, 2)."""
    for i in range(len(rows)):
        for a in range(BAND):
            out[first[i] + a, 0] += weight * rows[i, a] * values[i, 0]
            out[first[i] + a, 1] += weight * rows[i, a] * values[i, 1]


@kernel
def keep_in_polygons(
    rows: Array, first: NDArray[np.int64], offsets: Array, costs: Array, zmp: Array, corners: Array,
    start: NDArray[np.int64], polygon: NDArray[np.int64], force: float, rounds: int,
    tolerance: float, x: Array,
) -> float:  # fmt: skip
    """Write the coefficients of the displacement with the least cost, (n, 2); return the excess.

    `rows` (3, N, 4) give displacement, acceleration and shift of the zero-moment point per
    coefficient, `offsets` (3, N, 2) the deviations of these quantities without it, `costs` (3,) the
    weights of their squares, `zmp` (N, 2) the zero-moment points without it. Row i keeps its
    zero-moment point in the polygon `polygon[i]`, whose corners are
    `corners[start[p]:start[p + 1]]`, or anywhere for -1. The first and last three coefficients stay
    zero, so that both ends of the motion stay as they are. `force` is the penalty of the method; it
    ends after some rounds, or when no point is outside by more than `tolerance` and the points
    hardly move any more.
    """
    n, count = len(x), len(first)
    band, steady = np.zeros((n, BAND)), np.zeros((n, 2))
    for k in range(3):
        add_square(band, rows[k], first, costs[k])
        add_pull(steady, rows[k], first, -costs[k], offsets[k])
    add_square(band, rows[2], first, force)
    for i in range(n):
        if i < 3 or i >= n - 3:
            band[i, 0] = 1e12
        band[i, 0] += 1e-9
    factorise(band)
    points, kept, price = np.empty((count, 2)), zmp.copy(), np.zeros((count, 2))
    excess = 0.0
    for round_ in range(rounds):
        x[:] = steady
        for i in range(count):
            for c in range(2):
                points[i, c] = kept[i, c] - price[i, c] - zmp[i, c]
        add_pull(x, rows[2], first, force, points)
        solve_factorised(band, x)
        excess, moved = 0.0, 0.0
        for i in range(count):
            for c in range(2):
                shift = 0.0
                for a in range(BAND):
                    shift += rows[2, i, a] * x[first[i] + a, c]
                points[i, c] = zmp[i, c] + shift
            px, py = points[i, 0] + price[i, 0], points[i, 1] + price[i, 1]
            p = polygon[i]
            if p >= 0:
                near = corners[start[p] : start[p + 1]]
                kx, ky = nearest_inside(px, py, near)
                ex, ey = nearest_inside(points[i, 0], points[i, 1], near)
                excess = max(excess, math.hypot(points[i, 0] - ex, points[i, 1] - ey))
            else:
                kx, ky = px, py
            moved = max(moved, abs(kx - kept[i, 0]), abs(ky - kept[i, 1]))
            kept[i, 0], kept[i, 1] = kx, ky
            price[i, 0], price[i, 1] = px - kx, py - ky
        if excess < tolerance and moved < MOVED * tolerance and round_ > 3:
            break
    return excess
