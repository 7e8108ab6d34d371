"""Compiled: distance between a mesh and a solid, a half-space or another mesh.

Results are those of solids (`robotix.collision.distance_kernels`), the mesh being `a`; where a mesh
overlaps with anything but a half-space the distance is 0, and both points are one they share.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from robotix.collision.core_kernels import Core
from robotix.collision.distance_kernels import BALL, DISK, HALF, TRANSLATION
from robotix.collision.tree_kernels import (
    STACK_DEPTH,
    Tree,
    axis_of,
    box_gap,
    corners_of,
    inside,
    point_in,
    point_out,
    turn_in,
    turn_out,
    unit,
)
from robotix.collision.triangle_kernels import (
    Points,
    Triangle,
    triangle_to_core,
    triangle_to_triangle,
)
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, dot, scaled, subtract
from robotix.kernels import kernel, part

__all__ = ["mesh_to_floor", "mesh_to_mesh", "mesh_to_solid"]


class Frame(NamedTuple):
    """Where something is, seen from a mesh, in the mesh's units."""

    origin: Vector
    x: Vector
    y: Vector
    z: Vector
    scale: float


@part
def _frame(mesh_row: Array, mesh_scale: float, row: Array, scale: float) -> Frame:
    at = (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])
    x, y, z = axis_of(row, 0), axis_of(row, 1), axis_of(row, 2)
    return Frame(
        point_in(mesh_row, mesh_scale, at),
        turn_in(mesh_row, x),
        turn_in(mesh_row, y),
        turn_in(mesh_row, z),
        scale / mesh_scale,
    )


@part
def _from_frame(frame: Frame, p: Vector) -> Vector:
    p = scaled(frame.scale, p)
    return along(along(along(frame.origin, p[0], frame.x), p[1], frame.y), p[2], frame.z)


@part
def _into_frame(frame: Frame, p: Vector) -> Vector:
    """Seen from the frame, still in the mesh's units."""
    away = subtract(p, frame.origin)
    return (dot(frame.x, away), dot(frame.y, away), dot(frame.z, away))


# -- results ----------------------------------------------------------------------------------


@part
def _store(out: Array, distance: float, a: Vector, b: Vector, n: Vector) -> float:
    out[0] = distance
    for i in range(3):
        out[1 + i], out[4 + i], out[7 + i] = a[i], b[i], n[i]
    return distance


@part
def _report(
    out: Array, mesh_row: Array, scale: float, a: Vector, b: Vector, n: Vector, distance: float
) -> float:
    """Store a result given in the frame of the mesh."""
    world_a = point_out(mesh_row, scale, a)
    normal = turn_out(mesh_row, n)
    if distance <= 0.0:
        return _store(out, 0.0, world_a, world_a, normal)
    return _store(out, scale * distance, world_a, point_out(mesh_row, scale, b), normal)


# -- against solids ---------------------------------------------------------------------------


@part
def _extent(frame: Frame, core: Core, i: int) -> float:
    flat = math.sqrt(max(1.0 - frame.z[i] * frame.z[i], 0.0))
    box = core[0] * abs(frame.x[i]) + core[1] * abs(frame.y[i]) + core[2] * abs(frame.z[i])
    return box + core[3] * flat


@part
def _core_reach(frame: Frame, core: Core) -> Vector:
    """Half size of the box along the mesh's axes about a core."""
    return (_extent(frame, core, 0), _extent(frame, core, 1), _extent(frame, core, 2))


@part
def _search_core(tree: Tree, frame: Frame, core: Core, best: Points, enough: float) -> Points:
    """Closest points of a mesh and a core, in the frame of the core."""
    reach = _core_reach(frame, core)
    stack = np.empty(STACK_DEPTH, dtype=np.int64)
    stack[0], top = 0, 1
    while top > 0 and best[0] > enough:
        top -= 1
        k = stack[top]
        if box_gap(tree.bounds[k], frame.origin, reach) >= best[0]:
            continue
        first, count = tree.links[k, 0], tree.links[k, 1]
        for t in range(first, first + count):
            p, q, r = corners_of(tree, t)
            corners = (_into_frame(frame, p), _into_frame(frame, q), _into_frame(frame, r))
            found = triangle_to_core(corners, core)
            if found[0] < best[0]:
                best = found
        if count == 0:  # the nearer box on top of the stack
            gap = box_gap(tree.bounds[first], frame.origin, reach)
            later = 0 if gap > box_gap(tree.bounds[first + 1], frame.origin, reach) else 1
            stack[top], stack[top + 1] = first + later, first + 1 - later
            top += 2
    return best


