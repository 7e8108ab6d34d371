"""Tasks: what a control point, the centre of mass or the posture should do.

A task knows its error (what is missing: target minus actual) and the Jacobian of the actual, so
that `jacobian @ dq` is how fast the actual moves. Targets are in the base frame unless said.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np

from robotix.geometry import Array, Pose, log_rotation
from robotix.kinematics.posture import Posture
from robotix.model import ControlPoint, Model

__all__ = [
    "ComTask",
    "OrientationTask",
    "Point",
    "PointTask",
    "PoseTask",
    "PostureTask",
    "RelativeTask",
    "SlidingPointTask",
    "Task",
    "TaskOptions",
    "axis_rows",
    "point_along",
]

Point: TypeAlias = str | ControlPoint | None  # None: the model's tip


@runtime_checkable
class Task(Protocol):
    """Anything with an error, a Jacobian and the options of `TaskOptions` is a task."""

    @property
    def gain(self) -> float: ...  # noqa: D102
    @property
    def weight(self) -> float: ...  # noqa: D102
    @property
    def priority(self) -> int: ...  # noqa: D102

    def error(self, posture: Posture) -> Array:
        """Return what is missing, (k,)."""
        ...

    def jacobian(self, posture: Posture) -> Array:
        """Return how the actual moves with the joints, (k, n_dof)."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskOptions(ABC):
    """How a task is driven.

    First order corrects with `gain * error`; second order with the stiffness `gain²` and the
    damping `2 * damping_ratio * gain`. Priority 0 is the highest.
    """

    gain: float = 20.0  # 1/s
    damping_ratio: float = 1.0
    weight: float = 1.0
    priority: int = 0
    max_speed: float = np.inf  # largest corrective speed, m/s or rad/s

    def __post_init__(self) -> None:
        """Refuse numbers that would blow up the loop."""
        if not (np.isfinite(self.gain) and self.gain >= 0):
            raise ValueError(f"gain must be finite and not negative, got {self.gain}")
        if not (np.isfinite(self.weight) and self.weight > 0):
            raise ValueError(
                f"weight must be positive, got {self.weight}; leave a task out instead"
            )
        if not self.max_speed > 0 or not self.damping_ratio >= 0 or self.priority < 0:
            raise ValueError(f"max_speed, damping_ratio and priority must not be negative: {self}")

    @abstractmethod
    def error(self, posture: Posture) -> Array:
        """Return what is missing, (k,)."""

    @abstractmethod
    def jacobian(self, posture: Posture) -> Array:
        """Return how the actual moves with the joints, (k, n_dof)."""


def _zeros() -> Array:
    return np.zeros(3)


def axis_rows(axes: str) -> list[int]:
    """Return the indices of the axes named in a string such as 'xz'."""
    if not set(axes) <= set("xyz") or len(set(axes)) != len(axes):
        raise ValueError(f"axes must be some of 'xyz', got {axes!r}")
    return ["xyz".index(axis) for axis in sorted(axes)]


@dataclass(frozen=True, eq=False)
class PointTask(TaskOptions):
    """Bring a control point to a place; its rotation is free.

    `axes` are the directions that matter, along the columns of `frame`: leave one out and the point
    is free along a line, two and it is free on a plane.
    """

    point: Point
    target: Array  # (3,), m
    axes: str = "xyz"
    frame: Array = field(default_factory=lambda: np.eye(3))
    velocity: Array = field(default_factory=_zeros)  # of the target, m/s
    acceleration: Array = field(default_factory=_zeros)  # of the target, m/s²

    def error(self, posture: Posture) -> Array:
        """Missing translation, in the wanted axes."""
        return self._select(np.asarray(self.target) - posture.position(self.point))

    def jacobian(self, posture: Posture) -> Array:
        """Velocity of the point, in the wanted axes."""
        return self._select(posture.jacobian(self.point)[:3])

    def _select(self, three: Array) -> Array:
        return (self.frame.T @ three)[axis_rows(self.axes)]


@dataclass(frozen=True, eq=False)
class OrientationTask(TaskOptions):
    """Turn a control point; its place is free.

    `turns` are the rotations that matter, about the columns of `frame`. Leave out the axis that may
    spin.
    """

    point: Point
    target: Array  # (3, 3)
    turns: str = "xyz"
    frame: Array = field(default_factory=lambda: np.eye(3))
    velocity: Array = field(default_factory=_zeros)  # of the target, rad/s
    acceleration: Array = field(default_factory=_zeros)  # of the target, rad/s²

    def error(self, posture: Posture) -> Array:
        """Missing rotation vector, in the wanted axes."""
        turn = np.asarray(self.target) @ posture.pose(self.point).rotation.T
        return self._select(log_rotation(turn))

    def jacobian(self, posture: Posture) -> Array:
        """Angular velocity of the point, in the wanted axes."""
        return self._select(posture.jacobian(self.point)[3:])

    def _select(self, three: Array) -> Array:
        return (self.frame.T @ three)[axis_rows(self.turns)]


@dataclass(frozen=True, eq=False)
class PoseTask(TaskOptions):
    """Bring a control point to a pose: place and rotation. `weight` counts 1 rad like 1 m."""

    point: Point
    target: Pose
    twist: Array = field(default_factory=lambda: np.zeros(6))  # of the target
    acceleration: Array = field(default_factory=lambda: np.zeros(6))

    def error(self, posture: Posture) -> Array:
        """Missing translation, then rotation vector."""
        pose = posture.pose(self.point)
        shift = self.target.translation - pose.translation
        return np.concatenate([shift, log_rotation(self.target.rotation @ pose.rotation.T)])

    def jacobian(self, posture: Posture) -> Array:
        """Linear, then angular velocity of the point."""
        return posture.jacobian(self.point)


