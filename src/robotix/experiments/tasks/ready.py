"""Postures from which a task can begin: the hand in place, all targets within a steady reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from robotix.experiments.tasks.sides import (
    RIDER_BOXES,
    box_gap,
    find_folded_posture,
    mirrored_posture,
)
from robotix.experiments.tasks.task import LabTask
from robotix.geometry import Array, Pose, rotation_about
from robotix.kinematics import Posture
from robotix.kinematics.dexterity_criteria import Manipulability
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.kinematics.searcher import solve
from robotix.model import ControlPoint, Model

__all__ = [
    "GRIP_OFFSET",
    "ReadyPosture",
    "find_ready_posture",
    "grip_point",
    "rider_gap",
    "task_points",
]

GRIP_OFFSET = 0.125  # m from the flange to the point between the fingers
CANDIDATES = 48  # postures tried
STEP = 0.06  # m between two postures on the way to a target
MAX_JOINT_STEP = 0.6  # rad or m a step; more is a jump to another branch
NEAR = 0.25  # m
HAND_BODIES = 3  # last bodies of an arm: from the wrist on
ELBOW_GAP = 0.08  # m
MAX_KEPT = 64  # results
MIN_GAP, FREE_GAP = 0.06, 0.12  # m from the joints of the arm to the person: least, ample
SHOULDER = 3  # first bodies of an arm, up to its shoulder
WAY_GAP = 0.03  # m, on the way to a target
MAX_FOLDED = 6  # of the best candidates, examined for a folded posture


@dataclass(frozen=True, eq=False)
class ReadyPosture:
    """A posture at the start of a task, and which of the task's points it leads to.

    `folded` is the posture in which the arm passes behind the chair, in rooms with two sides.
    """

    q: Array  # (n_dof,)
    leads_to: NDArray[np.bool_]  # (N,), in the order of `task_points`
    folded: Array | None = None  # (n_dof,)

    @property
    def reached(self) -> int:
        """How many points it leads to."""
        return int(self.leads_to.sum())

    @property
    def total(self) -> int:
        """How many points the task has."""
        return len(self.leads_to)

    def mirrored(self, model: Model, task: LabTask) -> ReadyPosture:
        """Return the same on the other side of the chair."""
        points = task_points(task)
        away = np.linalg.norm(points[:, None] - points[None] * [1.0, -1.0, 1.0], axis=2)
        q = mirrored_posture(model, self.q)
        folded = None if self.folded is None else mirrored_posture(model, self.folded)
        return ReadyPosture(q, self.leads_to[away.argmin(axis=1)], folded)


def grip_point(model: Model) -> ControlPoint:
    """Return the point between the fingers of the laboratory's gripper."""
    tip = model.point(model.tip)
    return ControlPoint(tip.body, tip.pose @ Pose.at(0.0, 0.0, GRIP_OFFSET))


def task_points(task: LabTask) -> Array:
    """Return where the grip must get to in a task, (N, 3): all things and all targets of goals."""
    starts = [np.array(task.objects[name]["at"]) for name in task.things]
    targets = [target for goal in task.goals for target in goal.targets]
    every = np.array([*starts, *targets]) + task.grip_offset
    return np.unique(every.round(6), axis=0)


def find_ready_posture(model: Model, base: Pose, task: LabTask) -> ReadyPosture:
    """Return the posture of an arm whose base is at `base` in the room; deterministic.

    Of several postures with the hand in place the one counts from which most points of the task can
    be reached on straight lines, without turning the hand; then one that is dexterous, and far from
    joint limits and the person.
    """
    parts = (base.matrix, task.hand_position, task.hand_rotation, task_points(task), model.upper)
    key = (model.name, b"".join(np.ascontiguousarray(part).tobytes() for part in parts))
    if key not in _found:
        if len(_found) >= MAX_KEPT:
            _found.clear()
        _found[key] = _find(model, base, task)
    return _found[key]


_found: dict[tuple[str, bytes], ReadyPosture] = {}  # a search takes seconds, a study many trials


