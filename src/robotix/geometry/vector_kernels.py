"""Arithmetic on vectors held as plain triples, which live in registers: no allocation."""

from __future__ import annotations

import math

from robotix.geometry.arrays import Vector
from robotix.kernels import part

__all__ = ["Vector", "along", "cross", "dot", "norm", "scaled", "subtract", "unit_axis"]


@part
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@part
def cross(a: Vector, b: Vector) -> Vector:
    """Vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@part
def norm(a: Vector) -> float:
    """Length."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@part
def scaled(factor: float, a: Vector) -> Vector:
    """Multiple."""
    return (factor * a[0], factor * a[1], factor * a[2])


@part
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference `a - b`."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@part
def along(a: Vector, step: float, direction: Vector) -> Vector:
    """Return the point `step` times `direction` away from `a`."""
    return (
        a[0] + step * direction[0],
        a[1] + step * direction[1],
        a[2] + step * direction[2],
    )


@part
def unit_axis(i: int) -> Vector:
    """Return the i-th coordinate axis."""
    return (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
