"""Convex cores of solids, and where a function that only rises through zero does so.

A core is a box with the half sizes `core[:3]`, widened by a disk of radius `core[3]` in its xy
plane: a point, a segment along z, a box or a cylinder along z, according to what is zero.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from robotix.geometry.kernel import part
from robotix.geometry.vector_kernels import Vector, along, dot, subtract

__all__ = [
    "Bracket",
    "Core",
    "Pair",
    "has_disk",
    "into_a",
    "is_box",
    "narrow",
    "next_guess",
    "out_of_a",
    "project",
    "project_to_a",
    "support",
]

Core: TypeAlias = tuple[float, float, float, float]
Axes: TypeAlias = tuple[Vector, Vector, Vector]

# Low end, value there (negative), high end, value there (positive), end that was kept last.
Bracket: TypeAlias = tuple[float, float, float, float, float]


class Pair(NamedTuple):
    """Two cores in the frame of the second, whose centre is the origin."""

    offset: Vector  # centre of the first
    axes: Axes  # unit axes of the first
    core_a: Core
    core_b: Core


@part
def is_box(core: Core) -> bool:
    """Whether a core has edges along x or y."""
    return core[0] + core[1] > 0.0


@part
def has_disk(core: Core) -> bool:
    """Whether a core is a cylinder."""
    return core[3] > 0.0


@part
def _clamp(value: float, half: float) -> float:
    return min(max(value, -half), half)


@part
def project(point: Vector, core: Core) -> Vector:
    """Closest point of a core, in its own frame."""
    z = _clamp(point[2], core[2])
    if has_disk(core):
        radius = math.sqrt(point[0] * point[0] + point[1] * point[1])
        shrink = core[3] / radius if radius > core[3] else 1.0
        return (shrink * point[0], shrink * point[1], z)
    return (_clamp(point[0], core[0]), _clamp(point[1], core[1]), z)


@part
def _sign(value: float) -> float:
    # Zero within rounding: the middle of a face that lies flat is steadier than one of its corners.
    return 0.0 if abs(value) < 1e-14 else math.copysign(1.0, value)


@part
def support(direction: Vector, core: Core) -> Vector:
    """Farthest point of a core in a unit direction, in its own frame; the middle one of many."""
    x, y = core[0] * _sign(direction[0]), core[1] * _sign(direction[1])
    radius = math.sqrt(direction[0] * direction[0] + direction[1] * direction[1])
    if radius > 1e-14:
        x += core[3] * direction[0] / radius
        y += core[3] * direction[1] / radius
    return (x, y, core[2] * _sign(direction[2]))


@part
def into_a(pair: Pair, direction: Vector) -> Vector:
    """Turn a vector into the frame of the first core."""
    axes = pair.axes
    return (dot(axes[0], direction), dot(axes[1], direction), dot(axes[2], direction))


@part
def out_of_a(pair: Pair, point: Vector) -> Vector:
    """Place a point of the first core's frame."""
    axes = pair.axes
    return along(along(along(pair.offset, point[0], axes[0]), point[1], axes[1]), point[2], axes[2])


@part
def project_to_a(pair: Pair, point: Vector) -> Vector:
    """Closest point of the first core."""
    return out_of_a(pair, project(into_a(pair, subtract(point, pair.offset)), pair.core_a))


@part
def next_guess(bracket: Bracket, step: int) -> float:
    """Where to look next for a zero: on the chord, now and then in the middle."""
    low, value_low, high, value_high, _ = bracket
    guess = low - value_low * (high - low) / (value_high - value_low)
    if step % 8 == 7 or not low < guess < high:
        return 0.5 * (low + high)
    return guess


@part
def narrow(bracket: Bracket, at: float, value: float) -> Bracket:
    """Bracket with one more value known, inside of it (false position, Illinois variant)."""
    low, value_low, high, value_high, kept = bracket
    if value < 0.0:
        return (at, value, high, value_high * (0.5 if kept > 0.0 else 1.0), 1.0)
    return (low, value_low * (0.5 if kept < 0.0 else 1.0), at, value, -1.0)
