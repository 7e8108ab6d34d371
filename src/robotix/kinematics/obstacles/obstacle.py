"""Obstacles, the solids of a robot that may hit them, and the gaps between both."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from robotix.geometry import Array, Mesh, Shape
from robotix.kinematics.kernels.tables import tables_of
from robotix.model import Model

__all__ = ["Gap", "Obstacle", "moving_solids"]


@dataclass(frozen=True, eq=False)
class Obstacle:
    """A solid in the base frame, the distance to keep from it, and how it moves."""

    shape: Shape
    distance: float = 0.05  # m
    velocity: Array = field(default_factory=lambda: np.zeros(3))  # m/s

    def __post_init__(self) -> None:
        """Raise ValueError unless the distance is finite and ≥ 0 and the velocity finite."""
        if not (math.isfinite(self.distance) and self.distance >= 0):
            raise ValueError(f"distance must be finite and not negative, got {self.distance}")
        velocity = np.array(self.velocity, dtype=float)
        if velocity.shape != (3,) or not np.isfinite(velocity).all():
            raise ValueError(f"velocity must be three finite numbers, got {self.velocity!r}")
        object.__setattr__(self, "velocity", velocity)


@dataclass(frozen=True, eq=False)
class Gap:
    """How near one of the robot's bodies is to an obstacle."""

    body: str
    obstacle: str
    distance: float  # m, negative when they overlap
    point: Array  # (3,), on the body
    facing: Array  # (3,), on the obstacle
    normal: Array  # (3,), from the obstacle to the body


def moving_solids(model: Model) -> tuple[list[Shape], list[int], list[str]]:
    """Return the solids of moving bodies in their links' frames, their links and their bodies.

    Meshes come last.
    """
    tables = tables_of(model)
    found: list[tuple[Shape, int, str]] = []
    for index, body in enumerate(model.bodies):
        link = int(tables.body_link[index])
        for shape in body.collision if link >= 0 else ():
            solid = replace(shape, pose=tables.offset(index) @ shape.pose)
            found.append((solid, link, body.name))
    found.sort(key=lambda each: isinstance(each[0], Mesh))
    return [solid for solid, _, _ in found], [link for _, link, _ in found], [b for *_, b in found]