@dataclass(frozen=True, eq=False)
class ComTask(TaskOptions):
    """Bring the centre of mass to a place; leave 'z' out of `axes` to keep it over a spot."""

    target: Array  # (3,), m
    axes: str = "xyz"
    velocity: Array = field(default_factory=_zeros)
    acceleration: Array = field(default_factory=_zeros)

    def error(self, posture: Posture) -> Array:
        """Missing translation, in the wanted axes."""
        return np.asarray(np.asarray(self.target) - posture.com)[axis_rows(self.axes)]

    def jacobian(self, posture: Posture) -> Array:
        """Velocity of the centre of mass, in the wanted axes."""
        return posture.com_jacobian[axis_rows(self.axes)]


@dataclass(frozen=True, eq=False)
class PostureTask(TaskOptions):
    """Bring joints to given positions; a joint whose `joint_weights` entry is 0 is left alone."""

    target: Array  # (n_dof,)
    joint_weights: Array | None = None  # (n_dof,); None: all 1
    velocity: Array | None = None  # (n_dof,), of the target

    def dofs(self) -> list[int]:
        """Return the coordinates that matter."""
        if self.joint_weights is None:
            return list(range(len(self.target)))
        return [i for i, weight in enumerate(self.joint_weights) if weight > 0]

    def error(self, posture: Posture) -> Array:
        """Missing joint motion of the coordinates that matter."""
        goal = np.array(posture.q)
        goal[self.dofs()] = np.asarray(self.target)[self.dofs()]
        return posture.velocity_to(goal)[self.dofs()]

    def jacobian(self, posture: Posture) -> Array:
        """Rows of the identity."""
        return np.eye(posture.model.n_dof)[self.dofs()]


@dataclass(frozen=True, eq=False)
class RelativeTask(TaskOptions):
    """Bring a control point to a pose as seen from another control point, `base`."""

    point: Point
    base: Point
    target: Pose  # base_from_point
    axes: str = "xyz"
    turns: str = "xyz"
    twist: Array = field(default_factory=lambda: np.zeros(6))  # of the target, in the base's frame
    acceleration: Array = field(default_factory=lambda: np.zeros(6))

    def error(self, posture: Posture) -> Array:
        """Missing translation and rotation vector in the base point's frame."""
        base_from_point = posture.pose(self.base).inverse() @ posture.pose(self.point)
        shift = self.target.translation - base_from_point.translation
        turn = log_rotation(self.target.rotation @ base_from_point.rotation.T)
        return np.concatenate([shift[axis_rows(self.axes)], turn[axis_rows(self.turns)]])

    def jacobian(self, posture: Posture) -> Array:
        """Velocity of the point as seen from the base, in the base's frame."""
        base, at = posture.pose(self.base), posture.position(self.point)
        on_base = (
            self.base if isinstance(self.base, ControlPoint) else posture.model.point(self.base)
        )
        carried = ControlPoint(
            on_base.body, on_base.pose @ Pose(translation=base.inverse().apply(at))
        )  # the point of the base's body that is now where the point is
        J = posture.jacobian(self.point) - posture.jacobian(carried)
        linear, angular = base.rotation.T @ J[:3], base.rotation.T @ J[3:]
        return np.concatenate([linear[axis_rows(self.axes)], angular[axis_rows(self.turns)]])


@dataclass(frozen=True, eq=False)
class SlidingPointTask(TaskOptions):
    """Bring to a place a control point that slides along the structure.

    The point lies `distance` from the base on the line through the joints of the chain that ends at
    `tip`, and moves along it at `rate`; that motion is taken off the reference.
    """

    tip: Point
    distance: float  # m
    target: Array  # (3,), m
    rate: float = 0.0  # m/s
    velocity: Array = field(default_factory=_zeros)  # of the target, m/s

    def error(self, posture: Posture) -> Array:
        """Missing translation."""
        point, _ = point_along(posture.model, self.distance, tip=self.tip)
        return np.asarray(self.target - posture.position(point))

    def jacobian(self, posture: Posture) -> Array:
        """Velocity of the point while it does not slide."""
        point, _ = point_along(posture.model, self.distance, tip=self.tip)
        return posture.jacobian(point)[:3]


def point_along(model: Model, distance: float, *, tip: Point = None) -> tuple[ControlPoint, Array]:
    """Return the control point `distance` along a chain's joints, and its direction on its body.

    The line runs from the base through every joint to the tip. Beyond its ends the nearest end is
    meant, where a point does not slide: the direction is zero there.
    """
    end = tip if isinstance(tip, ControlPoint) else model.point(tip)
    chain = model.chain(end.body)
    ends = [body.placement.translation for body in chain[1:]] + [end.pose.translation]
    left = max(distance, 0.0)
    last = ControlPoint(chain[0].name)
    for body, stop in zip(chain, ends, strict=True):
        length = float(np.linalg.norm(stop))
        if length < 1e-9:
            continue
        along = stop / length
        last = ControlPoint(body.name, Pose(translation=along * min(left, length)))
        if left <= length:
            return last, along if distance >= 0 else np.zeros(3)
        left -= length
    return last, np.zeros(3)
