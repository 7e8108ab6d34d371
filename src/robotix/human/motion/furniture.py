"""Furniture and other objects of tasks: their solids, and the positions that tasks use.

Lengths in m. The person stands with the ankles over the origin, facing x.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from robotix.geometry import Array, Box, Cylinder, Halfspace, Pose, Shape
from robotix.human.motion.curves import yaw_rotations

__all__ = ["FLOOR", "Chair", "Crate", "Hole", "Ladder", "Stairs", "Table"]

FLOOR: Mapping[str, Shape] = {"floor": Halfspace()}


def block(low: tuple[float, float, float], high: tuple[float, float, float]) -> Box:
    """Return the box between two corners."""
    a, b = np.array(low), np.array(high)
    return Box(b - a, Pose(translation=(a + b) / 2))


@dataclass(frozen=True)
class Chair:
    """A seat with a back; the sitter faces x."""

    seat_height: float
    front: float  # x of the seat's front edge
    depth: float = 0.40
    width: float = 0.44
    thickness: float = 0.04
    back_height: float = 0.40

    @property
    def solids(self) -> dict[str, Shape]:
        """Seat, back and four legs."""
        back, side, z = self.front - self.depth, self.width / 2, self.seat_height
        under = z - self.thickness
        solids: dict[str, Shape] = {
            "seat": block((back, -side, under), (self.front, side, z)),
            "back": block((back - 0.03, -side, z + 0.12), (back, side, z + self.back_height)),
        }
        for name, x, y in _corners(back, self.front - 0.04, side):
            solids[f"chair_leg_{name}"] = block((x, y - 0.02, 0.0), (x + 0.04, y + 0.02, under))
        return solids


@dataclass(frozen=True)
class Table:
    """A top on four legs."""

    height: float
    near: float  # x of the edge towards the person
    depth: float = 0.7
    width: float = 1.4
    thickness: float = 0.03
    middle: float = 0.0  # y of its middle
    yaw: float = 0.0  # rad: all of it is turned about the origin, to the left
    name: str = "table"
    legs_behind: float = 0.0  # distance of the near legs behind the edge

    @property
    def solids(self) -> dict[str, Shape]:
        """Top and legs."""
        far, right, left = self.near + self.depth, self.middle - self.width / 2, self.width / 2
        left += self.middle
        under = self.height - self.thickness
        boxes = {self.name: block((self.near, right, under), (far, left, self.height))}
        for name, x, y in _corners(self.near + self.legs_behind, far - 0.05, self.width / 2 - 0.03):
            y += self.middle
            leg = block((x, y - 0.03, 0.0), (x + 0.05, y + 0.03, under))
            boxes[f"{self.name}_leg_{name}"] = leg
        turn = Pose(yaw_rotations(self.yaw))
        return {name: replace(box, pose=turn @ box.pose) for name, box in boxes.items()}


def _corners(rear: float, front: float, side: float) -> list[tuple[str, float, float]]:
    return [
        ("rear_right", rear, -side),
        ("rear_left", rear, side),
        ("front_right", front, -side),
        ("front_left", front, side),
    ]


@dataclass(frozen=True)
class Crate:
    """A box to be carried with both hands, gripped at its sides at half its height."""

    depth: float
    width: float
    height: float

    @property
    def box(self) -> Box:
        """The solid about its centre."""
        return Box(np.array([self.depth, self.width, self.height]))


@dataclass(frozen=True)
class Stairs:
    """Solid steps upwards along x; the first riser is at `start`."""

    count: int
    riser: float
    tread: float
    start: float
    width: float = 1.2

    @property
    def solids(self) -> dict[str, Shape]:
        """One block per step, each extending to the end of the landing."""
        end = self.start + (self.count + 2) * self.tread
        return {
            f"step_{k + 1}": block(
                (self.start + k * self.tread, -self.width / 2, k * self.riser),
                (end, self.width / 2, (k + 1) * self.riser),
            )
            for k in range(self.count)
        }

    def middle(self, step: int) -> tuple[float, float]:
        """Return x and z of the middle of a tread; step 0 is the floor before it."""
        return self.start + (step - 0.5) * self.tread, step * self.riser


@dataclass(frozen=True)
class Hole:
    """A round hole in the floor."""

    x: float
    y: float
    radius: float

    def gap(self, points: Array) -> float:
        """Return the least distance of points (n, 2 or 3) from the rim, m; negative inside."""
        away = np.linalg.norm(np.asarray(points)[:, :2] - (self.x, self.y), axis=1)
        return float(away.min()) - self.radius


@dataclass(frozen=True)
class Ladder:
    """Round rungs between two rails, leaning away from the climber, along x."""

    spacing: float
    count: int
    foot: float  # x where the rails stand
    lean: float = np.radians(35.0)  # from the vertical
    width: float = 0.46
    rung_radius: float = 0.014

    @cached_property
    def up(self) -> Array:
        """The direction of the rails."""
        return np.array([np.sin(self.lean), 0.0, np.cos(self.lean)])

    def rung(self, index: int) -> Array:
        """Return the middle of a rung; rung 0 would be at the floor."""
        return np.array([self.foot, 0.0, 0.0]) + self.up * (index * self.spacing)

    @property
    def solids(self) -> dict[str, Shape]:
        """Rungs and rails."""
        solids: dict[str, Shape] = {}
        across = np.array([[1.0, 0, 0], [0, 0, 1.0], [0, -1.0, 0]])  # z of the solid along y
        for k in range(1, self.count + 1):
            pose = Pose(across, self.rung(k))
            solids[f"rung_{k}"] = Cylinder(self.rung_radius, self.width, pose)
        length = (self.count + 0.7) * self.spacing
        c, s = np.cos(self.lean), np.sin(self.lean)
        leaning = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        for name, sign in (("right_rail", -1), ("left_rail", 1)):
            middle = np.array([self.foot, sign * self.width / 2, 0.0]) + self.up * (length / 2)
            solids[name] = Box(np.array([0.06, 0.025, length]), Pose(leaning, middle))
        return solids
