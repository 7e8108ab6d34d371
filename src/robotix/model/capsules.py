"""Simple solids along a line of points: what a link is when nobody has drawn it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Box, Capsule, Pose, Sphere

__all__ = ["capsules_along", "spread_mass"]

MIN_CAPSULE_LENGTH = 1e-6  # m; a shorter piece has no direction worth a capsule


def capsules_along(points: Iterable[ArrayLike], *, radius: float) -> tuple[Capsule | Sphere, ...]:
    """Return capsules from each point to the next; a sphere when all points are one."""
    places = [np.asarray(point, dtype=float) for point in points]
    if not places:
        raise ValueError("capsules_along needs at least one point")
    capsules = []
    for start, end in pairwise(places):
        length = math.dist(start, end)
        if length > MIN_CAPSULE_LENGTH:
            pose = Pose(_rotation_to((end - start) / length), (start + end) / 2)
            capsules.append(Capsule(radius, length, pose))
    return tuple(capsules) or (Sphere(radius, Pose(translation=places[0])),)


def spread_mass(solids: Sequence[Box | Capsule | Sphere], mass: float) -> tuple[Array, Array]:
    """Return centre of mass and inertia about it when `mass` fills the solids evenly.

    Where solids overlap the material counts twice; for links made of capsules that is small.
    """
    parts = [_unit_density(solid) for solid in solids]
    density = mass / sum(volume for volume, _ in parts)
    centres = np.array([solid.pose.translation for solid in solids])
    masses = np.array([density * volume for volume, _ in parts])
    com = masses @ centres / masses.sum()
    inertia = np.zeros((3, 3))
    for solid, part_mass, (_, moments) in zip(solids, masses, parts, strict=True):
        R, r = solid.pose.rotation, solid.pose.translation - com
        inertia += density * R @ np.diag(moments) @ R.T
        inertia += part_mass * (r @ r * np.eye(3) - np.outer(r, r))
    return com, (inertia + inertia.T) / 2


def _unit_density(solid: Box | Capsule | Sphere) -> tuple[float, tuple[float, float, float]]:
    """Volume and principal moments of a solid of density 1."""
    if isinstance(solid, Box):
        x, y, z = solid.size.tolist()
        volume = x * y * z
        xx, yy, zz = (volume * (a * a + b * b) / 12 for a, b in ((y, z), (x, z), (x, y)))
        return volume, (xx, yy, zz)
    r = solid.radius
    length = solid.length if isinstance(solid, Capsule) else 0.0
    tube, ball = math.pi * r * r * length, 4 / 3 * math.pi * r**3
    along = tube * r * r / 2 + ball * 0.4 * r * r
    across = tube * (length**2 / 12 + r * r / 4)
    across += ball * (0.4 * r * r + length**2 / 4 + 0.375 * length * r)
    return tube + ball, (across, across, along)


def _rotation_to(direction: Array) -> Array:
    """Return a rotation that takes z to a unit vector (plain numbers: `np.cross` is slow)."""
    x, y, z = direction.tolist()
    if abs(x) <= min(abs(y), abs(z)):  # cross with the axis that is most across
        a, b, c = 0.0, -z, y
    elif abs(y) <= abs(z):
        a, b, c = z, 0.0, -x
    else:
        a, b, c = -y, x, 0.0
    n = math.sqrt(a * a + b * b + c * c)
    a, b, c = a / n, b / n, c / n
    return np.array(
        [[a, y * c - z * b, x], [b, z * a - x * c, y], [c, x * b - y * a, z]],
    )
