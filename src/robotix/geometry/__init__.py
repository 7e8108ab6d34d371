"""Poses, rotations and solids."""

from robotix.geometry.pose import Pose
from robotix.geometry.rotation import (
    Array,
    exp_rotation,
    log_rotation,
    quaternion_from_rotation,
    quaternions_from_rotations,
    rotation_about,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
    skew,
)
from robotix.geometry.shape import Box, Capsule, Cylinder, Halfspace, Mesh, Shape, Sphere

__all__ = [
    "Array",
    "Box",
    "Capsule",
    "Cylinder",
    "Halfspace",
    "Mesh",
    "Pose",
    "Shape",
    "Sphere",
    "exp_rotation",
    "log_rotation",
    "quaternion_from_rotation",
    "quaternions_from_rotations",
    "rotation_about",
    "rotation_from_quaternion",
    "rotation_from_rpy",
    "rpy_from_rotation",
    "skew",
]
