"""Convex cores of solids, and where a function that only rises through zero does so.

A core is a box with the half sizes `core[:3]`, widened by a disk of radius `core[3]` in its xy
plane: a point, a segment along z, a box or a cylinder along z, according to what is zero.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from robotix.geometry.vector_kernels import Vector, along, dot, subtract
from robotix.kernels import part

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

# Low end, value there (negative), high end, value there (positive).
Bracket: TypeAlias = tuple[float, float, float, float]


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
def next_guess(bracket: Bracket, width: float, step: int) -> float:
    """Where to look next for a zero, in a bracket that was `width` wide at step 0.

    Near the chord, but never more than a step behind bisection (ITP [Oliveira2021]): there are
    kinks to be found, beside which chords only creep.
    """
    low, value_low, high, value_high = bracket
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    chord = low - value_low * (high - low) / (value_high - value_low)
    side = math.copysign(1.0, middle - chord)
    push = 0.8 * half * half / width
    guess = chord + side * push if push <= abs(middle - chord) else middle
    room = width * 2.0**-step - half
    if not abs(guess - middle) <= room:
        guess = middle - side * max(room, 0.0)
    return guess if low < guess < high else middle


@part
def narrow(bracket: Bracket, at: float, value: float) -> Bracket:
    """Bracket with one more value known, inside of it."""
    low, value_low, high, value_high = bracket
    if value < 0.0:
        return (at, value, high, value_high)
    return (low, value_low, at, value)
