"""Tasks packed into the rows that the compiled solver reads (see rows.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.kinematics.kernels import task_rows as rows
from robotix.kinematics.kernels.tables import Ints, Tables
from robotix.kinematics.point_location import locate
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
    """One task's integers and numbers; posture tasks add goals, foreign ones stay outside."""

    ints: Ints  # (N_TASK_INTS,), row and level not yet set
    floats: Array  # (N_TASK_FLOATS,)
    n_rows: int
    priority: int
    goals: Array  # (k, 3): goal, weight, rate of a posture task's coordinates
    dofs: Ints  # (k,)
    position: Array  # (3,), of the target
    rotation: Array  # (9,), of the target
    foreign: Task | None = None

    @property
    def structure(self) -> tuple[int, ...]:
        """What must stay the same when a task is replaced while running."""
        places = [int(self.ints[i]) for i in (rows.TASK, rows.MASK)]
        return (*places, self.n_rows, self.priority, *(int(d) for d in self.dofs))


def _mask(axes: str, turns: str) -> int:
    return sum(1 << i for i in axis_rows(axes)) + sum(8 << i for i in axis_rows(turns))


def _put_point(model: Model, point: Point, floats: Array, at: int) -> int:
    """Write a control point's pose on its link; return the link."""
    located = locate(model, point)
    floats[at : at + 12] = located.offset
    return located.link


def _put_pose(floats: Array, at: int, rotation: ArrayLike, translation: ArrayLike) -> None:
    floats[at : at + 9] = np.asarray(rotation, dtype=float).ravel()
    floats[at + 9 : at + 12] = translation


def _options(task: Task, floats: Array, *, order: int) -> None:
    """Write gains, weight and speed limit; second order has a stiffness and damping."""
    ratio = float(getattr(task, "damping_ratio", 1.0))
    speed = float(getattr(task, "max_speed", np.inf))
    damping = 2 * ratio * task.gain
    if order == 2:
        speed = speed * damping if damping > 0 else np.inf  # the push that holds this speed
    floats[[rows.GAIN, rows.GAIN_ANGULAR]] = task.gain**order
    floats[[rows.RATE_GAIN, rows.RATE_GAIN_ANGULAR]] = damping
    floats[[rows.ROOT, rows.ROOT_ANGULAR]] = np.sqrt(task.weight)
    floats[[rows.SPEED, rows.SPEED_ANGULAR]] = speed


def pack_task(task: Task, model: Model, tables: Tables, *, order: int) -> PackedTask:
    """Pack a task for a model; `order` 2 squares the gain into a stiffness."""
    ints = np.zeros(rows.N_TASK_INTS, dtype=np.int64)
    f = np.zeros(rows.N_TASK_FLOATS)
    _put_pose(f, rows.POINT_OFFSET, _IDENTITY.rotation, np.zeros(3))
    _put_pose(f, rows.POINT_OFFSET2, _IDENTITY.rotation, np.zeros(3))
    f[rows.AXES : rows.AXES + 9] = _IDENTITY.rotation.ravel()
    _options(task, f, order=order)
    feed, feed2 = f[rows.FEED : rows.FEED + 6], f[rows.FEED2 : rows.FEED2 + 6]
    position, rotation = np.zeros(3), np.eye(3).ravel()
    mask, goals, dofs = 0, np.zeros((0, 3)), np.zeros(0, dtype=np.int64)
    foreign: Task | None = None
    match task:
        case PointTask():
            ints[rows.TASK] = rows.POINT
            ints[rows.LINK] = _put_point(model, task.point, f, rows.POINT_OFFSET)
            position[:], mask = task.target, _mask(task.axes, "")
            f[rows.AXES : rows.AXES + 9] = np.asarray(task.frame, dtype=float).ravel()
            feed[:3], feed2[:3] = task.velocity, task.acceleration
        case OrientationTask():
            ints[rows.TASK] = rows.POINT
            ints[rows.LINK] = _put_point(model, task.point, f, rows.POINT_OFFSET)
            rotation[:], mask = np.asarray(task.target, dtype=float).ravel(), _mask("", task.turns)
            f[rows.AXES : rows.AXES + 9] = np.asarray(task.frame, dtype=float).ravel()
            feed[3:], feed2[3:] = task.velocity, task.acceleration
        case PoseTask():
            ints[rows.TASK] = rows.POINT
            ints[rows.LINK] = _put_point(model, task.point, f, rows.POINT_OFFSET)
            rotation[:], position[:] = task.target.rotation.ravel(), task.target.translation
            mask, feed[:], feed2[:] = _mask("xyz", "xyz"), task.twist, task.acceleration
        case ComTask():
            ints[rows.TASK] = rows.CENTRE
            position[:], mask = task.target, _mask(task.axes, "")
            feed[:3], feed2[:3] = task.velocity, task.acceleration
        case RelativeTask():
            ints[rows.TASK] = rows.RELATIVE
            ints[rows.LINK] = _put_point(model, task.point, f, rows.POINT_OFFSET)
            ints[rows.LINK2] = _put_point(model, task.base, f, rows.POINT_OFFSET2)
            rotation[:], position[:] = task.target.rotation.ravel(), task.target.translation
            mask, feed[:], feed2[:] = _mask(task.axes, task.turns), task.twist, task.acceleration
        case SlidingPointTask():
            ints[rows.TASK] = rows.POINT
            point, along = point_along(model, task.distance, tip=task.tip)
            ints[rows.LINK] = _put_point(model, point, f, rows.POINT_OFFSET)
            turn = tables.offset(model.body_index(point.body)).rotation
            f[rows.SLIDE : rows.SLIDE + 3] = turn @ (along * task.rate)
            position[:], mask, feed[:3] = task.target, _mask("xyz", ""), task.velocity
        case PostureTask():
            ints[rows.TASK] = rows.POSTURE
            goals, dofs = _pack_posture(task, model)
        case _:
            if order == 2:
                raise ValueError(f"{task!r} has no second-order form; use order=1 with own tasks")
            ints[rows.TASK], foreign = rows.EXTERNAL, task
    ints[rows.MASK] = mask
    ints[rows.PLAIN] = _is_plain(ints, f)
    n_rows = bin(mask).count("1") + len(dofs)
    return PackedTask(ints, f, n_rows, task.priority, goals, dofs, position, rotation, foreign)


def _is_plain(ints: Ints, floats: Array) -> bool:
    """Tell whether a task can take the short way: whole vectors in the base frame's own axes."""
    axes, slide = floats[rows.AXES : rows.AXES + 9], floats[rows.SLIDE : rows.SLIDE + 3]
    is_whole = int(ints[rows.MASK]) in (0b000111, 0b111000, 0b111111)
    return bool(
        ints[rows.TASK] == rows.POINT
        and is_whole
        and (axes == _IDENTITY.rotation.ravel()).all()
        and not slide.any()
    )


def _pack_posture(task: PostureTask, model: Model) -> tuple[Array, Ints]:
    target = np.asarray(task.target, dtype=float)
    if target.shape != (model.n_dof,):
        raise ValueError(f"{model.name} has {model.n_dof} joints, the posture {target.shape}")
    weights = np.ones(model.n_dof) if task.joint_weights is None else np.asarray(task.joint_weights)
    rates = np.zeros(model.n_dof) if task.velocity is None else np.asarray(task.velocity)
    dofs = np.array(task.dofs(), dtype=np.int64)
    return np.column_stack([target, weights, rates])[dofs], dofs


def total_rows(packed: Sequence[PackedTask]) -> int:
    """Return the number of rows of all tasks together."""
    return sum(task.n_rows for task in packed)
