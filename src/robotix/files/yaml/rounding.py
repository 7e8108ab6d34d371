"""Rounded numbers for files that people read: exact to a nanometre."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from robotix.files.yaml.write import Plain
from robotix.geometry import Array, Pose

__all__ = [
    "TOLERANCE",
    "is_same",
    "is_same_pose",
    "tidy",
    "tidy_all",
    "write_point",
    "write_rotation",
]

DIGITS = 9
TOLERANCE = 1e-8  # numbers that differ by less are equal in files


def tidy(number: float) -> float:
    """Return a number without rounding noise in its last digits."""
    rounded = round(float(number), DIGITS)
    return rounded + 0.0 if abs(number) > 1e-3 or rounded == number else float(number)


def tidy_all(numbers: Iterable[float]) -> list[Plain]:
    """Return several numbers without rounding noise."""
    return [tidy(number) for number in numbers]


def write_point(point: Array) -> list[Plain]:
    """Return a position in m, rounded to a nanometre; empty for the origin."""
    numbers = [round(number, DIGITS) + 0.0 for number in point.tolist()]
    return list(numbers) if any(numbers) else []


def is_same_pose(one: Pose, other: Pose) -> bool:
    """Return whether two poses are equal up to rounding."""
    rotation_error = np.abs(one.rotation - other.rotation).max()
    translation_error = np.abs(one.translation - other.translation).max()
    return bool(
        rotation_error <= TOLERANCE
        and translation_error <= TOLERANCE * max(1.0, float(np.abs(one.translation).max()))
    )


def write_rotation(pose: Pose, *, key: str = "rpy_deg") -> dict[str, Plain]:
    """Return how a file gives a rotation; nothing for none. A quaternion where angles lose digits.

    `key` is the notation preferred: `rpy_deg`, `rpy` or `quaternion`.
    """
    if _is_exact(pose, Pose()):
        return {}
    angles = pose.rpy.tolist()
    if key == "rpy_deg":
        angles = [math.radians(round(math.degrees(angle), DIGITS)) for angle in angles]
    if key != "quaternion" and _is_exact(Pose.at(0, 0, 0, rpy=angles), pose):
        written = [round(math.degrees(angle), DIGITS) for angle in angles]
        return {key: [a + 0.0 for a in written] if key == "rpy_deg" else list(angles)}
    return {"quaternion": pose.quaternion.tolist()}


def _is_exact(one: Pose, other: Pose) -> bool:
    return bool(np.abs(one.rotation - other.rotation).max() < 1e-10)


def is_same(one: Plain, other: Plain) -> bool:
    """Return whether two values are equal up to rounding."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[k], other[k]) for k in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float) and isinstance(other, int | float):
        return abs(one - other) <= TOLERANCE * max(1.0, abs(one))
    return one == other
