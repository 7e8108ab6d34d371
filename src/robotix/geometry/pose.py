"""Rigid transforms whose names cancel like fractions: `world_from_hand @ hand_from_tip`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry.rotation import (
    Array,
    checked_array,
    log_rotation,
    quaternion_from_rotation,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
)

__all__ = ["Pose"]


def _checked_rotation(values: ArrayLike) -> Array:
    """Orthonormal matrix; what is so to 1e-6 only is made so to rounding, lest products drift."""
    R = checked_array(values, (3, 3), "rotation")
    (a, b, c), (d, e, f), (g, h, i) = R.tolist()
    # What R Rᵀ is from the identity, in plain numbers: poses are made by the thousand.
    error = max(
        abs(a * a + b * b + c * c - 1), abs(d * d + e * e + f * f - 1),
        abs(g * g + h * h + i * i - 1),
        abs(a * d + b * e + c * f), abs(a * g + b * h + c * i), abs(d * g + e * h + f * i),
    )  # fmt: skip
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    if not error <= 1e-6 or determinant < 0:
        raise ValueError(f"rotation must be orthonormal and right-handed, got {R}")
    if error > 1e-12:
        R = R @ (3 * np.eye(3) - R.T @ R) / 2  # a Newton step to the nearest rotation
    return R


@dataclass(frozen=True, eq=False)
class Pose:
    """Rigid transform: `a_from_b` maps points given in frame b to frame a.

    Examples:
        >>> world_from_table = rx.Pose.at(1, 0, 0.7, rpy=(0, 0, np.pi / 2))
        >>> table_from_cup = rx.Pose.at(0.2, 0, 0)
        >>> (world_from_table @ table_from_cup).translation.round(3).tolist()
        [1.0, 0.2, 0.7]
    """

    rotation: Array = field(default_factory=lambda: np.eye(3))  # (3, 3), orthonormal
    translation: Array = field(default_factory=lambda: np.zeros(3))  # (3,), m

    def __post_init__(self) -> None:
        rotation = _checked_rotation(self.rotation)
        translation = checked_array(self.translation, (3,), "translation")
        rotation.flags.writeable = translation.flags.writeable = False
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "translation", translation)

    @staticmethod
    def at(x: float, y: float, z: float, *, rpy: ArrayLike = (0.0, 0.0, 0.0)) -> Pose:
        """Pose at a point, turned by roll, pitch and yaw about the fixed axes."""
        roll, pitch, yaw = checked_array(rpy, (3,), "rpy").tolist()
        return Pose(rotation_from_rpy(roll, pitch, yaw), np.array([x, y, z]))

    @staticmethod
    def from_quaternion(translation: ArrayLike, quaternion: ArrayLike) -> Pose:
        """Pose from a point and a quaternion `(w, x, y, z)`."""
        return Pose(rotation_from_quaternion(quaternion), np.asarray(translation, dtype=float))

    @staticmethod
    def from_matrix(matrix: ArrayLike) -> Pose:
        """Pose from a homogeneous 4×4 matrix."""
        T = checked_array(matrix, (4, 4), "matrix")
        if np.abs(T[3] - (0.0, 0.0, 0.0, 1.0)).max() > 1e-9:
            raise ValueError(f"the last row of the matrix must be 0 0 0 1, got {T[3]}")
        return Pose(T[:3, :3], T[:3, 3])

    @property
    def matrix(self) -> Array:
        """Homogeneous 4×4 matrix."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.rotation, self.translation
        return T

    @property
    def quaternion(self) -> Array:
        """Rotation as a unit quaternion `(w, x, y, z)` with `w >= 0`."""
        return quaternion_from_rotation(self.rotation)

    @property
    def rpy(self) -> Array:
        """Rotation as roll, pitch and yaw about the fixed axes."""
        return rpy_from_rotation(self.rotation)

    @property
    def rotation_vector(self) -> Array:
        """Rotation as a vector along its axis, as long as its angle."""
        return log_rotation(self.rotation)

    def __matmul__(self, other: Pose) -> Pose:
        return Pose(self.rotation @ other.rotation, self.apply(other.translation))

    def inverse(self) -> Pose:
        """Return the transform back: `a_from_b.inverse()` is `b_from_a`."""
        return Pose(self.rotation.T, -self.rotation.T @ self.translation)

    def apply(self, points: ArrayLike) -> Array:
        """Map points of shape (..., 3)."""
        return np.asarray(points, dtype=float) @ self.rotation.T + self.translation
