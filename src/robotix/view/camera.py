"""Cameras."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose

__all__ = ["Camera", "Size", "framed", "orbit"]

Size: TypeAlias = tuple[int, int]  # width and height, in pixels


def _up() -> Array:
    return np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, eq=False)
class Camera:
    """A pinhole camera. Its frame: x right in the image, y down, z along the line of sight."""

    eye: Array  # (3,), m
    target: Array  # (3,), m; at the centre of the image
    up: Array = field(default_factory=_up)  # (3,); points upwards in the image
    field_of_view: float = math.radians(35.0)  # rad, vertical

    def __post_init__(self) -> None:
        for name in ("eye", "target", "up"):
            value = np.array(getattr(self, name), dtype=float)
            if value.shape != (3,) or not np.isfinite(value).all():
                raise ValueError(f"camera {name} must be three finite numbers, got {value}")
            value.flags.writeable = False
            object.__setattr__(self, name, value)
        if not 0 < self.field_of_view < math.pi:
            raise ValueError(f"field of view must be from 0 to π, got {self.field_of_view}")
        if np.linalg.norm(np.cross(self.target - self.eye, self.up)) < 1e-9:
            raise ValueError("camera must not look along its up direction, nor at its own eye")

    @cached_property
    def world_from_camera(self) -> Pose:
        """Pose of the camera."""
        z = self.target - self.eye
        z = z / np.linalg.norm(z)
        x = np.cross(z, self.up)
        x /= np.linalg.norm(x)
        return Pose(np.stack([x, np.cross(z, x), z], axis=1), self.eye)

    def intrinsics(self, size: Size) -> Array:
        """Return the camera matrix (3, 3), from the camera's frame to columns and rows."""
        width, height = size
        f = height / 2 / math.tan(self.field_of_view / 2)
        return np.array([[f, 0.0, width / 2], [0.0, f, height / 2], [0.0, 0.0, 1.0]])

    def pixels(self, points: ArrayLike, size: Size) -> Array:
        """Return column, row and depth (m) of points (n, 3); the first pixel's centre is (½, ½)."""
        local = self.world_from_camera.inverse().apply(np.asarray(points, dtype=float))
        across = local @ self.intrinsics(size).T
        return np.concatenate([across[..., :2] / across[..., 2:], local[..., 2:]], axis=-1)


def orbit(
    target: ArrayLike,
    *,
    distance: float,
    azimuth: float,
    elevation: float,
    field_of_view: float = math.radians(35.0),
) -> Camera:
    """Return a camera around a target; at azimuth 0 it is on the +x side of it."""
    flat = math.cos(elevation)
    direction = np.array([flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)])
    position = np.asarray(target, dtype=float)
    return Camera(position + distance * direction, position, field_of_view=field_of_view)


def framed(
    points: ArrayLike,
    *,
    size: Size,
    azimuth: float,
    elevation: float,
    margin: float = 0.05,
    field_of_view: float = math.radians(35.0),
) -> Camera:
    """Return the nearest camera that sees all points, with a margin (fraction of the image).

    Exact: along each axis of the image, every point bounds the position of the eye by two lines.
    """
    turned = orbit(np.zeros(3), distance=1.0, azimuth=azimuth, elevation=elevation)
    axes = turned.world_from_camera.rotation
    rotated = np.asarray(points, dtype=float).reshape(-1, 3) @ axes
    depth = rotated[:, 2]
    slope = (1 - 2 * margin) * math.tan(field_of_view / 2)
    slopes = slope * np.array([size[0] / size[1], 1.0])
    low = [float((rotated[:, k] + slopes[k] * depth).min()) for k in range(2)]
    high = [float((rotated[:, k] - slopes[k] * depth).max()) for k in range(2)]
    back = min((low[k] - high[k]) / (2 * slopes[k]) for k in range(2))
    eye = axes @ np.array([(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, back])
    return Camera(eye, eye + axes[:, 2], field_of_view=field_of_view)