@kernel
def mesh_to_solid(
    tree: Tree, mesh_row: Array, scale: float, row: Array, limits: Array, out: Array
) -> float:
    """Distance between a mesh and a solid that is no half-space; infinity beyond `limits[0]`.

    The search ends as soon as the distance is `limits[1]` or less: 0 for the exact one.
    """
    frame = _frame(mesh_row, scale, row, scale)
    core = (row[HALF] / scale, row[HALF + 1] / scale, row[HALF + 2] / scale, row[DISK] / scale)
    ball = row[BALL] / scale
    least, enough = (limits[0] / scale + ball) ** 2, (limits[1] / scale + ball) ** 2
    best = _search_core(tree, frame, core, (least, frame.origin, frame.origin), enough)
    if best[0] > enough and tree.solid and inside(tree, frame.origin):
        n = (0.0, 0.0, 1.0)
        return _report(out, mesh_row, scale, frame.origin, frame.origin, n, 0.0)
    if best[0] >= least:
        return math.inf
    a, b = _from_frame(frame, best[1]), _from_frame(frame, best[2])
    apart = math.sqrt(best[0])
    n = unit(subtract(a, b)) if apart > 0.0 else unit(subtract(a, frame.origin))
    return _report(out, mesh_row, scale, a, along(b, ball, n), n, apart - ball)


@kernel
def mesh_to_floor(tree: Tree, mesh_row: Array, scale: float, row: Array, out: Array) -> float:
    """Signed distance between a mesh and a half-space: to its lowest corner."""
    up = turn_in(mesh_row, axis_of(row, 2))
    at = (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])
    level = dot(up, point_in(mesh_row, scale, at))
    stack = np.empty(STACK_DEPTH, dtype=np.int64)
    stack[0], top = 0, 1
    least, lowest = math.inf, up
    while top > 0:
        top -= 1
        k = stack[top]
        box, bound = tree.bounds[k], -level
        for i in range(3):
            bound += up[i] * (box[i] if up[i] > 0.0 else box[3 + i])
        if bound >= least:
            continue
        first, count = tree.links[k, 0], tree.links[k, 1]
        for t in range(first, first + count):
            for corner in corners_of(tree, t):
                height = dot(up, corner) - level
                if height < least:
                    least, lowest = height, corner
        if count == 0:
            stack[top], stack[top + 1] = first, first + 1
            top += 2
    normal, a = axis_of(row, 2), point_out(mesh_row, scale, lowest)
    distance = scale * least
    return _store(out, distance, a, along(a, -distance, normal), normal)


# -- against meshes ---------------------------------------------------------------------------


@part
def _box_reach(frame: Frame, box: Array) -> tuple[Vector, Vector, float]:
    """Centre and half size, along the mesh's axes, of a box in a frame; and its size."""
    half = (0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2]))
    middle = (0.5 * (box[3] + box[0]), 0.5 * (box[4] + box[1]), 0.5 * (box[5] + box[2]))
    core = (frame.scale * half[0], frame.scale * half[1], frame.scale * half[2], 0.0)
    return _from_frame(frame, middle), _core_reach(frame, core), core[0] + core[1] + core[2]


@part
def _span(t: Triangle) -> tuple[Vector, Vector]:
    """Centre and half size of the box about a triangle."""
    low = (
        min(t[0][0], t[1][0], t[2][0]),
        min(t[0][1], t[1][1], t[2][1]),
        min(t[0][2], t[1][2], t[2][2]),
    )
    high = (
        max(t[0][0], t[1][0], t[2][0]),
        max(t[0][1], t[1][1], t[2][1]),
        max(t[0][2], t[1][2], t[2][2]),
    )
    return along(scaled(0.5, low), 0.5, high), scaled(0.5, subtract(high, low))


@part
def _gap_of_spans(a: tuple[Vector, Vector], b: tuple[Vector, Vector]) -> float:
    """Distance between two boxes, squared."""
    total = 0.0
    for i in range(3):
        away = max(abs(a[0][i] - b[0][i]) - (a[1][i] + b[1][i]), 0.0)
        total += away * away
    return total


