"""Closest points of two convex cores that do not overlap.

Based on two facts: the closest point of a box or a cylinder to a given point has a
closed form; and half the squared distance from a point running along a straight line to a convex
body is a convex function with a continuous derivative, so its minimum is found to rounding.
Boxes are then searched edge by edge and cylinders by axis, cap and rim, which covers every
configuration of two such bodies.
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
    out_of_a,
    project,
    project_to_a,
    support,
)
from robotix.geometry.vector_kernels import Vector, along, dot, scaled, subtract
from robotix.kernels import part

__all__ = ["Points", "closest_points", "nearer", "touching_points"]

FLAT_SLOPE = 1e-13  # slope over distance: the line runs parallel to the surface, or is nearest here
ROUNDING_EXCESS = 1e-15  # excess over size: the point is on the surface to rounding
MAX_STEPS = 52  # of a search that usually needs eight; bisection would need as many

RIM_SAMPLES = 16
_ANGLES = np.arange(RIM_SAMPLES) * (2 * math.pi / RIM_SAMPLES)
RIM_COS = np.append(np.cos(_ANGLES), 1.0)  # the last is the first, to the last bit
RIM_SIN = np.append(np.sin(_ANGLES), 0.0)

# Stretch of a line: low end, slope there, high end, slope there; where between them it is flat.
Stretch: TypeAlias = tuple[float, float, float, float, float, float]
Points: TypeAlias = tuple[float, Vector, Vector]  # squared distance, point of a, point of b


@part
def _slope(t: float, start: Vector, direction: Vector, core: Core) -> float:
    """Slope, at `start + t direction`, of half the squared distance to a core; 0 if negligible.

    To a cylinder, of the distance itself or nearly so: it has the same sign and zero, but bends
    less where the line all but touches. To a box the other is better, a straight line by pieces.
    """
    point = along(start, t, direction)
    excess = subtract(point, project(point, core))
    slope = dot(excess, direction)
    size = abs(excess[0]) + abs(excess[1]) + abs(excess[2])
    noise = ROUNDING_EXCESS * (abs(point[0]) + abs(point[1]) + abs(point[2]))
    if not (abs(slope) > FLAT_SLOPE * size and size > noise):
        return 0.0
    return slope / size if has_disk(core) else slope


@part
def _probe(stretch: Stretch, t: float, start: Vector, direction: Vector, core: Core) -> Stretch:
    """Stretch cut at `t`, unless `t` is outside, infinite or not a number."""
    low, slope_low, high, slope_high, flat_low, flat_high = stretch
    if not low <= t <= high:
        return stretch
    slope = _slope(t, start, direction, core)
    if slope < 0.0:
        return (t, slope, high, slope_high, flat_low, flat_high)
    if slope > 0.0:
        return (low, slope_low, t, slope, flat_low, flat_high)
    return (low, slope_low, high, slope_high, min(flat_low, t), max(flat_high, t))


@part
def _probe_bends(stretch: Stretch, start: Vector, direction: Vector, core: Core) -> Stretch:
    """Stretch cut at the faces of a core, so that the slope is smooth over what remains."""
    for i in range(2 if has_disk(core) else 0, 3):
        for side in (-1.0, 1.0):
            t = (side * core[i] - start[i]) / direction[i]
            stretch = _probe(stretch, t, start, direction, core)
    if has_disk(core):
        a = direction[0] ** 2 + direction[1] ** 2
        b = direction[0] * start[0] + direction[1] * start[1]
        c = start[0] ** 2 + start[1] ** 2 - core[3] ** 2
        root = math.sqrt(max(b * b - a * c, 0.0))
        stretch = _probe(stretch, (-b - root) / a, start, direction, core)
        stretch = _probe(stretch, (-b + root) / a, start, direction, core)
    return stretch


@part
def _nearest_on_segment(start: Vector, direction: Vector, half: float, core: Core) -> float:
    """Return the `t` in [-half, half] at which `start + t direction` comes nearest to a core.

    Where the segment runs parallel to the core, that is the middle of the nearest stretch.
    """
    stretch = (-half, 0.0, half, 0.0, math.inf, -math.inf)
    stretch = _probe(stretch, -half, start, direction, core)
    if stretch[2] == -half:
        return -half
    stretch = _probe(stretch, half, start, direction, core)
    if stretch[0] == half:
        return half
    low, slope_low, high, slope_high, flat_low, flat_high = _probe_bends(
        stretch, start, direction, core
    )
    if flat_low <= flat_high:
        return 0.5 * (flat_low + flat_high)
    t = low - slope_low * (high - low) / (slope_high - slope_low)
    if has_disk(core):  # else the slope is straight, and `t` exact
        bracket = (low, slope_low, high, slope_high)
        for step in range(MAX_STEPS):
            t = next_guess(bracket, high - low, step)
            slope = _slope(t, start, direction, core)
            if slope == 0.0:
                break
            bracket = narrow(bracket, t, slope)
    return t


@part
def nearer(best: Points, a: Vector, b: Vector) -> Points:
    """Return the nearer of the best points so far and two others."""
    apart = subtract(a, b)
    squared = dot(apart, apart)
    return (squared, a, b) if squared < best[0] else best


@part
def _search_edges(best: Points, pair: Pair) -> Points:
    """Twelve edges of box a against all of b."""
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        for side_j in (-1.0, 1.0):
            middle = along(pair.offset, side_j * pair.core_a[j], pair.axes[j])
            for side_k in (-1.0, 1.0):
                start = along(middle, side_k * pair.core_a[k], pair.axes[k])
                t = _nearest_on_segment(start, pair.axes[i], pair.core_a[i], pair.core_b)
                a = along(start, t, pair.axes[i])
                best = nearer(best, a, project(a, pair.core_b))
    return best


@part
def _search_corners(best: Points, pair: Pair) -> Points:
    """Eight corners of box b against all of a."""
    x, y, z, _ = pair.core_b
    for i in range(8):
        corner = (x if i & 1 else -x, y if i & 2 else -y, z if i & 4 else -z)
        best = nearer(best, project_to_a(pair, corner), corner)
    return best


@part
def _search_faces(best: Points, pair: Pair) -> Points:
    """Flat faces of a against the points of b that lie farthest towards them."""
    for i in range(0 if is_box(pair.core_a) else 2, 3):
        for side in (-1.0, 1.0):
            b = support(scaled(side, pair.axes[i]), pair.core_b)
            best = nearer(best, project_to_a(pair, b), b)
    return best


@part
def _rim_point(pair: Pair, centre: Vector, cosine: float, sine: float) -> Vector:
    radius = pair.core_a[3]
    return along(along(centre, radius * cosine, pair.axes[0]), radius * sine, pair.axes[1])


@part
def _rim_slope(pair: Pair, centre: Vector, cosine: float, sine: float) -> float:
    """Slope of the distance to cylinder b, or nearly so, going round a rim of a."""
    point = _rim_point(pair, centre, cosine, sine)
    tangent = along(scaled(-sine, pair.axes[0]), cosine, pair.axes[1])
    return _slope(0.0, point, tangent, pair.core_b)


@part
def _nearest_on_arc(pair: Pair, centre: Vector, k: int) -> Vector:
    """Point of a rim of a nearest to b, between samples k and k + 1."""
    cosine, sine = RIM_COS[k], RIM_SIN[k]
    step_x, step_y = RIM_COS[k + 1] - cosine, RIM_SIN[k + 1] - sine
    slope_low = _rim_slope(pair, centre, cosine, sine)
    slope_high = _rim_slope(pair, centre, cosine + step_x, sine + step_y)
    bracket = (0.0, slope_low, 1.0, slope_high)  # along the chord
    for step in range(MAX_STEPS):
        t = next_guess(bracket, 1.0, step)
        x, y = RIM_COS[k] + t * step_x, RIM_SIN[k] + t * step_y
        length = math.sqrt(x * x + y * y)
        cosine, sine = x / length, y / length
        slope = _rim_slope(pair, centre, cosine, sine)
        if slope == 0.0:
            break
        bracket = narrow(bracket, t, slope)
    return _rim_point(pair, centre, cosine, sine)


@part
def _search_rims(best: Points, pair: Pair) -> Points:
    """Both rims of cylinder a against all of b."""
    for side in (-1.0, 1.0):
        centre = along(pair.offset, side * pair.core_a[2], pair.axes[2])
        before = _rim_slope(pair, centre, RIM_COS[0], RIM_SIN[0])
        for k in range(RIM_SAMPLES):
            after = _rim_slope(pair, centre, RIM_COS[k + 1], RIM_SIN[k + 1])
            if before < 0.0 <= after:
                a = _nearest_on_arc(pair, centre, k)
                best = nearer(best, a, project(a, pair.core_b))
            before = after
    return best


@part
def closest_points(pair: Pair) -> tuple[Vector, Vector]:
    """Closest points of both cores.

    Meant for cores that do not overlap. If they do, a segment or point still gives a common
    point; of two solids the points may be apart, which `gap` tells.
    """
    axis, half = pair.axes[2], pair.core_a[2]
    if is_box(pair.core_a):
        best = _search_edges((math.inf, pair.offset, pair.offset), pair)
        if is_box(pair.core_b):
            best = _search_corners(best, pair)
        else:
            best = _search_faces(best, pair)
        return best[1], best[2]
    t = _nearest_on_segment(pair.offset, axis, half, pair.core_b) if half > 0.0 else 0.0
    a = along(pair.offset, t, axis)
    b = project(a, pair.core_b)
    if has_disk(pair.core_a):
        best = nearer((math.inf, a, b), project_to_a(pair, b), b)
        best = _search_rims(_search_faces(best, pair), pair)
        return best[1], best[2]
    return a, b


@part
def touching_points(pair: Pair, normal: Vector) -> tuple[Vector, Vector]:
    """Closest points of cores that just touch, the normal pointing from the second to the first.

    Round ones graze, and a search along a rim finds no clear least distance; but then the
    outermost points along the normal are the only ones to touch.
    """
    a, b = closest_points(pair)
    best = nearer((math.inf, a, b), a, b)
    b = support(normal, pair.core_b)
    best = nearer(best, project_to_a(pair, b), b)
    a = out_of_a(pair, support(into_a(pair, scaled(-1.0, normal)), pair.core_a))
    best = nearer(best, a, project(a, pair.core_b))
    return best[1], best[2]
