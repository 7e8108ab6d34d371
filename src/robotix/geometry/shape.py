"""Solids of bodies, for collision and for display.

Each solid has its own `pose` in the frame of its body, or in the world.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from robotix.errors import BadField
from robotix.geometry.pose import Pose
from robotix.geometry.rotation import Array

__all__ = ["Box", "Capsule", "Cylinder", "Halfspace", "Mesh", "Shape", "Sphere"]


def _check_positive(field: str, *values: float) -> None:
    if not all(math.isfinite(value) and value > 0 for value in values):
        raise BadField(field, "positive and finite", ", ".join(f"{value:g}" for value in values))


@dataclass(frozen=True, eq=False)
class Sphere:
    """Ball, centred."""

    radius: float
    pose: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        _check_positive("radius", self.radius)


@dataclass(frozen=True, eq=False)
class Capsule:
    """Cylinder along z with hemispheres at its ends; `length` is the cylinder's alone."""

    radius: float
    length: float
    pose: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        _check_positive("radius", self.radius)
        _check_positive("length", self.length)


@dataclass(frozen=True, eq=False)
class Cylinder:
    """Cylinder along z, centred."""

    radius: float
    length: float
    pose: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        _check_positive("radius", self.radius)
        _check_positive("length", self.length)


@dataclass(frozen=True, eq=False)
class Box:
    """Cuboid with full edge lengths `size`, centred."""

    size: Array  # (3,), m
    pose: Pose = field(default_factory=Pose)

    def __post_init__(self) -> None:
        size = np.array(self.size, dtype=float)
        if size.shape != (3,):
            raise BadField("size", "three lengths", repr(self.size))
        _check_positive("size", *size)
        size.flags.writeable = False
        object.__setattr__(self, "size", size)


@dataclass(frozen=True, eq=False)
class Halfspace:
    """All points below the xy plane of its pose: a floor or a wall."""

    pose: Pose = field(default_factory=Pose)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles in a file (`uri`, as in the robot description), scaled by `scale`."""

    uri: str
    scale: tuple[float, float, float] = (1.0, 1.0, 1.0)
    pose: Pose = field(default_factory=Pose)
    file: str = ""  # where that file was found; empty: not looked for, or not found

    def __post_init__(self) -> None:
        if not self.uri:
            raise BadField("uri", "the name of a file", "an empty one")
        scale = np.array(self.scale, dtype=float)
        if scale.shape != (3,) or not (np.isfinite(scale).all() and scale.all()):
            raise BadField("scale", "three finite numbers, none 0", self.scale)

    @property
    def path(self) -> str:
        """The path to open: where the file was found, otherwise its `uri`."""
        return self.file or self.uri


Shape: TypeAlias = Sphere | Capsule | Cylinder | Box | Halfspace | Mesh
