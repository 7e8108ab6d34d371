"""Masses as their sources give them, brought into the frame of a body."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadModel
from robotix.geometry import Array, Capsule, Pose, Sphere
from robotix.model.capsules import spread_mass

__all__ = [
    "Inertial",
    "InertialFrame",
    "MassProperties",
    "inertia_matrix",
    "mass_properties",
    "physical_moments",
]

MIN_MASS, MIN_INERTIA = 1e-9, 1e-12  # kg, kg m²; MuJoCo wants more than 1e-15

InertialFrame: TypeAlias = Literal["joint", "dh", "zero"]
MassProperties: TypeAlias = tuple[float, Array, Array]  # mass, com, inertia about the com


@dataclass(frozen=True, eq=False)
class Inertial:
    """Mass of a link, and where it is, in the frame that its source uses.

    `frame` is the body's own (`joint`), the DH table's (`dh`) or the base frame while all joints
    are at zero (`zero`); `pose` is the source's frame seen from there. Without `com` the mass
    fills the link's capsules evenly.
    """

    mass: float  # kg
    com: ArrayLike | None = None  # m
    inertia: ArrayLike = (0.0, 0.0, 0.0)  # kg m²: xx yy zz, xx yy zz xy xz yz, or 3×3
    about: Literal["com", "origin"] = "com"  # the point that the inertia refers to
    frame: InertialFrame = "joint"
    pose: Pose = field(default_factory=Pose)


def mass_properties(
    inertial: Inertial | None,
    shapes: Sequence[Capsule | Sphere],
    *,
    joint_from_dh: Array,
    joint_from_base: Array,
    link: str,
) -> MassProperties:
    """Return mass, centre of mass and inertia about it, in the frame of the body."""
    if inertial is None or inertial.mass == 0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    if inertial.com is None:
        if not shapes:
            raise BadModel(f"link {link!r}", "has a mass but neither a com nor a shape to fill")
        return inertial.mass, *spread_mass(shapes, inertial.mass)
    frames = {"joint": np.eye(4), "dh": joint_from_dh, "zero": joint_from_base}
    T = frames[inertial.frame] @ inertial.pose.matrix
    R, c = T[:3, :3], np.asarray(inertial.com, dtype=float)
    about_com = inertia_matrix(inertial.inertia)
    if inertial.about == "origin":  # parallel axes (Steiner)
        about_com = about_com - inertial.mass * (c @ c * np.eye(3) - np.outer(c, c))
    turned = R @ about_com @ R.T
    return inertial.mass, R @ c + T[:3, 3], (turned + turned.T) / 2


def inertia_matrix(values: ArrayLike) -> Array:
    """Return the 3×3 tensor of `xx yy zz`, of `xx yy zz xy xz yz`, or of a tensor."""
    array = np.asarray(values, dtype=float)
    if array.shape == (3, 3):
        return array
    if array.shape not in ((3,), (6,)):
        raise ValueError(f"inertia is 3 or 6 numbers or 3×3, got {values!r}")
    xx, yy, zz = array[:3]
    xy, xz, yz = array[3:] if len(array) == 6 else (0.0, 0.0, 0.0)
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def physical_moments(inertia: Array) -> tuple[Array, Array]:
    """Return principal moments that a solid can have, and their axes as right-handed columns."""
    values, axes = np.linalg.eigh(inertia)
    moments = values.clip(MIN_INERTIA)
    missing = moments[2] - moments[0] - moments[1]
    if missing > 0:  # the nearest point, in least squares, of the plane a + b = c
        moments += np.array([1.0, 1.0, -1.0]) * (missing * (1 + 1e-9) / 3)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    return moments, axes
