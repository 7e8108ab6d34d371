"""Rigid transforms whose names cancel like fractions: `world_from_hand @ hand_from_tip`."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry.rotation import (
    Array,
    log_rotation,
    quaternion_from_rotation,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
)

__all__ = ["Pose"]


def _frozen(values: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
    array = np.array(values, dtype=float)
    if array.shape != shape or not np.isfinite(array).all():
        raise ValueError(f"{what} must be {shape} finite numbers, got {values!r}")
    array.flags.writeable = False
    return array


@dataclass(frozen=True, eq=False)
class Pose:
    """Rigid transform: `a_from_b` maps points given in frame b to frame a."""

    rotation: Array = field(default_factory=lambda: np.eye(3))  # (3, 3), orthonormal
    translation: Array = field(default_factory=lambda: np.zeros(3))  # (3,), m

    def __post_init__(self) -> None:
        rotation = _frozen(self.rotation, (3, 3), "rotation")
        if abs(rotation @ rotation.T - np.eye(3)).max() > 1e-6 or np.linalg.det(rotation) < 0:
            raise ValueError(f"rotation must be orthonormal and right-handed, got {rotation}")
        object.__setattr__(self, "rotation", rotation)
        object.__setattr__(self, "translation", _frozen(self.translation, (3,), "translation"))

    @staticmethod
    def at(x: float, y: float, z: float, *, rpy: ArrayLike = (0.0, 0.0, 0.0)) -> Pose:
        """Pose at a point, turned by roll, pitch and yaw about the fixed axes."""
        return Pose(rotation_from_rpy(*np.asarray(rpy, dtype=float)), np.array([x, y, z]))

    @staticmethod
    def from_quaternion(translation: ArrayLike, quaternion: ArrayLike) -> Pose:
        """Pose from a point and a quaternion `(w, x, y, z)`."""
        return Pose(rotation_from_quaternion(quaternion), np.asarray(translation, dtype=float))

    @staticmethod
    def from_matrix(matrix: ArrayLike) -> Pose:
        """Pose from a homogeneous 4×4 matrix."""
        T = np.asarray(matrix, dtype=float)
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
