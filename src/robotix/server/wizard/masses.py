"""Masses and limits for robots of the wizard, which asks for shapes only.

Other simulators refuse links without an inertia and joints with an effort of 1e9. Bodies are taken
as solid, of the density of water: right for a hollow aluminium link within a factor of about two.
Edit the URDF file where you know better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Shape, Sphere

__all__ = ["DEFAULT_EFFORTS", "solid_mass_properties"]

DENSITY = 1000.0  # kg/m³
MIN_MASS = 1e-3  # kg of a body without a shape: none would be refused elsewhere
MIN_INERTIA = 1e-7  # kg m², likewise
DEFAULT_EFFORTS = {"revolute": 200.0, "prismatic": 1000.0}  # N m, N


def solid_mass_properties(shapes: Sequence[Shape]) -> tuple[float, Array, Array]:
    """Return mass (kg), centre of mass (m) and inertia about it (kg m²) of solid shapes.

    All are in the frame in which the shapes are given.
    """
    parts = [(_mass(shape), _moments(shape), shape.pose) for shape in shapes]
    mass = sum(part[0] for part in parts)
    if mass < MIN_MASS:
        return MIN_MASS, np.zeros(3), np.eye(3) * MIN_INERTIA
    com = sum((part * pose.translation for part, _, pose in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for part, moments, pose in parts:
        arm = pose.translation - com
        inertia += pose.rotation @ np.diag(moments) @ pose.rotation.T
        inertia += part * (arm @ arm * np.eye(3) - np.outer(arm, arm))  # parallel axes
    return mass, com, inertia


def _mass(shape: Shape) -> float:
    match shape:
        case Box(size=size):
            return DENSITY * float(np.prod(size))
        case Sphere(radius=radius):
            return DENSITY * 4 / 3 * np.pi * radius**3
        case Cylinder(radius=radius, length=length):
            return DENSITY * np.pi * radius**2 * length
        case Capsule(radius=radius, length=length):
            return DENSITY * np.pi * radius**2 * (length + 4 / 3 * radius)
    raise TypeError(f"no mass for {type(shape).__name__}")


def _moments(shape: Shape) -> Array:
    """Return the principal moments of inertia about the centre, kg m²."""
    mass = _mass(shape)
    match shape:
        case Box(size=size):
            x, y, z = np.square(size)
            return mass / 12 * np.array([y + z, x + z, x + y])
        case Sphere(radius=radius):
            return np.full(3, 2 / 5 * mass * radius**2)
        case Cylinder(radius=radius, length=length):
            across = mass * (3 * radius**2 + length**2) / 12
            return np.array([across, across, mass * radius**2 / 2])
        case Capsule(radius=radius, length=length):
            return _capsule_moments(radius, length)
    raise TypeError(f"no inertia for {type(shape).__name__}")


def _capsule_moments(radius: float, length: float) -> Array:
    """Return those of a capsule: a cylinder along z, and a half ball at each end."""
    tube = DENSITY * np.pi * radius**2 * length
    balls = DENSITY * 4 / 3 * np.pi * radius**3  # both halves
    along = tube * radius**2 / 2 + balls * 2 / 5 * radius**2
    across = tube * (3 * radius**2 + length**2) / 12
    # The centre of a half ball is at 3/8 of its radius from its flat side.
    across += balls * (2 / 5 * radius**2 + length**2 / 4 + 3 / 8 * length * radius)
    return np.array([across, across, along])
