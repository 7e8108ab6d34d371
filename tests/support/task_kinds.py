"""Every kind of task, made at random for a posture: what the contract of tasks is tested with."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from support.random_trees import make_random_tree, random_posture

from robotix.geometry import Array, Pose, exp_rotation
from robotix.kinematics import (
    ComTask,
    OrientationTask,
    PointTask,
    PoseTask,
    Posture,
    PostureTask,
    RelativeTask,
    SlidingPointTask,
    Task,
    point_along,
)
from robotix.kinematics.tasks import axis_rows
from robotix.model import ControlPoint, Model

Rng = np.random.Generator


def random_axes(rng: Rng) -> str:
    return "".join(axis for axis in "xyz" if rng.random() < 0.6) or "z"


def random_rotation(rng: Rng) -> Array:
    return exp_rotation(rng.normal(size=3))


def random_point(model: Model, rng: Rng) -> str | ControlPoint | None:
    body = model.bodies[rng.integers(len(model.bodies))].name
    pose = Pose(random_rotation(rng), rng.normal(size=3))
    return [None, "tool", body, ControlPoint(body, pose)][rng.integers(4)]


def random_options(rng: Rng) -> dict[str, Any]:
    gain, weight, ratio = np.exp(rng.uniform(-2, 2, 3)).tolist()
    return {"gain": gain, "weight": weight, "damping_ratio": ratio}


def off(pose: Pose, rng: Rng, away: float) -> Pose:
    """Return a pose some way off another."""
    return Pose(exp_rotation(away * rng.normal(size=3)) @ pose.rotation,
                pose.translation + away * rng.normal(size=3))  # fmt: skip


def make_point(at: Posture, rng: Rng, away: float) -> PointTask:
    point = random_point(at.model, rng)
    target = off(at.pose(point), rng, away).translation
    return PointTask(
        point, target, random_axes(rng), random_rotation(rng), *rng.normal(size=(2, 3)),
        **random_options(rng),
    )  # fmt: skip


def make_whole_point(at: Posture, rng: Rng, away: float) -> PointTask:
    """The usual case, which the kernel takes a short way for."""
    point = random_point(at.model, rng)
    target = off(at.pose(point), rng, away).translation
    return PointTask(point, target, velocity=rng.normal(size=3), **random_options(rng))


def make_orientation(at: Posture, rng: Rng, away: float) -> OrientationTask:
    point = random_point(at.model, rng)
    target = off(at.pose(point), rng, away).rotation
    return OrientationTask(
        point, target, random_axes(rng), random_rotation(rng), *rng.normal(size=(2, 3)),
        **random_options(rng),
    )  # fmt: skip


def make_whole_orientation(at: Posture, rng: Rng, away: float) -> OrientationTask:
    point = random_point(at.model, rng)
    target = off(at.pose(point), rng, away).rotation
    return OrientationTask(point, target, velocity=rng.normal(size=3), **random_options(rng))


def make_pose(at: Posture, rng: Rng, away: float) -> PoseTask:
    point = random_point(at.model, rng)
    target = off(at.pose(point), rng, away)
    return PoseTask(point, target, *rng.normal(size=(2, 6)), **random_options(rng))


def make_weighted_pose(at: Posture, rng: Rng, away: float) -> PoseTask:
    axis_weights = np.where(rng.random(6) < 0.3, 0.0, rng.uniform(0.1, 3, 6))
    axis_weights[rng.integers(6)] = 2.0
    plain = make_pose(at, rng, away)
    return replace(plain, axis_weights=axis_weights)


def make_com(at: Posture, rng: Rng, away: float) -> ComTask:
    target = at.com + away * rng.normal(size=3)
    axes = random_axes(rng) if rng.random() < 0.5 else "xyz"
    return ComTask(target, axes, *rng.normal(size=(2, 3)), **random_options(rng))


def make_relative(at: Posture, rng: Rng, away: float) -> RelativeTask:
    point, base = random_point(at.model, rng), random_point(at.model, rng)
    target = off(at.pose(base).inverse() @ at.pose(point), rng, away)
    axes, turns = (random_axes(rng), random_axes(rng)) if rng.random() < 0.7 else ("xyz", "")
    return RelativeTask(
        point, base, target, axes, turns, *rng.normal(size=(2, 6)), **random_options(rng)
    )


def make_posture(at: Posture, rng: Rng, away: float) -> PostureTask:
    n = at.model.n_dof
    weights = np.where(rng.random(n) < 0.3, 0.0, rng.uniform(0.1, 3, n))
    weights[rng.integers(n)] = 1.0
    if at.model.joints[0].kind == "floating":  # a root's three turns count together
        weights[3:6] = rng.choice([0.0, 1.0])
    target = at.moved(away * rng.normal(size=n)).q
    chosen = weights if rng.random() < 0.7 else None
    return PostureTask(target, chosen, rng.normal(size=n), **random_options(rng))


def make_sliding(at: Posture, rng: Rng, away: float) -> SlidingPointTask:
    distance, rate = rng.uniform(0, 2), rng.normal()
    point, _ = point_along(at.model, distance)
    target = off(at.pose(point), rng, away).translation
    return SlidingPointTask(None, distance, target, rate, rng.normal(size=3), **random_options(rng))


def select(task: Any, three: Array) -> Array:
    axes = getattr(task, "axes", getattr(task, "turns", ""))
    return np.asarray((task.frame.T @ three)[axis_rows(axes)])


def select_six(task: RelativeTask, six: Array) -> Array:
    return np.concatenate([six[:3][axis_rows(task.axes)], six[3:][axis_rows(task.rotation_axes)]])


@dataclass(frozen=True)
class Case:
    """How to make a kind of task, and what its target does in its own rows (rate, acceleration)."""

    make: Callable[[Posture, Rng, float], Any]
    feed: Callable[[Any], tuple[Array, Array]]


TASKS = {
    "point": Case(make_point, lambda t: (select(t, t.velocity), select(t, t.acceleration))),
    "whole point": Case(make_whole_point, lambda t: (t.velocity, t.acceleration)),
    "orientation": Case(
        make_orientation, lambda t: (select(t, t.velocity), select(t, t.acceleration))
    ),
    "whole orientation": Case(make_whole_orientation, lambda t: (t.velocity, t.acceleration)),
    "pose": Case(make_pose, lambda t: (t.twist, t.acceleration)),
    "weighted pose": Case(
        make_weighted_pose, lambda t: (t.twist[t.rows()], t.acceleration[t.rows()])
    ),
    "com": Case(
        make_com,
        lambda t: (t.velocity[axis_rows(t.axes)], t.acceleration[axis_rows(t.axes)]),
    ),
    "relative": Case(
        make_relative, lambda t: (select_six(t, t.twist), select_six(t, t.acceleration))
    ),
    "posture": Case(make_posture, lambda t: (t.velocity[t.dofs()], np.zeros(len(t.dofs())))),
    "sliding": Case(make_sliding, lambda t: (t.velocity, np.zeros(3))),
}


def setting(seed: int) -> tuple[Posture, Rng]:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, floating=bool(seed % 3 == 0))
    return Posture(model, random_posture(model, rng)), rng


def weights(task: Task) -> Array:
    """Return the square roots by which the rows of a task are scaled."""
    if isinstance(task, PostureTask) and task.joint_weights is not None:
        return np.asarray(np.sqrt(task.weight * task.joint_weights[task.dofs()]))
    if isinstance(task, PoseTask) and task.axis_weights is not None:
        return np.asarray(np.sqrt(task.weight * np.asarray(task.axis_weights)[task.rows()]))
    return np.full(1, math.sqrt(task.weight))
