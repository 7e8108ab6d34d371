"""Tasks packed into the integers and floats that the compiled task rows read.

The columns of both are named in `robotix.kinematics.kernels.task_rows`. A task of a kind that the
kernels do not know is *foreign*: Python evaluates its error and Jacobian before every step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.kinematics.kernels import task_rows as rows
from robotix.kinematics.kernels.tables import Ints, Tables
from robotix.kinematics.point_location import locate_point
from robotix.kinematics.posture import Posture
from robotix.kinematics.tasks import (
    ComTask,
    OrientationTask,
    Point,
    PointTask,
    PoseTask,
    PostureTask,
    RelativeTask,
    SlidingPointTask,
    Task,
    axis_rows,
    point_along,
)
from robotix.model import Model

__all__ = ["PackedTask", "pack_task"]

_IDENTITY = Pose()


@dataclass(frozen=True, eq=False)
class PackedTask:
    """One task in the form that the kernels read."""

    ints: Ints  # (N_TASK_INTS,); first row, number of rows and slot are set by the arena
    floats: Array  # (N_TASK_FLOATS,)
    n_rows: int
    priority: int
    goals: Array  # (k, 3): target, weight and target rate of a posture task's coordinates
    dofs: Ints  # (k,), those coordinates
    position: Array  # (3,), of the target
    rotation: Array  # (9,), of the target
    foreign: Task | None = None  # the task itself where Python has to evaluate it

    @property
    def structure(self) -> tuple[int, ...]:
        """What must stay the same when a task is replaced while running."""
        kind, mask = int(self.ints[rows.TASK_KIND]), int(self.ints[rows.MASK])
        return (kind, mask, self.n_rows, self.priority, *(int(d) for d in self.dofs))


@dataclass(eq=False)
class _Draft:
    """A task while it is being packed."""

    model: Model
    tables: Tables
    ints: Ints = field(default_factory=lambda: np.zeros(rows.N_TASK_INTS, dtype=np.int64))
    floats: Array = field(default_factory=lambda: np.zeros(rows.N_TASK_FLOATS))
    position: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.eye(3).ravel())
    goals: Array = field(default_factory=lambda: np.zeros((0, 3)))
    dofs: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    n_rows: int = 0
    foreign: Task | None = None

    def __post_init__(self) -> None:
        for at in (rows.POINT_OFFSET, rows.POINT_OFFSET2, rows.AXES):
            self.floats[at : at + 9] = _IDENTITY.rotation.ravel()
        self.floats[rows.AXIS_ROOTS : rows.AXIS_ROOTS + 6] = 1.0

    def set_kind(self, kind: int, axes: str = "", turns: str = "") -> None:
        """Set the kind of task and the linear and angular axes that it controls."""
        mask = sum(1 << i for i in axis_rows(axes)) + sum(8 << i for i in axis_rows(turns))
        self.ints[rows.TASK_KIND], self.ints[rows.MASK] = kind, mask
        self.n_rows = bin(mask).count("1")

    def set_point(self, point: Point, link: int, offset: int) -> None:
        """Write the link that carries a control point, and the point's pose on it."""
        located = locate_point(self.model, point)
        self.ints[link] = located.link
        self.floats[offset : offset + 12] = located.offset

    def set_frame(self, frame: ArrayLike) -> None:
        """Write the frame along whose columns the axes lie."""
        self.floats[rows.AXES : rows.AXES + 9] = np.asarray(frame, dtype=float).ravel()

    def set_target(self, pose: Pose) -> None:
        """Write a target pose."""
        self.rotation[:], self.position[:] = pose.rotation.ravel(), pose.translation

    def set_feed(self, velocity: ArrayLike, acceleration: ArrayLike, *, at: int = 0) -> None:
        """Write velocity and acceleration of the target; `at` is 3 for angular ones alone."""
        for start, values in (
            (rows.TARGET_VELOCITY, velocity),
            (rows.TARGET_ACCELERATION, acceleration),
        ):
            self.floats[start + at : start + at + np.size(values)] = values

    def set_options(self, task: Task, *, order: int) -> None:
        """Write gains, weight and speed limit; second order has a stiffness and a damping."""
        ratio = float(getattr(task, "damping_ratio", 1.0))
        speed = float(getattr(task, "max_speed", np.inf))
        damping = 2 * ratio * task.gain
        if order == 2:  # the acceleration that, against the damping, holds this speed
            speed = speed * damping if damping > 0 else np.inf
        floats = self.floats
        floats[[rows.GAIN, rows.GAIN_ANGULAR]] = task.gain**order
        floats[[rows.RATE_GAIN, rows.RATE_GAIN_ANGULAR]] = damping
        floats[[rows.SQRT_WEIGHT, rows.SQRT_WEIGHT_ANGULAR]] = np.sqrt(task.weight)
        floats[[rows.MAX_SPEED, rows.MAX_SPEED_ANGULAR]] = speed


