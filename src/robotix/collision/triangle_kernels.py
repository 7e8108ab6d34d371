"""Compiled: a triangle against a convex core, another triangle, or a ray.

Two convex bodies are nearest at an edge or corner of one of them, unless they face each other with
parallel faces or intersect; each of these cases is examined separately.
"""

from __future__ import annotations

import math
from typing import TypeAlias

from robotix.collision.core_kernels import Core, Pair, support
from robotix.collision.separation_kernels import Points, closest_points, nearer
from robotix.geometry.vector_kernels import (
    Vector,
    along,
    cross,
    dot,
    norm,
    scaled,
    subtract,
    unit_axis,
)
from robotix.kernels import part

__all__ = ["Points", "Triangle", "ray_hit", "triangle_to_core", "triangle_to_triangle"]

Triangle: TypeAlias = tuple[Vector, Vector, Vector]

SLIVER_RATIO = 1e-12  # area over squared size; a thinner triangle is treated as its edges


@part
def _normal(t: Triangle) -> tuple[bool, Vector]:
    """Unit normal of a triangle, and whether it has one."""
    u, v = subtract(t[1], t[0]), subtract(t[2], t[0])
    n = cross(u, v)
    length = norm(n)
    if not length > SLIVER_RATIO * max(dot(u, u), dot(v, v)):
        return False, unit_axis(2)
    return True, scaled(1.0 / length, n)


@part
def _covers(t: Triangle, n: Vector, point: Vector) -> bool:
    """Whether a point lies straight above or below a triangle."""
    for i in range(3):
        corner, following = t[i], t[(i + 1) % 3]
        edge = subtract(following, corner)
        if dot(cross(edge, subtract(point, corner)), n) < 0.0:
            return False
    return True


# -- against a core ---------------------------------------------------------------------------


@part
def _edge_to_core(best: Points, p: Vector, q: Vector, core: Core) -> Points:
    edge = subtract(q, p)
    length = norm(edge)
    axis = scaled(1.0 / length, edge) if length > 0.0 else unit_axis(2)
    middle = along(scaled(0.5, p), 0.5, q)
    # A segment is a core of its own, whose other two axes do not matter.
    a, b = closest_points(Pair(middle, (axis, axis, axis), (0.0, 0.0, 0.5 * length, 0.0), core))
    return nearer(best, a, b)


@part
def triangle_to_core(t: Triangle, core: Core) -> Points:
    """Closest points of a triangle and a core, in the frame of the core; equal if they overlap."""
    best = (math.inf, t[0], t[0])
    best = _edge_to_core(best, t[0], t[1], core)
    best = _edge_to_core(best, t[1], t[2], core)
    best = _edge_to_core(best, t[2], t[0], core)
    flat, n = _normal(t)
    if not flat or best[0] == 0.0:
        return best
    level = dot(n, t[0])
    top, bottom = support(n, core), support(scaled(-1.0, n), core)
    high, low = dot(n, top) - level, dot(n, bottom) - level
    if low > 0.0 or high < 0.0:
        b, height = (bottom, low) if low > 0.0 else (top, high)
        a = along(b, -height, n)
        return nearer(best, a, b) if _covers(t, n, a) else best
    # The core goes through the plane: beside the triangle, or where no edge comes near it.
    share = -low / (high - low) if high > low else 0.5
    a = along(bottom, share, subtract(top, bottom))
    return (0.0, a, a) if _covers(t, n, a) else best


# -- against a triangle -----------------------------------------------------------------------


@part
def _clamp(value: float) -> float:
    return min(max(value, 0.0), 1.0)


@part
def _edge_to_edge(best: Points, p: Vector, q: Vector, r: Vector, s: Vector) -> Points:
    """Closest points of two segments ([Ericson2005], 5.1.9)."""
    u, v, w = subtract(q, p), subtract(s, r), subtract(p, r)
    uu, vv, uv, uw, vw = dot(u, u), dot(v, v), dot(u, v), dot(u, w), dot(v, w)
    square = uu * vv - uv * uv
    x = _clamp((uv * vw - uw * vv) / square) if square > 0.0 else 0.0
    y = (uv * x + vw) / vv if vv > 0.0 else 0.0
    if y < 0.0 or y > 1.0 or vv == 0.0:
        y = _clamp(y)
        x = _clamp((uv * y - uw) / uu) if uu > 0.0 else 0.0
    return nearer(best, along(p, x, u), along(r, y, v))


@part
def _corners_to_face(best: Points, t: Triangle, other: Triangle, swapped: bool) -> Points:
    """Corners and edges of a triangle against the inside of another."""
    flat, n = _normal(other)
    if not flat:
        return best
    for i in range(3):
        p, q = t[i], t[(i + 1) % 3]
        level = dot(n, other[0])
        height, ahead = dot(n, p) - level, dot(n, q) - level
        foot = along(p, -height, n)
        if _covers(other, n, foot):
            best = nearer(best, foot, p) if swapped else nearer(best, p, foot)
        if height * ahead < 0.0:
            crossing = along(p, height / (height - ahead), subtract(q, p))
            if _covers(other, n, crossing):
                return (0.0, crossing, crossing)
    return best


@part
def triangle_to_triangle(a: Triangle, b: Triangle) -> Points:
    """Closest points of two triangles; equal if they cut each other."""
    best = (math.inf, a[0], b[0])
    best = _corners_to_face(best, a, b, False)
    best = _corners_to_face(best, b, a, True)
    if best[0] == 0.0:
        return best
    for i in range(3):
        for j in range(3):
            best = _edge_to_edge(best, a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3])
    return best


# -- against a ray ----------------------------------------------------------------------------


@part
def ray_hit(t: Triangle, origin: Vector, direction: Vector, slack: float) -> float:
    """How many lengths of `direction` along it a ray meets a triangle; NaN if it does not.

    [Moller1997]; the triangle is wider by the share
    `slack`, so that no ray slips through between two.
    """
    u, v = subtract(t[1], t[0]), subtract(t[2], t[0])
    across = cross(direction, v)
    volume = dot(u, across)
    if volume == 0.0:
        return math.nan
    w = subtract(origin, t[0])
    x = dot(w, across) / volume
    turned = cross(w, u)
    y = dot(direction, turned) / volume
    if x < -slack or y < -slack or x + y > 1.0 + slack:
        return math.nan
    return dot(v, turned) / volume
