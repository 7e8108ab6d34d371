"""Virtual environments to be felt: walls, springs, zones, friction and masses.

Every element adds to f_r, which is subtracted from the hand's force. Elements are summed up, so
that several contacts act at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop import layout

__all__ = [
    "BallWall",
    "BoxWall",
    "CoupledMass",
    "DampingZone",
    "DryFriction",
    "FreeDamping",
    "GivenWrench",
    "HapticElement",
    "PlaneWall",
    "PointSpring",
    "RubberBand",
    "SpringZone",
    "TurnSpring",
    "pack_elements",
]

Triple = tuple[float, float, float]


class HapticElement(Protocol):
    """A part of a virtual environment."""

    def row(self) -> Array:
        """Return the row of the kernels."""
        ...


def _row(
    kind: float, *, stiffness: float = 0.0, damping: float = 0.0, hysteresis: float = 0.0,
    ball: float = 0.0, first: Sequence[float] = (0, 0, 0), second: Sequence[float] = (0, 0, 0),
    length: float = 0.0,
) -> Array:  # fmt: skip
    for name, value in (("stiffness", stiffness), ("damping", damping), ("hysteresis", hysteresis),
                        ("ball radius", ball)):  # fmt: skip
        if not 0 <= value < math.inf:
            raise BadField(name, "a finite number, not negative", value)
    row = np.zeros(layout.N_ELEMENT)
    row[:5] = kind, stiffness, damping, hysteresis, ball
    row[layout.FIRST : layout.FIRST + 3], row[layout.SECOND : layout.SECOND + 3] = first, second
    row[layout.LENGTH] = length
    if not np.isfinite(row).all():
        raise BadField("element", "finite numbers", row.tolist())
    return row


@dataclass(frozen=True)
class FreeDamping:
    """Damping everywhere."""

    damping: float  # N s/m

    def row(self) -> Array:
        """Return the row of the kernels."""
        return _row(layout.FREE_DAMPING, damping=self.damping)


@dataclass(frozen=True)
class PlaneWall:
    """A wall behind a plane; its normal points into free space."""

    normal: Triple
    offset: float  # m, of the plane along its normal
    stiffness: float = 5000.0  # N/m
    damping: float = 0.0  # N s/m, on the way in
    hysteresis: float = 0.0  # m, against chatter
    ball_radius: float = 0.0  # m, of the handle

    def row(self) -> Array:
        """Return the row of the kernels."""
        length = math.hypot(*self.normal)
        if not 0 < length < math.inf:
            raise BadField("normal", "a direction", self.normal)
        return _row(
            layout.PLANE, stiffness=self.stiffness, damping=self.damping,
            hysteresis=self.hysteresis, ball=self.ball_radius,
            first=[each / length for each in self.normal], length=self.offset,
        )  # fmt: skip


@dataclass(frozen=True)
class BoxWall:
    """A solid box along the axes, touched from outside by a ball."""

    low: Triple  # m, corner
    high: Triple
    stiffness: float = 5000.0
    damping: float = 0.0
    hysteresis: float = 0.0
    ball_radius: float = 0.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        _check_corners(self.low, self.high)
        return _row(
            layout.BOX, stiffness=self.stiffness, damping=self.damping,
            hysteresis=self.hysteresis, ball=self.ball_radius, first=self.low, second=self.high,
        )  # fmt: skip


@dataclass(frozen=True)
class BallWall:
    """A solid ball."""

    centre: Triple
    radius: float  # m
    stiffness: float = 5000.0
    damping: float = 0.0
    hysteresis: float = 0.0
    ball_radius: float = 0.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        return _row(
            layout.BALL_SOLID, stiffness=self.stiffness, damping=self.damping,
            hysteresis=self.hysteresis, ball=self.ball_radius, first=self.centre,
            length=self.radius,
        )  # fmt: skip


@dataclass(frozen=True)
class PointSpring:
    """A spring and damper to a point."""

    point: Triple
    stiffness: float
    damping: float = 0.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        return _row(layout.SPRING, stiffness=self.stiffness, damping=self.damping, first=self.point)


@dataclass(frozen=True)
class RubberBand:
    """A spring that pulls only when it is longer than its slack length."""

    point: Triple
    stiffness: float
    slack: float  # m
    damping: float = 0.0  # N s/m, while taut

    def row(self) -> Array:
        """Return the row of the kernels."""
        if not self.slack >= 0:
            raise BadField("slack", "a length in m", self.slack)
        return _row(
            layout.RUBBER_BAND, stiffness=self.stiffness, damping=self.damping, first=self.point,
            length=self.slack,
        )  # fmt: skip


@dataclass(frozen=True)
class DampingZone:
    """A box filled with damping."""

    low: Triple
    high: Triple
    damping: float

    def row(self) -> Array:
        """Return the row of the kernels."""
        _check_corners(self.low, self.high)
        return _row(layout.DAMPING_ZONE, damping=self.damping, first=self.low, second=self.high)


@dataclass(frozen=True)
class SpringZone:
    """A box in which a spring pulls to its middle."""

    low: Triple
    high: Triple
    stiffness: float
    damping: float = 0.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        _check_corners(self.low, self.high)
        return _row(
            layout.SPRING_ZONE, stiffness=self.stiffness, damping=self.damping, first=self.low,
            second=self.high,
        )  # fmt: skip


@dataclass(frozen=True)
class DryFriction:
    """Friction that sticks: a bristle of some stiffness that slips at a force."""

    force: float  # N
    stiffness: float = 2000.0  # N/m
    damping: float = 0.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        if not 0 <= self.force < math.inf:
            raise BadField("force", "a finite force, not negative", self.force)
        return _row(
            layout.DRY_FRICTION, stiffness=self.stiffness, damping=self.damping, length=self.force
        )


@dataclass(frozen=True)
class CoupledMass:
    """A mass that hangs on the handle by a stiff spring: inertia for impedance display."""

    mass: float  # kg
    start: Triple  # m, where it is at the beginning
    stiffness: float = 2000.0
    damping: float = 20.0

    def row(self) -> Array:
        """Return the row of the kernels."""
        if not 0 < self.mass < math.inf:
            raise BadField("mass", "a positive mass in kg", self.mass)
        row = _row(
            layout.COUPLED_MASS, stiffness=self.stiffness, damping=self.damping, length=self.mass
        )
        row[layout.MEMORY : layout.MEMORY + 3] = self.start
        return row


@dataclass(frozen=True, eq=False)
class TurnSpring:
    """A torque that turns the handle to an orientation."""

    rotation: Array  # (3, 3)
    stiffness: float  # N m/rad
    damping: float = 0.0  # N m s/rad

    def row(self) -> Array:
        """Return the row of the kernels."""
        row = _row(layout.TURN_SPRING, stiffness=self.stiffness, damping=self.damping)
        row[layout.FIRST : layout.FIRST + 9] = np.asarray(self.rotation).ravel()
        return row


@dataclass(frozen=True)
class GivenWrench:
    """A wrench that something else computes before every sample, such as `ProxyTool`."""

    wrench: tuple[float, ...]  # f_r, force then torque: what is subtracted from the hand's

    def row(self) -> Array:
        """Return the row of the kernels."""
        if len(self.wrench) != 6 or not all(map(math.isfinite, self.wrench)):
            raise BadField("wrench", "six finite numbers", self.wrench)
        row = _row(layout.GIVEN_WRENCH)
        row[layout.MEMORY : layout.MEMORY + 6] = self.wrench
        return row


def _check_corners(low: Triple, high: Triple) -> None:
    if not all(a < b for a, b in zip(low, high, strict=True)):
        raise BadField("corners", "low below high along every axis", (low, high))


def pack_elements(elements: Sequence[HapticElement]) -> Array:
    """Return the table of the kernels."""
    if not elements:
        return np.zeros((0, layout.N_ELEMENT))
    return np.array([each.row() for each in elements])
