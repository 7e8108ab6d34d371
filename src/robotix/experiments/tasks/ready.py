"""Postures from which a task can begin: the hand in place, all targets within a steady reach."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

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
# Boxes around the person, m, lowest and highest corner: trunk and head; legs, forearms and seat;
# the push handles behind.
RIDER_BOXES = np.array(
    [
        [[-0.2, -0.25, 0.4], [0.28, 0.25, 1.4]],
        [[-0.2, -0.3, 0.1], [0.5, 0.3, 0.76]],
        [[-0.36, -0.26, 0.3], [-0.06, 0.26, 1.2]],
    ]
)
NEAR = 0.25  # m
HAND_BODIES = 3  # last bodies of an arm: from the wrist on
ELBOW_GAP = 0.08  # m
MAX_KEPT = 64  # results
MIN_GAP, FREE_GAP = 0.06, 0.12  # m from the joints of the arm to these boxes: least, ample


@dataclass(frozen=True, eq=False)
class ReadyPosture:
    """A posture at the start of a task, and how many of the task's points it leads to."""

    q: Array  # (n_dof,)
    reached: int
    total: int


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
    best: tuple[tuple[int, float], Array] | None = None
    points = task_points(task)
    for k, q0 in enumerate(sample_postures(model, CANDIDATES, rng=rng)):
        rotation = task.hand_rotation @ rotation_about([0, 0, 1], np.pi * (k % 2))
        goal = base_from_room @ Pose(rotation, task.hand_position)
        found = solve(model, goal, point=grip, q0=q0, restarts=20, seed=k, tolerance=1e-5)
        gap = rider_gap(model, base, found.q)
        elbow = _elbow_gap(model, base, found.q, task.keep_out)
        if not found.converged or gap < MIN_GAP or elbow < ELBOW_GAP:
            continue
        reached = sum(
            _leads_to(model, found.q, [Pose(rotation, p) for p in way], base, task)
            for way in _ways(task.hand_position, points)
        )
        score = (
            reached,
            _comfort(model, found.q) * min(gap, FREE_GAP) * _nearness(model, found.q, goal),
        )
        if best is None or score > best[0]:
            best = score, found.q
    if best is None:
        raise ValueError(
            f"{model.name} cannot bring its hand to the start of {task.name!r}; "
            "mount it elsewhere, or take an arm of longer reach"
        )
    return ReadyPosture(best[1], best[0][0], len(points))


def _ways(start: Array, points: Array) -> list[list[Array]]:
    """Return points on a straight line from the start to each target."""
    ways = []
    for point in points:
        count = max(int(np.ceil(np.linalg.norm(point - start) / STEP)), 1)
        ways.append([start + (point - start) * k / count for k in range(1, count + 1)])
    return ways


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
    return min(_box_gap(box, points) for box in RIDER_BOXES)


def _elbow_gap(model: Model, base: Pose, q: Array, boxes: Sequence[Array]) -> float:
    """Return the distance of the elbow, and of what comes before it, from boxes, m."""
    posture = Posture(model, q)
    names = [body.name for body in model.chain()][:-HAND_BODIES]
    points = base.apply(np.array([posture.position(name) for name in names]))
    return min((_box_gap(box, points) for box in boxes), default=np.inf)


def _box_gap(box: Array, points: Array) -> float:
    outside = np.maximum(np.maximum(box[0] - points, points - box[1]), 0.0)
    return float(np.linalg.norm(outside, axis=1).min())
