"""Poses over time: a path with rotation and a time law, as reference of an end effector."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from robotix.geometry import Array, Pose, exp_rotation, log_rotation
from robotix.motion.paths import Line, PointPath
from robotix.motion.profiles import Profile

__all__ = ["PosePath", "Trajectory"]


@dataclass(frozen=True, eq=False)
class PosePath:
    """A path with spherical linear interpolation (slerp) of the orientation.

    `s` goes from 0 to 1; the position moves along `path` and the orientation rotates about one
    fixed axis by the smaller angle, both at a constant rate in `s`.
    """

    path: PointPath
    first: Array = field(default_factory=lambda: np.eye(3))  # (3, 3), orientation at the start
    last: Array | None = None  # orientation at the end; None: as at the start

    def __post_init__(self) -> None:
        last = self.first if self.last is None else self.last
        object.__setattr__(self, "first", Pose(self.first).rotation)
        object.__setattr__(self, "last", Pose(last).rotation)

    @staticmethod
    def straight(start: Pose, end: Pose) -> PosePath:
        """Return the straight path from one pose to another."""
        return PosePath(Line(start.translation, end.translation), start.rotation, end.rotation)

    @cached_property
    def rotation_vector(self) -> Array:
        """Rotation vector from the first orientation to the last, in the frame of the path."""
        assert self.last is not None  # set above
        return log_rotation(self.last @ self.first.T)

    def pose(self, s: float) -> Pose:
        """Pose at `s`."""
        rotation = exp_rotation(s * self.rotation_vector) @ self.first
        return Pose(rotation, self.path.point(s * self.path.length))

    def tangent(self, s: float) -> Array:
        """First derivative by `s`: linear, then angular, (6,)."""
        length = self.path.length
        return np.concatenate([length * self.path.tangent(s * length), self.rotation_vector])

    def second_derivative(self, s: float) -> Array:
        """Second derivative by `s`: linear, then angular, (6,)."""
        length = self.path.length
        return np.concatenate([length**2 * self.path.curvature(s * length), np.zeros(3)])


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A pose path over time; constant before its start and after its end.

    To move within a speed `v` and an acceleration `a` (m/s, m/s²) along the path, use
    `Profile.trapezoid(rate=v / length, acceleration=a / length)`.
    """

    path: PosePath
    profile: Profile

    @property
    def duration(self) -> float:
        """Time from start to end, in s."""
        return self.profile.duration

    def pose(self, t: float) -> Pose:
        """Reference pose."""
        return self.path.pose(float(self.profile.value(t)))

    def twist(self, t: float) -> Array:
        """Reference velocity, linear then angular, (6,): the feed-forward of first-order CLIK."""
        s = float(self.profile.value(t))
        return np.asarray(self.path.tangent(s) * self.profile.rate(t))

    def acceleration(self, t: float) -> Array:
        """Time derivative of the twist, (6,): the feed-forward of second-order CLIK."""
        s, rate = float(self.profile.value(t)), float(self.profile.rate(t))
        return np.asarray(
            self.path.second_derivative(s) * rate**2
            + self.path.tangent(s) * self.profile.acceleration(t)
        )
