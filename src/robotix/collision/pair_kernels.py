"""Compiled: the closest points of two meshes, by their trees of boxes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robotix.collision.core_kernels import Core
from robotix.collision.frame_kernels import (
    ROUNDING,
    Frame,
    Hint,
    box_in,
    box_reach,
    core_height,
    from_frame,
    into_frame,
    is_beyond,
    line,
    lowest,
    middle_of,
    turn_into,
)
from robotix.collision.tree_kernels import STACK_DEPTH, Tree, box_gap, corners_of
from robotix.collision.triangle_kernels import Points, Triangle, triangle_to_triangle
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, dot, scaled, subtract
from robotix.kernels import part

__all__ = ["search_pair"]


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
def _corners_from_frame(b: Tree, frame: Frame, t: int) -> Triangle:
    p, q, r = corners_of(b, t)
    return (from_frame(frame, p), from_frame(frame, q), from_frame(frame, r))


@part
def _leaves(best: Points, a: Tree, b: Tree, frame: Frame, i: int, j: int, hint: Hint) -> Points:
    """All triangles of a leaf against all of another."""
    n = line(best, middle_of(a.bounds[i]), from_frame(frame, middle_of(b.bounds[j])))
    for t in range(b.links[j, 0], b.links[j, 0] + b.links[j, 1]):
        other = _corners_from_frame(b, frame, t)
        top = max(dot(n, other[0]), dot(n, other[1]), dot(n, other[2]))
        if is_beyond(lowest(a.bounds[i], n) - top, best[0]):
            continue
        centre, reach = _span(other)
        if box_gap(a.bounds[i], centre, reach) >= best[0]:
            continue
        for s in range(a.links[i, 0], a.links[i, 0] + a.links[i, 1]):
            mine = corners_of(a, s)
            bottom = min(dot(n, mine[0]), dot(n, mine[1]), dot(n, mine[2]))
            if is_beyond(bottom - top, best[0]):
                continue
            if _gap_of_spans(_span(mine), (centre, reach)) < best[0]:
                found = triangle_to_triangle(mine, other)
                if found[0] < best[0]:
                    best = found
                    hint[0], hint[1] = s, t
    return best


@part
def _start_pair(a: Tree, b: Tree, frame: Frame, best: Points, hint: Hint) -> Points:
    """Closest points of the two triangles in the hint, if that is better."""
    if not (0 <= hint[0] < len(a.triangles) and 0 <= hint[1] < len(b.triangles)):
        return best
    found = triangle_to_triangle(corners_of(a, hint[0]), _corners_from_frame(b, frame, hint[1]))
    return found if found[0] < best[0] else best


@part
def _bound(
    box: Array, mine: tuple[Vector, Vector], theirs: tuple[Vector, Vector, Core], frame: Frame,
    n: Vector, turned: Vector,
) -> float:  # fmt: skip
    """Distance, squared, that a box and another one do not fall short of.

    The largest of those along the axes of either, and along a line: a long box is thin only along
    its own axes.
    """
    gap = box_gap(box, theirs[0], theirs[1])
    height = lowest(box, n) - dot(n, theirs[0]) - core_height(theirs[2], turned)
    if height > 0.0:
        gap = max(gap, height * height)
    centre, total = into_frame(frame, theirs[0]), 0.0
    for i in range(3):
        away = max(abs(mine[0][i] - centre[i]) - (mine[1][i] + theirs[2][i]), 0.0)
        total += away * away
    return max(gap, total)


@part
def _push(
    stack: NDArray[np.int64], bounds: Array, top: int, best: float,
    near: tuple[float, int, int], far: tuple[float, int, int],
) -> int:  # fmt: skip
    """Put two pairs of boxes on a stack, the nearer one on top, unless they are too far away."""
    if near[0] > far[0]:
        near, far = far, near
    for pair in (far, near):
        if pair[0] < ROUNDING * best:
            bounds[top], stack[top, 0], stack[top, 1] = pair
            top += 1
    return top


@part
def search_pair(a: Tree, b: Tree, frame: Frame, best: Points, enough: float, hint: Hint) -> Points:
    """Closest points of two meshes, in the frame of the first, if nearer than the best so far.

    The search ends as soon as they are no farther apart than `enough`, squared.
    """
    best = _start_pair(a, b, frame, best, hint)
    stack, bounds = np.empty((STACK_DEPTH, 2), dtype=np.int64), np.empty(STACK_DEPTH)
    stack[0, 0], stack[0, 1], bounds[0], top = 0, 0, 0.0, 1
    n = line(best, middle_of(a.bounds[0]), from_frame(frame, middle_of(b.bounds[0])))
    turned = turn_into(frame, n)
    while top > 0 and best[0] > enough:
        top -= 1
        if bounds[top] >= ROUNDING * best[0]:
            continue
        i, j = stack[top, 0], stack[top, 1]
        leaf_a, leaf_b = a.links[i, 1] > 0, b.links[j, 1] > 0
        if leaf_a and leaf_b:
            before = best[0]
            best = _leaves(best, a, b, frame, i, j, hint)
            if best[0] < before:
                n = line(best, n, (0.0, 0.0, 0.0))
                turned = turn_into(frame, n)
            continue
        box, other = a.bounds[i], box_reach(frame, b.bounds[j])
        size_a = 0.5 * (box[3] - box[0] + box[4] - box[1] + box[5] - box[2])
        if leaf_b or (not leaf_a and size_a >= other[2][0] + other[2][1] + other[2][2]):
            k = a.links[i, 0]  # halve the larger one
            one, two = a.bounds[k], a.bounds[k + 1]
            first = (_bound(one, box_in(frame, one), other, frame, n, turned), k, j)
            second = (_bound(two, box_in(frame, two), other, frame, n, turned), k + 1, j)
        else:
            k, mine = b.links[j, 0], box_in(frame, box)
            left, right = box_reach(frame, b.bounds[k]), box_reach(frame, b.bounds[k + 1])
            first = (_bound(box, mine, left, frame, n, turned), i, k)
            second = (_bound(box, mine, right, frame, n, turned), i, k + 1)
        top = _push(stack, bounds, top, best[0], first, second)
    return best
