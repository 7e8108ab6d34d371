"""Penetration depth of two convex cores: the shortest translation that separates them.

For a unit vector n, `gap(n)` is the width of the slab between the cores across n, negative when
they overlap in that direction; the signed distance of the cores is its largest value. A ball
inside a convex body can only touch it where its surface is smooth, so for overlapping cores the
largest gap is across one of

- the normal of a flat face, or of a face swept by an edge of one core along an edge of the other;
- a direction square to an edge or a cylinder's axis, if one core is round;
- a direction between two round rims.

A direction that is not the best gives too much depth, never too little: trying many is harmless.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from robotix.collision.core_kernels import (
    Core,
    Pair,
    has_disk,
    into_a,
    is_box,
    narrow,
    next_guess,
)
from robotix.geometry.vector_kernels import Vector, along, cross, dot, norm, scaled, unit_axis
from robotix.kernels import part

__all__ = ["deepest", "gap"]

MAX_STEPS = 40  # of a search that usually needs ten
CLIMB_STEPS = 20
MIN_STEP_FRACTION = 0.001  # no gain even with this fraction of a step: a ridge, found otherwise

# Half a circle, all on the far side of the second core; a little short of its ends and askew
# inside, lest a sample fall on a ridge, where the gap has two slopes.
_INSIDE = math.pi * (np.arange(12) + 0.1234567) / 12
CIRCLE_ANGLES = np.array([1e-7, *_INSIDE, math.pi - 1e-7])
MIN_RELATIVE_GAIN = 1e-10  # relative to the depth; less ends the search

Widest: TypeAlias = tuple[float, Vector]  # gap, and the unit direction across it
SamplePoint: TypeAlias = tuple[float, float, float]  # angle, gap and slope there


@part
def _reach(direction: Vector, core: Core) -> float:
    """Extent of a core from its centre, along a direction of its own frame."""
    x, y, z = direction
    box = core[0] * abs(x) + core[1] * abs(y) + core[2] * abs(z)
    return box + core[3] * math.sqrt(x * x + y * y)


@part
def _reach_slope(direction: Vector, turn: Vector, core: Core) -> float:
    """Change of `_reach` as the direction turns."""
    x, y, z = direction
    box = core[0] * math.copysign(1.0, x) * turn[0] + core[1] * math.copysign(1.0, y) * turn[1]
    box += core[2] * math.copysign(1.0, z) * turn[2]
    radius = math.sqrt(x * x + y * y)
    return box + (core[3] * (x * turn[0] + y * turn[1]) / radius if radius > 0.0 else 0.0)


@part
def gap(direction: Vector, pair: Pair) -> float:
    """Width of the slab between two cores across a unit direction; negative if they overlap."""
    reach = _reach(into_a(pair, direction), pair.core_a) + _reach(direction, pair.core_b)
    return abs(dot(direction, pair.offset)) - reach


@part
def _gap_slope(direction: Vector, turn: Vector, pair: Pair) -> float:
    """Change of `gap` as the direction turns."""
    slope = _reach_slope(into_a(pair, direction), into_a(pair, turn), pair.core_a)
    slope += _reach_slope(direction, turn, pair.core_b)
    return math.copysign(1.0, dot(direction, pair.offset)) * dot(turn, pair.offset) - slope


@part
def _wider(best: Widest, direction: Vector, pair: Pair) -> Widest:
    """Better of what is known and a direction of any length; none if it is zero."""
    length = norm(direction)
    if not length > 1e-100:
        return best
    unit = scaled(1.0 / length, direction)
    width = gap(unit, pair)
    return (width, unit) if width > best[0] else best


@part
def _first_axis(core: Core) -> int:
    """Index of the first axis along which a core has edges; 3 if none. Later axes have them too."""
    if is_box(core):
        return 0
    return 2 if core[2] > 0.0 else 3


@part
def _search_faces(best: Widest, pair: Pair) -> Widest:
    """Axes of both cores and their vector products; nothing is left if neither is round."""
    first_a, first_b = _first_axis(pair.core_a), _first_axis(pair.core_b)
    for j in range(first_b, 3):
        best = _wider(best, unit_axis(j), pair)
    for i in range(first_a, 3):
        best = _wider(best, pair.axes[i], pair)
        for j in range(first_b, 3):
            best = _wider(best, cross(pair.axes[i], unit_axis(j)), pair)
    return best


@part
def _any_across(axis: Vector) -> Vector:
    """Unit vector square to a unit axis."""
    x, y, z = abs(axis[0]), abs(axis[1]), abs(axis[2])
    across = cross(axis, unit_axis(0 if x <= y and x <= z else 1 if y <= z else 2))
    return scaled(1.0 / norm(across), across)


@part
def _try_angle(
    best: Widest, x: Vector, y: Vector, angle: float, pair: Pair
) -> tuple[Widest, SamplePoint]:
    """Measure the gap, and its slope, at an angle from x to y."""
    cosine, sine = math.cos(angle), math.sin(angle)
    direction = along(scaled(cosine, x), sine, y)
    width = gap(direction, pair)
    slope = _gap_slope(direction, along(scaled(-sine, x), cosine, y), pair)
    return (width, direction) if width > best[0] else best, (angle, width, slope)


@part
def _summit(low: SamplePoint, high: SamplePoint) -> float:
    """Upper bound of the gap between two samples, the first rising, the second falling.

    The gap lies under its tangents, but for the bend of the circle itself.
    """
    arc = high[0] - low[0]
    rise = (high[1] - low[1] - high[2] * arc) / (low[2] - high[2])
    return low[1] + low[2] * rise + 0.5 * max(-low[1], -high[1]) * arc * arc


@part
def _search_arc(
    best: Widest, x: Vector, y: Vector, low: SamplePoint, high: SamplePoint, pair: Pair
) -> Widest:
    """Best direction between two angles, the gap rising at the first and falling at the second."""
    bracket, arc = (low[0], -low[2], high[0], -high[2]), high[0] - low[0]
    for step in range(MAX_STEPS):
        if _summit(low, high) <= best[0] + MIN_RELATIVE_GAIN * abs(best[0]):
            break
        angle = next_guess(bracket, arc, step)
        best, middle = _try_angle(best, x, y, angle, pair)
        if middle[2] == 0.0:
            break
        bracket = narrow(bracket, angle, -middle[2])
        low, high = (middle, high) if middle[2] > 0.0 else (low, middle)
    return best


@part
def _search_circle(best: Widest, axis: Vector, pair: Pair) -> Widest:
    """Directions square to an axis."""
    across = cross(pair.offset, axis)
    length = norm(across)
    x = scaled(1.0 / length, across) if length > 1e-9 * norm(pair.offset) else _any_across(axis)
    y = cross(axis, x)  # so that it points from the second core to the first
    best, low = _try_angle(best, x, y, CIRCLE_ANGLES[0], pair)
    for k in range(1, len(CIRCLE_ANGLES)):
        best, high = _try_angle(best, x, y, CIRCLE_ANGLES[k], pair)
        if low[2] > 0.0 >= high[2]:
            best = _search_arc(best, x, y, low, high, pair)
        low = high
    return best


@part
def _uphill(n: Vector, width: float, pair: Pair) -> Vector:
    """Newton step on the sphere towards a wider gap between the rims of two cylinders."""
    axis_a, axis_b = pair.axes[2], unit_axis(2)
    across_a, across_b = cross(axis_a, n), cross(axis_b, n)
    sine_a, sine_b = norm(across_a), norm(across_b)
    if not (sine_a > 1e-9 and sine_b > 1e-9):
        return (0.0, 0.0, 0.0)
    x = scaled(1.0 / sine_a, across_a)  # tangent of the sphere, and of rim a
    y = cross(n, x)
    slope_x, slope_y = _gap_slope(n, x, pair), _gap_slope(n, y, pair)
    # Minus the second derivative: each rim bends along its own tangent; `width` is negative.
    bend_a, bend_b = pair.core_a[3] / sine_a, pair.core_b[3] / sine_b
    bx, by = dot(across_b, x) / sine_b, dot(across_b, y) / sine_b
    xx, xy, yy = bend_a + bend_b * bx * bx + width, bend_b * bx * by, bend_b * by * by + width
    determinant = xx * yy - xy * xy
    if xx > 0.0 and determinant > 1e-12 * xx * xx:
        step_x = (yy * slope_x - xy * slope_y) / determinant
        step_y = (xx * slope_y - xy * slope_x) / determinant
    else:
        step_x, step_y = slope_x / (bend_a + bend_b), slope_y / (bend_a + bend_b)
    shrink = 1.0 / max(1.0, 2.0 * math.sqrt(step_x * step_x + step_y * step_y))
    return along(scaled(shrink * step_x, x), shrink * step_y, y)


@part
def _climb(best: Widest, start: Vector, pair: Pair) -> Widest:
    """Local best direction between two rims, from a given start."""
    here = _wider((-math.inf, start), start, pair)
    for _ in range(CLIMB_STEPS):
        step = _uphill(here[1], here[0], pair)
        if not dot(step, step) > 1e-18:
            break
        size = 1.0
        ahead = _wider(here, along(here[1], size, step), pair)
        while ahead[0] <= here[0] and size > MIN_STEP_FRACTION:
            size *= 0.5
            ahead = _wider(here, along(here[1], size, step), pair)
        if ahead[0] <= here[0]:
            break
        here = ahead
    return here if here[0] > best[0] else best


@part
def _search_rims(best: Widest, pair: Pair) -> Widest:
    """Directions between the rims of two cylinders: four starts about their axes."""
    axis_a, axis_b = pair.axes[2], unit_axis(2)
    across = cross(axis_a, axis_b)
    length = norm(across)
    if not length > 1e-9:
        return best  # parallel cylinders meet by their sides or caps
    for side in (-1.0, 1.0):
        middle = along(axis_a, side, axis_b)
        best = _climb(best, along(middle, 1.0, across), pair)
        best = _climb(best, along(middle, -1.0, across), pair)
    return best


@part
def deepest(pair: Pair) -> Widest:
    """Largest gap between two cores that overlap or touch, and the unit direction across it.

    The direction points from the second core to the first.
    """
    best = _wider((-math.inf, unit_axis(0)), unit_axis(0), pair)  # enough for points in line
    best = _wider(best, (pair.offset[0], pair.offset[1], 0.0), pair)  # a point in a cylinder
    best = _search_faces(best, pair)
    first_a, first_b = _first_axis(pair.core_a), _first_axis(pair.core_b)
    if has_disk(pair.core_b) and first_a < 3:  # of two cores, the round one comes second
        for i in range(first_a, 3):
            best = _search_circle(best, pair.axes[i], pair)
        for j in range(first_b, 3):
            best = _search_circle(best, unit_axis(j), pair)
        if has_disk(pair.core_a):
            best = _search_rims(best, pair)
    side = math.copysign(1.0, dot(best[1], pair.offset))
    return best[0], scaled(side, best[1])
