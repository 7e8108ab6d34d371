"""Compiled: a mesh as a tree of boxes; rays through it, and what is inside.

A mesh has a row like solids (`robotix.collision.distance_kernels`), of which only the pose is used,
and a scale.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance_kernels import ROTATION, TRANSLATION
from robotix.collision.triangle_kernels import Triangle, ray_hit
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, cross, dot, norm, scaled, subtract
from robotix.kernels import kernel, part

__all__ = [
    "STACK_DEPTH",
    "Tree",
    "axis_of",
    "box_gap",
    "cast_ray",
    "corners_of",
    "inside",
    "is_within",
    "point_in",
    "point_out",
    "turn_in",
    "turn_out",
    "unit",
]

STACK_DEPTH = 256  # entries of a stack; a tree of two million triangles has 20 levels
TRIANGLE_MARGIN = 1e-9  # by which triangles are enlarged for rays

# Directions without a pattern, lest they run along faces; three may vote.
PROBE_DIRECTIONS = np.array(
    [[0.36514837, 0.54772256, 0.75277265], [-0.8017837, 0.2672612, 0.5345225], [0.1, -0.93, 0.3537]]
)


class Tree(NamedTuple):
    """A mesh: box `k` holds the boxes `links[k, 0]` and the next, or `links[k, 1]` triangles."""

    triangles: Array  # (m, 9), corner after corner
    bounds: Array  # (k, 6), low and high corner
    links: NDArray[np.int64]  # (k, 2), first box or triangle, number of triangles
    seeds: Array  # (s, 3), a corner of every piece that hangs together
    solid: bool  # closed, so that there is an inside


# -- frames -----------------------------------------------------------------------------------


@part
def axis_of(row: Array, i: int) -> Vector:
    """Axis of the frame of a row."""
    return (row[ROTATION + i], row[ROTATION + 3 + i], row[ROTATION + 6 + i])


@part
def turn_in(row: Array, v: Vector) -> Vector:
    """Turn a vector of the world into the frame of a row."""
    return (dot(axis_of(row, 0), v), dot(axis_of(row, 1), v), dot(axis_of(row, 2), v))


@part
def point_in(row: Array, scale: float, p: Vector) -> Vector:
    """Place a point of the world in the frame of a row, in its units."""
    origin = (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])
    return scaled(1.0 / scale, turn_in(row, subtract(p, origin)))


@part
def turn_out(row: Array, v: Vector) -> Vector:
    """Turn a vector in the frame of a row into the world."""
    turned = along(scaled(v[0], axis_of(row, 0)), v[1], axis_of(row, 1))
    return along(turned, v[2], axis_of(row, 2))


@part
def point_out(row: Array, scale: float, p: Vector) -> Vector:
    """Place a point in the frame of a row, in its units, in the world."""
    origin = (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])
    return along(origin, scale, turn_out(row, p))


@part
def corners_of(tree: Tree, k: int) -> Triangle:
    """Corners of a triangle."""
    t = tree.triangles[k]
    return ((t[0], t[1], t[2]), (t[3], t[4], t[5]), (t[6], t[7], t[8]))


@part
def box_gap(box: Array, centre: Vector, reach: Vector) -> float:
    """Distance between two boxes along the axes, squared."""
    total = 0.0
    for i in range(3):
        away = max(box[i] - centre[i] - reach[i], centre[i] - reach[i] - box[3 + i], 0.0)
        total += away * away
    return total


@part
def unit(v: Vector) -> Vector:
    """Vector of length 1 that points the same way; up, if there is none."""
    length = norm(v)
    return scaled(1.0 / length, v) if length > 0.0 else (0.0, 0.0, 1.0)


# -- rays and inside --------------------------------------------------------------------------


@part
def _ray_meets(box: Array, origin: Vector, direction: Vector, reach: float) -> bool:
    """Whether a ray comes through a box on its way."""
    near, far = 0.0, reach
    for i in range(3):
        low, high = box[i] - origin[i], box[3 + i] - origin[i]
        if direction[i] == 0.0:
            if low > 0.0 or high < 0.0:
                return False
            continue
        first, last = low / direction[i], high / direction[i]
        near, far = max(near, min(first, last)), min(far, max(first, last))
    return near <= far * (1.0 + TRIANGLE_MARGIN)


@part
def _crossings(tree: Tree, point: Vector, direction: Vector) -> int:
    """How often a ray leaves the mesh, less how often it enters it."""
    stack = np.empty(STACK_DEPTH, dtype=np.int64)
    stack[0], top, total = 0, 1, 0
    while top > 0:
        top -= 1
        k = stack[top]
        if not _ray_meets(tree.bounds[k], point, direction, math.inf):
            continue
        first, count = tree.links[k, 0], tree.links[k, 1]
        for t in range(first, first + count):
            corners = corners_of(tree, t)
            if ray_hit(corners, point, direction, 0.0) > 0.0:
                u, v = subtract(corners[1], corners[0]), subtract(corners[2], corners[0])
                total += 1 if dot(cross(u, v), direction) > 0.0 else -1
        if count == 0:
            stack[top], stack[top + 1] = first, first + 1
            top += 2
    return total


@part
def inside(tree: Tree, point: Vector) -> bool:
    """Whether a point is inside a mesh, in its frame."""
    for i in range(3):
        if not tree.bounds[0, i] <= point[i] <= tree.bounds[0, 3 + i]:
            return False
    votes = 0
    for k in range(len(PROBE_DIRECTIONS)):  # a ray that runs into an edge miscounts; two do not
        direction = (PROBE_DIRECTIONS[k, 0], PROBE_DIRECTIONS[k, 1], PROBE_DIRECTIONS[k, 2])
        votes += 1 if _crossings(tree, point, direction) != 0 else -1
    return votes > 0


@kernel
def is_within(tree: Tree, mesh_row: Array, scale: float, point: Array) -> bool:
    """Whether a point of the world is inside a mesh; a guess where the mesh has holes."""
    return inside(tree, point_in(mesh_row, scale, (point[0], point[1], point[2])))


@kernel
def cast_ray(tree: Tree, origin: Array, direction: Array, reach: float, out: Array) -> float:
    """Return how far along a ray its first triangle is, infinity if none; its normal into `out`.

    In the frame of the mesh; distances count in lengths of the direction.
    """
    start = (origin[0], origin[1], origin[2])
    along_ray = (direction[0], direction[1], direction[2])
    stack = np.empty(STACK_DEPTH, dtype=np.int64)
    stack[0], top, best = 0, 1, math.inf
    while top > 0:
        top -= 1
        k = stack[top]
        if not _ray_meets(tree.bounds[k], start, along_ray, min(reach, best)):
            continue
        first, count = tree.links[k, 0], tree.links[k, 1]
        for t in range(first, first + count):
            corners = corners_of(tree, t)
            far = ray_hit(corners, start, along_ray, TRIANGLE_MARGIN)
            if 0.0 <= far <= reach and far < best:
                best = far
                u, v = subtract(corners[1], corners[0]), subtract(corners[2], corners[0])
                n = unit(cross(u, v))
                out[0], out[1], out[2] = n[0], n[1], n[2]
        if count == 0:
            stack[top], stack[top + 1] = first, first + 1
            top += 2
    return best