def pack_task(task: Task, model: Model, tables: Tables, *, order: int) -> PackedTask:
    """Pack a task for a model; `order` 2 squares the gain into a stiffness."""
    draft = _Draft(model, tables)
    draft.set_options(task, order=order)
    match task:
        case PointTask() | OrientationTask() | PoseTask():
            _pack_point(draft, task)
        case SlidingPointTask():
            _pack_sliding_point(draft, task)
        case RelativeTask():
            _pack_relative(draft, task)
        case ComTask():
            draft.set_kind(rows.CENTRE, task.axes)
            draft.position[:] = task.target
            draft.set_feed(task.velocity, task.acceleration)
        case PostureTask():
            _pack_posture(draft, task)
        case _:
            if order == 2:
                raise ValueError(f"{task!r} has no second-order form; use order=1 with own tasks")
            draft.set_kind(rows.EXTERNAL)
            draft.n_rows, draft.foreign = len(task.error(Posture(model))), task
    draft.ints[rows.IS_PLAIN] = _is_plain(draft.ints, draft.floats)
    return PackedTask(
        draft.ints, draft.floats, draft.n_rows, task.priority, draft.goals, draft.dofs,
        draft.position, draft.rotation, draft.foreign,
    )  # fmt: skip


def _pack_point(draft: _Draft, task: PointTask | OrientationTask | PoseTask) -> None:
    draft.set_point(task.point, rows.LINK, rows.POINT_OFFSET)
    match task:
        case PointTask():
            draft.set_kind(rows.POINT, task.axes)
            draft.set_frame(task.frame)
            draft.position[:] = task.target
            draft.set_feed(task.velocity, task.acceleration)
        case OrientationTask():
            draft.set_kind(rows.POINT, "", task.axes)
            draft.set_frame(task.frame)
            draft.rotation[:] = np.asarray(task.target, dtype=float).ravel()
            draft.set_feed(task.velocity, task.acceleration, at=3)
        case PoseTask():
            shifts, turns = task.axes()
            draft.set_kind(rows.POINT, shifts, turns)
            draft.set_target(task.target)
            draft.set_feed(task.twist, task.acceleration)
            if task.axis_weights is not None:
                roots = np.sqrt(np.asarray(task.axis_weights, dtype=float))
                draft.floats[rows.AXIS_ROOTS : rows.AXIS_ROOTS + 6] = roots


def _pack_sliding_point(draft: _Draft, task: SlidingPointTask) -> None:
    point, along = point_along(draft.model, task.distance, tip=task.tip)
    draft.set_kind(rows.POINT, "xyz")
    draft.set_point(point, rows.LINK, rows.POINT_OFFSET)
    link_from_body = draft.tables.offset(draft.model.body_index(point.body)).rotation
    draft.floats[rows.SLIDE_VELOCITY : rows.SLIDE_VELOCITY + 3] = link_from_body @ (
        along * task.rate
    )
    draft.position[:] = task.target
    draft.set_feed(task.velocity, np.zeros(3))


def _pack_relative(draft: _Draft, task: RelativeTask) -> None:
    draft.set_kind(rows.RELATIVE, task.axes, task.rotation_axes)
    draft.set_point(task.point, rows.LINK, rows.POINT_OFFSET)
    draft.set_point(task.base, rows.LINK2, rows.POINT_OFFSET2)
    draft.set_target(task.target)
    draft.set_feed(task.twist, task.acceleration)


def _pack_posture(draft: _Draft, task: PostureTask) -> None:
    model = draft.model
    target = np.asarray(task.target, dtype=float)
    if target.shape != (model.n_dof,):
        raise ValueError(f"{model.name} has {model.n_dof} joints, the posture {target.shape}")
    weights = np.ones(model.n_dof) if task.joint_weights is None else np.asarray(task.joint_weights)
    rates = np.zeros(model.n_dof) if task.velocity is None else np.asarray(task.velocity)
    draft.set_kind(rows.POSTURE)
    draft.dofs = np.array(task.dofs(), dtype=np.int64)
    draft.goals = np.column_stack([target, weights, rates])[draft.dofs]
    draft.n_rows = len(draft.dofs)


def _is_plain(ints: Ints, floats: Array) -> bool:
    """Return whether a task controls whole vectors along the axes of the base frame.

    Such tasks have a shorter kernel (`task_rows.plain_rows`).
    """
    axes, slide = (
        floats[rows.AXES : rows.AXES + 9],
        floats[rows.SLIDE_VELOCITY : rows.SLIDE_VELOCITY + 3],
    )
    is_whole = int(ints[rows.MASK]) in (0b000111, 0b111000, 0b111111)
    return bool(
        ints[rows.TASK_KIND] == rows.POINT
        and is_whole
        and (axes == _IDENTITY.rotation.ravel()).all()
        and not slide.any()
        and (floats[rows.AXIS_ROOTS : rows.AXIS_ROOTS + 6] == 1.0).all()
    )