@part
def _leaves(best: Points, a: Tree, b: Tree, frame: Frame, i: int, j: int) -> Points:
    """All triangles of a leaf against all of another."""
    for t in range(b.links[j, 0], b.links[j, 0] + b.links[j, 1]):
        p, q, r = corners_of(b, t)
        other = (_from_frame(frame, p), _from_frame(frame, q), _from_frame(frame, r))
        centre, reach = _span(other)
        if box_gap(a.bounds[i], centre, reach) >= best[0]:
            continue
        for s in range(a.links[i, 0], a.links[i, 0] + a.links[i, 1]):
            mine = corners_of(a, s)
            if _gap_of_spans(_span(mine), (centre, reach)) < best[0]:
                found = triangle_to_triangle(mine, other)
                if found[0] < best[0]:
                    best = found
    return best


@part
def _halve_first(a: Tree, i: int, middle: Vector, reach: Vector) -> tuple[int, int]:
    """Return the two boxes in a box, the farther one from another box first."""
    first = a.links[i, 0]
    gap = box_gap(a.bounds[first], middle, reach)
    return (
        (first, first + 1)
        if gap > box_gap(a.bounds[first + 1], middle, reach)
        else (first + 1, first)
    )


@part
def _halve_second(b: Tree, j: int, frame: Frame, box: Array) -> tuple[int, int]:
    """Do the same for the box `j` of the other mesh."""
    first = b.links[j, 0]
    middle, reach, _ = _box_reach(frame, b.bounds[first])
    gap = box_gap(box, middle, reach)
    middle, reach, _ = _box_reach(frame, b.bounds[first + 1])
    return (first, first + 1) if gap > box_gap(box, middle, reach) else (first + 1, first)


@part
def _search_pair(a: Tree, b: Tree, frame: Frame, best: Points, enough: float) -> Points:
    """Closest points of two meshes, in the frame of the first."""
    stack = np.empty((STACK_DEPTH, 2), dtype=np.int64)
    stack[0, 0], stack[0, 1], top = 0, 0, 1
    while top > 0 and best[0] > enough:
        top -= 1
        i, j = stack[top, 0], stack[top, 1]
        middle, reach, size_b = _box_reach(frame, b.bounds[j])
        box = a.bounds[i]
        if box_gap(box, middle, reach) >= best[0]:
            continue
        leaf_a, leaf_b = a.links[i, 1] > 0, b.links[j, 1] > 0
        if leaf_a and leaf_b:
            best = _leaves(best, a, b, frame, i, j)
            continue
        stack[top, 0], stack[top, 1] = i, j
        stack[top + 1, 0], stack[top + 1, 1] = i, j
        size_a = 0.5 * (box[3] - box[0] + box[4] - box[1] + box[5] - box[2])
        if leaf_b or (not leaf_a and size_a >= size_b):  # halve the larger one
            stack[top, 0], stack[top + 1, 0] = _halve_first(a, i, middle, reach)
        else:
            stack[top, 1], stack[top + 1, 1] = _halve_second(b, j, frame, box)
        top += 2
    return best


@part
def _one_in_other(
    a: Tree, row_a: Array, scale_a: float, b: Tree, row_b: Array, scale_b: float
) -> tuple[bool, Vector]:
    """Whether a piece of one mesh lies in the other, and a point of it in the world."""
    for side in range(2):
        tree, row, scale = (a, row_a, scale_a) if side == 0 else (b, row_b, scale_b)
        other, other_row, other_scale = (b, row_b, scale_b) if side == 0 else (a, row_a, scale_a)
        if not tree.solid:
            continue
        for k in range(len(other.seeds)):
            seed = (other.seeds[k, 0], other.seeds[k, 1], other.seeds[k, 2])
            point = point_out(other_row, other_scale, seed)
            if inside(tree, point_in(row, scale, point)):
                return True, point
    return False, (0.0, 0.0, 0.0)


@kernel
def mesh_to_mesh(
    a: Tree,
    row_a: Array,
    scale_a: float,
    b: Tree,
    row_b: Array,
    scale_b: float,
    limits: Array,
    out: Array,
) -> float:
    """Distance between two meshes; `limits` as in `mesh_to_solid`."""
    frame = _frame(row_a, scale_a, row_b, scale_b)
    least, enough = (limits[0] / scale_a) ** 2, (limits[1] / scale_a) ** 2
    best = _search_pair(a, b, frame, (least, frame.origin, frame.origin), enough)
    if best[0] > enough:
        shared, point = _one_in_other(a, row_a, scale_a, b, row_b, scale_b)
        if shared:
            return _store(out, 0.0, point, point, (0.0, 0.0, 1.0))
    if best[0] >= least:
        return math.inf
    n = unit(subtract(best[1], best[2]))
    return _report(out, row_a, scale_a, best[1], best[2], n, math.sqrt(best[0]))
