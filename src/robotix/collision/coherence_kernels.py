"""Compiled: how far solids have moved, and how far apart they are at least."""

from __future__ import annotations

import math

from robotix.collision.distance_kernels import ROTATION, TRANSLATION
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector
from robotix.kernels import kernel, part

__all__ = ["pair_bounds", "travel"]


@part
def _centre(row: Array, middle: Array) -> Vector:
    """Centre of the ball around a placed solid."""
    R, t = ROTATION, TRANSLATION
    return (
        row[t] + row[R] * middle[0] + row[R + 1] * middle[1] + row[R + 2] * middle[2],
        row[t + 1] + row[R + 3] * middle[0] + row[R + 4] * middle[1] + row[R + 5] * middle[2],
        row[t + 2] + row[R + 6] * middle[0] + row[R + 7] * middle[1] + row[R + 8] * middle[2],
    )


@part
def _distance(a: Vector, b: Vector) -> float:
    x, y, z = a[0] - b[0], a[1] - b[1], a[2] - b[2]
    return math.sqrt(x * x + y * y + z * z)


@kernel
def travel(rows: Array, before: Array, middles: Array, radii: Array, lengths: Array) -> None:
    """Add to `lengths` how far any point of each solid has moved at most; copy rows to `before`.

    That is the way of the centre, and of a point on the ball around it: 2 sin(θ/2) of the radius.
    """
    for k in range(len(rows)):
        row, old = rows[k], before[k]
        is_same, cosines = True, 0.0
        for c in range(ROTATION, rows.shape[1]):
            is_same = is_same and row[c] == old[c]
        if is_same:
            continue
        for c in range(ROTATION, TRANSLATION):
            cosines += row[c] * old[c]
        chord = math.sqrt(max(3.0 - cosines, 0.0))
        lengths[k] += _distance(_centre(row, middles[k]), _centre(old, middles[k]))
        if chord > 0.0:
            lengths[k] += chord * radii[k]
        old[:] = row


@kernel
def pair_bounds(
    rows_a: Array, middles_a: Array, radii_a: Array, lengths_a: Array,
    rows_b: Array, middles_b: Array, radii_b: Array, lengths_b: Array,
    measured: Array, out: Array,
) -> None:  # fmt: skip
    """Write distances, (n, m), that the solids of two lists do not fall short of.

    By the balls around them, and by what was measured less the ways since.
    """
    for k in range(len(rows_b)):
        centre = _centre(rows_b[k], middles_b[k])
        for i in range(len(rows_a)):
            apart = _distance(_centre(rows_a[i], middles_a[i]), centre) - radii_a[i] - radii_b[k]
            out[i, k] = max(apart, measured[i, k] - lengths_a[i] - lengths_b[k])
