"""Compiled: distance between a mesh and a solid, a half-space or another mesh.

Results are those of solids (`robotix.collision.distance_kernels`), the mesh being `a`; where a mesh
overlaps with anything but a half-space the distance is 0, and both points are one they share.

A `hint` names the nearest triangles of an earlier call, -1 for none; it is updated. Searches start
with these triangles, so that what moved little costs little; the result does not depend on it.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.collision.core_kernels import Core
from robotix.collision.distance_kernels import BALL, DISK, HALF, TRANSLATION
from robotix.collision.frame_kernels import (
    Frame,
    Hint,
    core_height,
    core_reach,
    from_frame,
    into_frame,
    is_beyond,
    line,
    lowest,
    make_frame,
    middle_of,
)
from robotix.collision.pair_kernels import search_pair
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
)
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, dot, scaled, subtract
from robotix.kernels import kernel, part

__all__ = ["Hint", "mesh_to_floor", "mesh_to_mesh", "mesh_to_solid", "no_hint"]


def no_hint() -> Hint:
    """Return a hint for a first call."""
    return np.full(2, -1, dtype=np.int64)


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
def _corners_in_frame(tree: Tree, frame: Frame, t: int) -> Triangle:
    p, q, r = corners_of(tree, t)
    return (into_frame(frame, p), into_frame(frame, q), into_frame(frame, r))


@part
def _start_core(tree: Tree, frame: Frame, core: Core, best: Points, hint: Hint) -> Points:
    """Closest points of the triangle in the hint and a core, if that is better."""
    if not 0 <= hint[0] < len(tree.triangles):
        return best
    found = triangle_to_core(_corners_in_frame(tree, frame, hint[0]), core)
    return found if found[0] < best[0] else best


@part
def _line_of_mesh(frame: Frame, core: Core, n: Vector) -> tuple[Vector, float]:
    """A direction of the core's frame in that of the mesh, and how far the core reaches there."""
    up = along(along(scaled(n[0], frame.x), n[1], frame.y), n[2], frame.z)
    return up, dot(up, frame.origin) + core_height(core, n)


@part
def _search_core(
    tree: Tree, frame: Frame, core: Core, best: Points, enough: float, hint: Hint
) -> Points:
    """Closest points of a mesh and a core, in the frame of the core."""
    reach = core_reach(frame, core)
    seen = into_frame(frame, middle_of(tree.bounds[0]))
    n = line(best, seen, (0.0, 0.0, 0.0))  # in the frame of the core
    up, height = _line_of_mesh(frame, core, n)
    stack = np.empty(STACK_DEPTH, dtype=np.int64)
    stack[0], top = 0, 1
    while top > 0 and best[0] > enough:
        top -= 1
        k = stack[top]
        if box_gap(tree.bounds[k], frame.origin, reach) >= best[0]:
            continue
        if is_beyond(lowest(tree.bounds[k], up) - height, best[0]):
            continue
        first, count = tree.links[k, 0], tree.links[k, 1]
        for t in range(first, first + count):
            found = triangle_to_core(_corners_in_frame(tree, frame, t), core)
            if found[0] < best[0]:
                best = found
                hint[0] = t
                n = line(best, n, (0.0, 0.0, 0.0))
                up, height = _line_of_mesh(frame, core, n)
        if count == 0:  # the nearer box on top of the stack
            gap = box_gap(tree.bounds[first], frame.origin, reach)
            later = 0 if gap > box_gap(tree.bounds[first + 1], frame.origin, reach) else 1
            stack[top], stack[top + 1] = first + later, first + 1 - later
            top += 2
    return best


@kernel
def mesh_to_solid(
    tree: Tree, mesh_row: Array, scale: float, row: Array, limits: Array, hint: Hint, out: Array
) -> float:
    """Distance between a mesh and a solid that is no half-space; infinity beyond `limits[0]`.

    The search ends as soon as the distance is `limits[1]` or less: 0 for the exact one.
    """
    frame = make_frame(mesh_row, scale, row, scale)
    core = (row[HALF] / scale, row[HALF + 1] / scale, row[HALF + 2] / scale, row[DISK] / scale)
    ball = row[BALL] / scale
    least, enough = (limits[0] / scale + ball) ** 2, (limits[1] / scale + ball) ** 2
    best = _start_core(tree, frame, core, (least, frame.origin, frame.origin), hint)
    best = _search_core(tree, frame, core, best, enough, hint)
    if best[0] > enough and tree.solid and inside(tree, frame.origin):
        n = (0.0, 0.0, 1.0)
        return _report(out, mesh_row, scale, frame.origin, frame.origin, n, 0.0)
    if best[0] >= least:
        return math.inf
    a, b = from_frame(frame, best[1]), from_frame(frame, best[2])
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
    hint: Hint,
    out: Array,
) -> float:
    """Distance between two meshes; `limits` as in `mesh_to_solid`."""
    frame = make_frame(row_a, scale_a, row_b, scale_b)
    least, enough = (limits[0] / scale_a) ** 2, (limits[1] / scale_a) ** 2
    best = search_pair(a, b, frame, (least, frame.origin, frame.origin), enough, hint)
    if best[0] > enough:
        shared, point = _one_in_other(a, row_a, scale_a, b, row_b, scale_b)
        if shared:
            return _store(out, 0.0, point, point, (0.0, 0.0, 1.0))
    if best[0] >= least:
        return math.inf
    n = unit(subtract(best[1], best[2]))
    return _report(out, row_a, scale_a, best[1], best[2], n, math.sqrt(best[0]))
