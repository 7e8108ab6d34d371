"""Compiled signed distance between solids that are packed into rows of numbers.

A row holds `(kind, ball radius, disk radius, half sizes (3), rotation (9, row by row),
translation (3))`: every solid but the half-space is a convex core (point, segment, box, cylinder)
grown by a ball. A result holds `(distance, point of a, point of b, normal)`; the unit normal
points from b to a, and `point_a - point_b == distance * normal` whether they overlap or not.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.collision.core_kernels import Core, Pair, into_a, out_of_a, support
from robotix.collision.overlap_kernels import deepest, gap
from robotix.collision.separation_kernels import closest_points, touching_points
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import (
    Vector,
    along,
    dot,
    norm,
    scaled,
    subtract,
    unit_axis,
)
from robotix.kernels import kernel, part

__all__ = [
    "BOX",
    "CAPSULE",
    "CYLINDER",
    "HALFSPACE",
    "RESULT_SIZE",
    "ROW_SIZE",
    "SPHERE",
    "distance_pair",
    "distance_rows",
    "place_shapes",
]

# Kinds, in the order that `distance_pair` wants: of two, the core of the lower is searched against
# the whole of the higher.
SPHERE, CAPSULE, BOX, CYLINDER, HALFSPACE = 0.0, 1.0, 2.0, 3.0, 4.0

KIND, BALL, DISK, HALF, ROTATION, TRANSLATION = 0, 1, 2, 3, 6, 15
ROW_SIZE, RESULT_SIZE = 18, 10

CONTACT_TOLERANCE = (
    1e-11  # relative to the size: nearer cores are in contact, as rounding decides the direction
)


@kernel
def place_shapes(
    local_rows: Array, body_index: NDArray[np.int64], world_from_body: Array, out: Array
) -> None:
    """Move rows given in the frames of their bodies into the world.

    `world_from_body` holds one row per body, rotation (9, row by row) then translation (3).
    """
    for k in range(local_rows.shape[0]):
        body = world_from_body[body_index[k]]
        local, placed = local_rows[k], out[k]
        for i in range(ROTATION):
            placed[i] = local[i]
        for i in range(3):
            x, y, z = body[3 * i], body[3 * i + 1], body[3 * i + 2]
            for j in range(3):
                column = ROTATION + j
                placed[column + 3 * i] = (
                    x * local[column] + y * local[column + 3] + z * local[column + 6]
                )
            placed[TRANSLATION + i] = body[9 + i] + (
                x * local[TRANSLATION] + y * local[TRANSLATION + 1] + z * local[TRANSLATION + 2]
            )


@part
def _translation(row: Array) -> Vector:
    return (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])


@part
def _core(row: Array) -> Core:
    return (row[HALF], row[HALF + 1], row[HALF + 2], row[DISK])


@part
def _axis(row: Array, i: int) -> Vector:
    return (row[ROTATION + i], row[ROTATION + 3 + i], row[ROTATION + 6 + i])


@part
def _from_frame(row: Array, v: Vector) -> Vector:
    """Turn a vector from the frame of a row into the world's."""
    turned = along(scaled(v[0], _axis(row, 0)), v[1], _axis(row, 1))
    return along(turned, v[2], _axis(row, 2))


@part
def _into_frame(row: Array, v: Vector) -> Vector:
    """Turn a vector from the world into the frame of a row."""
    return (dot(_axis(row, 0), v), dot(_axis(row, 1), v), dot(_axis(row, 2), v))


@part
def _as_pair(a: Array, b: Array) -> Pair:
    offset = _into_frame(b, subtract(_translation(a), _translation(b)))
    x, y, z = _axis(a, 0), _axis(a, 1), _axis(a, 2)
    axes = (_into_frame(b, x), _into_frame(b, y), _into_frame(b, z))
    return Pair(offset, axes, _core(a), _core(b))


@part
def _extent(pair: Pair) -> float:
    a, b, c = pair.core_a, pair.core_b, pair.offset
    return (
        (abs(c[0]) + abs(c[1]) + abs(c[2]))
        + (a[0] + a[1] + a[2] + a[3])
        + (b[0] + b[1] + b[2] + b[3])
    )


@part
def _solve_cores(pair: Pair) -> tuple[float, Vector, Vector, Vector]:
    """Signed distance, closest points and normal of two cores, in the frame of the second."""
    a, b = closest_points(pair)
    n = subtract(a, b)
    distance = norm(n)
    if distance > CONTACT_TOLERANCE * _extent(pair):
        n = scaled(1.0 / distance, n)
        # What lies between the closest points of bodies that are apart is all free.
        if gap(n, pair) > 0.5 * distance:
            return distance, a, b, n
    # Overlap: pull them apart by the least depth; the points that then touch are the deepest.
    distance, n = deepest(pair)
    apart = Pair(along(pair.offset, -distance, n), pair.axes, pair.core_a, pair.core_b)
    a, b = touching_points(apart, n)
    b = along(scaled(0.5, a), 0.5, b)
    return distance, along(b, distance, n), b, n


@part
def _solve_floor(pair: Pair) -> tuple[float, Vector, Vector, Vector]:
    """Same for a core above, or below, the xy plane."""
    a = out_of_a(pair, support(scaled(-1.0, into_a(pair, unit_axis(2))), pair.core_a))
    return a[2], a, (a[0], a[1], 0.0), unit_axis(2)


@part
def _store(out: Array, i: int, v: Vector) -> None:
    out[i], out[i + 1], out[i + 2] = v[0], v[1], v[2]


@kernel
def distance_pair(row_a: Array, row_b: Array, out: Array) -> float:
    """Signed distance between two solids; `out` (10,) takes it, both points and the normal.

    Two half-spaces are infinitely far apart by convention, and have no nearest points.
    """
    swapped = row_a[KIND] > row_b[KIND]
    a, b = (row_b, row_a) if swapped else (row_a, row_b)
    pair = _as_pair(a, b)
    if b[KIND] < HALFSPACE:
        distance, point_a, point_b, n = _solve_cores(pair)
    elif a[KIND] < HALFSPACE:
        distance, point_a, point_b, n = _solve_floor(pair)
    else:
        distance, point_a, point_b, n = math.inf, pair.offset, pair.offset, unit_axis(2)
    signed: float = distance - (a[BALL] + b[BALL])
    normal, origin = _from_frame(b, n), _translation(b)
    point_a = along(origin, 1.0, _from_frame(b, along(point_a, -a[BALL], n)))
    point_b = along(origin, 1.0, _from_frame(b, along(point_b, b[BALL], n)))
    if swapped:
        point_a, point_b = point_b, point_a
        normal = scaled(-1.0, normal)
    out[0] = signed
    _store(out, 1, point_a)
    _store(out, 4, point_b)
    _store(out, 7, normal)
    return signed


@kernel
def distance_rows(a_rows: Array, b_rows: Array, pairs: NDArray[np.int64], out: Array) -> None:
    """Signed distance of every pair `(index in a_rows, index in b_rows)` into `out` (k, 10)."""
    for k in range(pairs.shape[0]):
        distance_pair(a_rows[pairs[k, 0]], b_rows[pairs[k, 1]], out[k])