def _find(model: Model, base: Pose, task: LabTask) -> ReadyPosture:
    base_from_room = base.inverse()
    grip = grip_point(model)
    rng = np.random.default_rng(0)
    found: list[tuple[int, float, ReadyPosture]] = []
    points = task_points(task)
    half = (model.lower[0] + model.upper[0]) / 2
    for k, q0 in enumerate(sample_postures(model, CANDIDATES, rng=rng)):
        if task.has_sides:
            q0[0] = model.lower[0] + (q0[0] - model.lower[0]) / 4  # the left straight
        rotation = task.hand_rotation @ rotation_about([0, 0, 1], np.pi * (k % 2))
        goal = base_from_room @ Pose(rotation, task.hand_position)
        near = solve(model, goal, point=grip, q0=q0, restarts=20, seed=k, tolerance=1e-5)
        gap = rider_gap(model, base, near.q)
        elbow = _elbow_gap(model, base, near.q, task.keep_out)
        is_beside = not task.has_sides or near.q[0] < half
        if not near.converged or not is_beside or gap < MIN_GAP or elbow < ELBOW_GAP:
            continue
        leads_to = [
            _leads_to(model, near.q, [Pose(rotation, p) for p in way], base, task)
            for way in _ways(task, points)
        ]
        comfort = _comfort(model, near.q) * min(gap, FREE_GAP) * _nearness(model, near.q, goal)
        found.append((sum(leads_to), comfort, ReadyPosture(near.q, np.array(leads_to))))
    if not found:
        raise ValueError(
            f"{model.name} cannot bring its hand to the start of {task.name!r}; "
            "mount it elsewhere, or take an arm of longer reach"
        )
    found.sort(key=lambda each: each[:2], reverse=True)
    if not task.has_sides:
        return found[0][2]
    for _, _, ready in found[:MAX_FOLDED]:
        folded = find_folded_posture(model, base, task, ready.q)
        if folded is not None:
            return replace(ready, folded=folded)
    return found[0][2]


def _ways(task: LabTask, points: Array) -> list[list[Array]]:
    """Return points on the lines from the start to free space before each target, and to it."""
    out = task.carry_offsets[-1] if task.carry_offsets else task.approach_offset
    return [
        [*_line(task.hand_position, point + out), *_line(point + out, point)] for point in points
    ]


def _line(start: Array, end: Array) -> list[Array]:
    count = max(int(np.ceil(np.linalg.norm(end - start) / STEP)), 1)
    return [start + (end - start) * k / count for k in range(1, count + 1)]


def _leads_to(model: Model, q: Array, poses: Sequence[Pose], base: Pose, task: LabTask) -> bool:
    """Return whether the hand gets through all poses in the room without a jump of the joints."""
    postures, grip, base_from_room = [q], grip_point(model), base.inverse()
    for pose in poses:
        goal = base_from_room @ pose
        found = solve(model, goal, point=grip, q0=postures[-1], restarts=0, tolerance=1e-4)
        if not found.converged:
            return False
        if _elbow_gap(model, base, found.q, task.keep_out) < ELBOW_GAP:
            return False
        if rider_gap(model, base, found.q, without=SHOULDER) < WAY_GAP:
            return False
        postures.append(found.q)
    return all(float(abs(b - a).max()) <= MAX_JOINT_STEP for a, b in pairwise(postures))


def _comfort(model: Model, q: Array) -> float:
    """Return manipulability, times the smallest distance from a joint limit as a share of it."""
    lower, upper = joint_ranges(model)
    margin = np.minimum(q - lower, upper - q) / (upper - lower)
    return Manipulability().value(Posture(model, q)) * float(margin.min())


def _nearness(model: Model, q: Array, goal: Pose) -> float:
    """Return 1 for an arm whose carriage is below the hand; e-fold less for every `NEAR` away."""
    posture = Posture(model, q)
    foot = (
        posture.position("carriage")
        if any(body.name == "carriage" for body in model.bodies)
        else np.zeros(3)
    )
    away = float(np.linalg.norm((goal.translation - foot)[:2]))
    return float(np.exp(-away / NEAR))


def rider_gap(model: Model, base: Pose, q: Array, *, without: int = 0) -> float:
    """Return the distance of the arm's joints from the boxes around the person, m.

    The first bodies of the arm, which hardly move, can be left `without`.
    """
    posture = Posture(model, q)
    arm = [body.name for body in model.chain() if body.name not in ("rail", "carriage")]
    points = base.apply(np.array([posture.position(name) for name in arm[without:]]))
    return box_gap(tuple(RIDER_BOXES), points)


def _elbow_gap(model: Model, base: Pose, q: Array, boxes: Sequence[Array]) -> float:
    """Return the distance of the elbow, and of what comes before it, from boxes, m."""
    posture = Posture(model, q)
    names = [body.name for body in model.chain()][:-HAND_BODIES]
    points = base.apply(np.array([posture.position(name) for name in names]))
    return box_gap(tuple(boxes), points)
