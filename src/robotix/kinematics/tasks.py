"""Tasks: targets for a control point, the centre of mass or the posture.

A task has an error e(q) = target − actual, (k,), and the Jacobian J(q) of the actual, (k, n_dof):
ė = ẋ_target − J dq. First order asks for J dq = ẋ_target + gain · e, second order for
J ddq = ẍ_target + gain² e + 2 ζ gain (ẋ_target − J dq) − J̇ dq. Targets are given in the base frame
unless stated otherwise. Rotation errors are rotation vectors, log(R_target Rᵀ).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike

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
    """Anything with an error, a Jacobian, a gain, a weight and a priority is a task."""

    @property
    def gain(self) -> float: ...  # noqa: D102
    @property
    def weight(self) -> float: ...  # noqa: D102
    @property
    def priority(self) -> int: ...  # noqa: D102

    def error(self, posture: Posture) -> Array:
        """Return e(q) = target − actual, (k,)."""
        ...

    def jacobian(self, posture: Posture) -> Array:
        """Return the Jacobian of the actual, (k, n_dof)."""
        ...


@dataclass(frozen=True, eq=False, kw_only=True)
class TaskOptions(ABC):
    """Options of a task, and the base class of tasks of one's own.

    First order corrects with `gain * error`; second order with the stiffness `gain²` and the
    damping `2 * damping_ratio * gain`. The cost of a task is `weight` · ‖error‖². Priority 0 is the
    highest.
    """

    gain: float = 20.0  # 1/s
    damping_ratio: float = 1.0
    weight: float = 1.0
    priority: int = 0
    max_speed: float = np.inf  # largest corrective speed, m/s or rad/s

    def __post_init__(self) -> None:
        """Raise ValueError unless gain ≥ 0, weight > 0 and the other options are in range."""
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
        """Return e(q) = target − actual, (k,)."""

    @abstractmethod
    def jacobian(self, posture: Posture) -> Array:
        """Return the Jacobian of the actual, (k, n_dof)."""


def _zeros() -> Array:
    return np.zeros(3)


def axis_rows(axes: str) -> list[int]:
    """Return the indices of the axes named in a string such as 'xz'."""
    if not set(axes) <= set("xyz") or len(set(axes)) != len(axes):
        raise ValueError(f"axes must be some of 'xyz', got {axes!r}")
    return ["xyz".index(axis) for axis in sorted(axes)]


@dataclass(frozen=True, eq=False)
class PointTask(TaskOptions):
    """Bring a control point to a position; its rotation is free.

    With the position p, its Jacobian J_p and the rows S of `frameᵀ` that `axes` select:
    e = S (target − p), J = S J_p. With one axis left out the point is free along a line, with two
    on a plane.

    Examples:
        >>> task = rx.PointTask("flange", np.array([0.4, 0.0, 0.6]))
        >>> task.error(rx.Posture(rx.load("kuka_lwr"))).shape
        (3,)
    """

    point: Point
    target: Array  # (3,), m
    axes: str = "xyz"
    frame: Array = field(default_factory=lambda: np.eye(3))
    velocity: Array = field(default_factory=_zeros)  # of the target, m/s
    acceleration: Array = field(default_factory=_zeros)  # of the target, m/s²

    def error(self, posture: Posture) -> Array:
        """Displacement to the target along the controlled axes, m."""
        return self._select(np.asarray(self.target) - posture.position(self.point))

    def jacobian(self, posture: Posture) -> Array:
        """Jacobian of the position along the controlled axes."""
        return self._select(posture.jacobian(self.point)[:3])

    def _select(self, three: Array) -> Array:
        return (self.frame.T @ three)[axis_rows(self.axes)]


@dataclass(frozen=True, eq=False)
class OrientationTask(TaskOptions):
    """Bring a control point to an orientation; its position is free.

    With the rotation R, the angular Jacobian J_ω and the rows S of `frameᵀ` that `axes` select:
    e = S log(target Rᵀ), J = S J_ω. Leave out the axis about which the point may spin.

    Examples:
        >>> task = rx.OrientationTask("flange", np.eye(3))
        >>> task.error(rx.Posture(rx.load("kuka_lwr"))).shape
        (3,)
    """

    point: Point
    target: Array  # (3, 3)
    axes: str = "xyz"
    frame: Array = field(default_factory=lambda: np.eye(3))
    velocity: Array = field(default_factory=_zeros)  # of the target, rad/s
    acceleration: Array = field(default_factory=_zeros)  # of the target, rad/s²

    def error(self, posture: Posture) -> Array:
        """Rotation vector to the target about the controlled axes, rad."""
        difference = np.asarray(self.target) @ posture.pose(self.point).rotation.T
        return self._select(log_rotation(difference))

    def jacobian(self, posture: Posture) -> Array:
        """Angular Jacobian about the controlled axes."""
        return self._select(posture.jacobian(self.point)[3:])

    def _select(self, three: Array) -> Array:
        return (self.frame.T @ three)[axis_rows(self.axes)]


@dataclass(frozen=True, eq=False)
class PoseTask(TaskOptions):
    """Bring a control point to a pose.

    e = (p_target − p, log(R_target Rᵀ)), J is the geometric Jacobian. 1 rad counts like 1 m, unless
    `axis_weights` say otherwise: the cost is `weight` · Σ wᵢ eᵢ² over the axes x, y, z of the base
    frame, first linear, then angular. An axis of weight 0 is free.

    Examples:
        >>> task = rx.PoseTask("flange", rx.Pose.at(0.4, 0.0, 0.6))
        >>> task.error(rx.Posture(rx.load("kuka_lwr"))).shape
        (6,)
    """

    point: Point
    target: Pose
    twist: Array = field(default_factory=lambda: np.zeros(6))  # of the target
    acceleration: Array = field(default_factory=lambda: np.zeros(6))
    axis_weights: ArrayLike | None = None  # (6,); None: all 1

    def __post_init__(self) -> None:
        """Raise ValueError unless there are six weights ≥ 0, one of them positive."""
        super().__post_init__()
        if self.axis_weights is None:
            return
        weights = np.asarray(self.axis_weights, dtype=float)
        if weights.shape != (6,) or not np.isfinite(weights).all() or (weights < 0).any():
            raise ValueError(f"axis_weights are six numbers of at least 0, not {weights}")
        if not weights.any():
            raise ValueError("axis_weights are all 0; leave the task out instead")

    def axes(self) -> tuple[str, str]:
        """Return the linear and the angular axes that are controlled."""
        chosen = np.ones(6) if self.axis_weights is None else np.asarray(self.axis_weights)
        names = ["".join(axis for axis, w in zip("xyz", part, strict=True) if w > 0)
                 for part in (chosen[:3], chosen[3:])]  # fmt: skip
        return names[0], names[1]

    def error(self, posture: Posture) -> Array:
        """Displacement, then rotation vector to the target, along the controlled axes, (k,)."""
        pose = posture.pose(self.point)
        shift = self.target.translation - pose.translation
        turn = log_rotation(self.target.rotation @ pose.rotation.T)
        return np.concatenate([shift, turn])[self.rows()]

    def jacobian(self, posture: Posture) -> Array:
        """Geometric Jacobian along the controlled axes: linear, then angular rows."""
        return posture.jacobian(self.point)[self.rows()]

    def rows(self) -> list[int]:
        """Return the indices of the controlled axes, of 0 to 5."""
        shifts, turns = self.axes()
        return axis_rows(shifts) + [3 + i for i in axis_rows(turns)]


@dataclass(frozen=True, eq=False)
class ComTask(TaskOptions):
    """Bring the centre of mass to a position: e = target − com, along `axes`.

    Leave 'z' out of `axes` to control its ground projection.

    Examples:
        >>> task = rx.ComTask(np.array([0.0, 0.0, 0.0]), axes="xy")
        >>> task.error(rx.Posture(rx.load("planar_3r"))).shape
        (2,)
    """

    target: Array  # (3,), m
    axes: str = "xyz"
    velocity: Array = field(default_factory=_zeros)
    acceleration: Array = field(default_factory=_zeros)

    def error(self, posture: Posture) -> Array:
        """Displacement to the target along the controlled axes, m."""
        return np.asarray(np.asarray(self.target) - posture.com)[axis_rows(self.axes)]

    def jacobian(self, posture: Posture) -> Array:
        """Jacobian of the centre of mass along the controlled axes."""
        return posture.com_jacobian[axis_rows(self.axes)]


@dataclass(frozen=True, eq=False)
class PostureTask(TaskOptions):
    """Bring joints to given positions: e = target ⊖ q, J = rows of the identity.

    Coordinates whose `joint_weights` entry is 0 are not controlled; the others are weighted with
    `weight` · `joint_weights`. ⊖ is the difference of coordinates, for a floating root that of
    rotations.

    Examples:
        >>> task = rx.PostureTask(np.zeros(3))
        >>> task.error(rx.Posture(rx.load("planar_3r"), [0.1, 0.0, 0.0])).round(3).tolist()
        [-0.1, 0.0, 0.0]
    """

    target: Array  # (n_dof,)
    joint_weights: Array | None = None  # (n_dof,); None: all 1
    velocity: Array | None = None  # (n_dof,), of the target

    def dofs(self) -> list[int]:
        """Return the indices of the controlled coordinates."""
        if self.joint_weights is None:
            return list(range(len(self.target)))
        return [i for i, weight in enumerate(self.joint_weights) if weight > 0]

    def error(self, posture: Posture) -> Array:
        """Motion of the controlled coordinates to the target."""
        goal = np.array(posture.q)
        goal[self.dofs()] = np.asarray(self.target)[self.dofs()]
        return posture.velocity_to(goal)[self.dofs()]

    def jacobian(self, posture: Posture) -> Array:
        """Rows of the identity."""
        return np.eye(posture.model.n_dof)[self.dofs()]


@dataclass(frozen=True, eq=False)
class RelativeTask(TaskOptions):
    """Bring a control point to a pose relative to another control point, `base`.

    In the frame of the base point, with base_from_point = (R, p): e = (p_target − p,
    log(R_target Rᵀ)), and J is the Jacobian of the point minus that of the point of the base's body
    at the same position, rotated into the base's frame.

    Examples:
        >>> task = rx.RelativeTask("flange", "elbow", rx.Pose.at(0, 0, 0.4))
        >>> task.error(rx.Posture(rx.load("kuka_lwr"))).shape
        (6,)
    """

    point: Point
    base: Point
    target: Pose  # base_from_point
    axes: str = "xyz"
    rotation_axes: str = "xyz"
    twist: Array = field(default_factory=lambda: np.zeros(6))  # of the target, in the base's frame
    acceleration: Array = field(default_factory=lambda: np.zeros(6))

    def error(self, posture: Posture) -> Array:
        """Displacement and rotation vector to the target, in the base point's frame."""
        base_from_point = posture.pose(self.base).inverse() @ posture.pose(self.point)
        shift = self.target.translation - base_from_point.translation
        vector = log_rotation(self.target.rotation @ base_from_point.rotation.T)
        return np.concatenate([shift[axis_rows(self.axes)], vector[axis_rows(self.rotation_axes)]])

    def jacobian(self, posture: Posture) -> Array:
        """Jacobian of the motion relative to the base, in the base's frame."""
        base, at = posture.pose(self.base), posture.position(self.point)
        on_base = (
            self.base if isinstance(self.base, ControlPoint) else posture.model.point(self.base)
        )
        carried = ControlPoint(
            on_base.body, on_base.pose @ Pose(translation=base.inverse().apply(at))
        )  # the point of the base's body that now coincides with the point
        J = posture.jacobian(self.point) - posture.jacobian(carried)
        linear, angular = base.rotation.T @ J[:3], base.rotation.T @ J[3:]
        return np.concatenate(
            [linear[axis_rows(self.axes)], angular[axis_rows(self.rotation_axes)]]
        )


@dataclass(frozen=True, eq=False)
class SlidingPointTask(TaskOptions):
    """Bring a control point that slides along the structure to a position.

    The point lies `distance` from the base on the line through the joints of the chain that ends at
    `tip`, and moves along it at `rate`: e = target − p(q, d), J dq = ẋ_target + gain · e − ∂p/∂d ḋ.
    """

    tip: Point
    distance: float  # m
    target: Array  # (3,), m
    rate: float = 0.0  # m/s
    velocity: Array = field(default_factory=_zeros)  # of the target, m/s

    def error(self, posture: Posture) -> Array:
        """Displacement to the target, m."""
        point, _ = point_along(posture.model, self.distance, tip=self.tip)
        return np.asarray(self.target - posture.position(point))

    def jacobian(self, posture: Posture) -> Array:
        """Jacobian of the point at a fixed distance."""
        point, _ = point_along(posture.model, self.distance, tip=self.tip)
        return posture.jacobian(point)[:3]


def point_along(model: Model, distance: float, *, tip: Point = None) -> tuple[ControlPoint, Array]:
    """Return the control point `distance` along a chain's joints, and its direction on its body.

    The line runs from the base through every joint to the tip. Beyond its ends the nearest end is
    returned, with a direction of zero.
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
