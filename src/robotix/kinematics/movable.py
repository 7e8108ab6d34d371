"""Which coordinates a search may move: those that can help its tasks, or those that were chosen."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from robotix.kinematics.kernels.tables import Ints, tables_of
from robotix.kinematics.point_location import locate_point, moving_dofs
from robotix.kinematics.tasks import (
    ComTask,
    OrientationTask,
    PointTask,
    PoseTask,
    PostureTask,
    RelativeTask,
    SlidingPointTask,
    Task,
)
from robotix.model import Model
from robotix.model.configuration import dofs_of

__all__ = ["helpful_dofs", "movable_dofs"]


def movable_dofs(
    model: Model,
    tasks: Sequence[Task],
    *,
    joints: Collection[str] | None = None,
    locked: Collection[str] = (),
) -> Ints:
    """Return the coordinates that a search may move, in ascending order.

    `joints` names the joints that may move (all that can help when None), `locked` those that may
    not.
    """
    dofs = helpful_dofs(model, tasks)
    if joints is not None:
        dofs = np.intersect1d(dofs, dofs_of(model, joints))
    return np.setdiff1d(dofs, dofs_of(model, locked)).astype(np.int64)


def helpful_dofs(model: Model, tasks: Iterable[Task]) -> Ints:
    """Return the coordinates that can change the error of some task, in ascending order.

    A task of one's own may depend on every joint.
    """
    parts = [_dofs_of_task(model, task) for task in tasks]
    return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *parts]))


def _dofs_of_task(model: Model, task: Task) -> Ints:
    match task:
        case PointTask() | OrientationTask() | PoseTask():
            return moving_dofs(model, task.point)
        case SlidingPointTask():
            return moving_dofs(model, task.tip)
        case RelativeTask():
            # A joint that carries both points moves none against the other. Joints, not
            # coordinates: one of a pair that are coupled may carry only one of the points.
            point, base = (locate_point(model, each).support for each in (task.point, task.base))
            return np.unique(tables_of(model).column_dof[np.setxor1d(point, base)])
        case PostureTask():
            return np.array(task.dofs(), dtype=np.int64)
        case ComTask():
            heavy = [body.name for body in model.bodies if body.mass > 0]
            parts = [moving_dofs(model, name) for name in heavy]
            return np.unique(np.concatenate([np.empty(0, dtype=np.int64), *parts]))
    return np.arange(model.n_dof)
