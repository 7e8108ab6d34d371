"""What an arm can do at the points of a task: reach, dexterity, distance from limits, clearance.

Every point is asked for with the rotation that the hand keeps during the task. Of several postures
that reach it, clear of the person, the most dexterous one counts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.experiments.tasks.library import load_task
from robotix.experiments.tasks.ready import grip_point, rider_gap, task_points
from robotix.experiments.tasks.room import RoomSetup, make_robot
from robotix.experiments.tasks.task import LabTask
from robotix.geometry import Array, Pose, rotation_about
from robotix.kinematics.batch import singular_values_batch
from robotix.kinematics.dexterity import isotropy_of
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.kinematics.searcher import solve
from robotix.model import Model

__all__ = ["TargetReach", "compare_targets", "reach_targets"]

STARTS = 12  # postures from which a point is searched for
MIN_CLEARANCE = 0.03  # m between the joints of the arm and boxes around the person
FIXED_BODIES = 3  # base and shoulder, which stand beside the person in every posture
TILT = np.radians(15.0)  # of the rail, for the mounting `rail_tilt`


@dataclass(frozen=True)
class TargetReach:
    """One arm, one mounting, the points of one task; means are over the points that are reached."""

    task: str
    arm: str
    mounting: str
    points: int
    reached: int
    isotropy: float  # 0 to 1; NaN if no point is reached
    limit_distance: float  # smallest share of a joint's range to its limit, 0 to 0.5
    clearance: float  # m, of elbow, wrist and hand from boxes around the person

    @property
    def share(self) -> float:
        """Share of the points that are reached."""
        return self.reached / self.points


def compare_targets(
    tasks: Sequence[str],
    arms: Sequence[str],
    mountings: Sequence[str],
    *,
    seed: int = 0,
    advance: Callable[[], None] = lambda: None,
) -> list[TargetReach]:
    """Return all combinations of tasks, arms and mountings."""
    found = []
    for name in tasks:
        task = load_task(name)
        for arm in arms:
            for mounting in mountings:
                tilt = float(TILT) if mounting == "rail_tilt" else 0.0
                setup = RoomSetup(arm=arm, mounting=mounting, tilt=tilt)
                found.append(reach_targets(task, setup, rng=np.random.default_rng(seed)))
                advance()
    return found


def reach_targets(task: LabTask, setup: RoomSetup, *, rng: np.random.Generator) -> TargetReach:
    """Return what an arm can do at the points of a task."""
    _, model, base = make_robot(setup)
    points = task_points(task)
    starts = sample_postures(model, STARTS, rng=rng)
    best = [_best_posture(model, base, task, point, starts) for point in points]
    q = np.array([each for each in best if each is not None])
    if not len(q):
        nothing = float("nan")
        return TargetReach(
            task.name, setup.arm, setup.mounting, len(points), 0, nothing, nothing, nothing
        )
    lower, upper = joint_ranges(model)
    limits = (np.minimum(q - lower, upper - q) / (upper - lower)).min(axis=1)
    return TargetReach(
        task.name,
        setup.arm,
        setup.mounting,
        len(points),
        len(q),
        float(_isotropy(model, q).mean()),
        float(limits.mean()),
        float(np.mean([rider_gap(model, base, each, without=FIXED_BODIES) for each in q])),
    )


def _best_posture(
    model: Model, base: Pose, task: LabTask, point: Array, starts: Array
) -> Array | None:
    """Return the most dexterous posture found for a point; None if there is none."""
    base_from_room, grip = base.inverse(), grip_point(model)
    found = []
    for k, q0 in enumerate(starts):
        turn = rotation_about([0, 0, 1], np.pi * (k % 2))  # a hand is the same turned by half
        goal = base_from_room @ Pose(task.hand_rotation @ turn, point)
        result = solve(model, goal, point=grip, q0=q0, restarts=3, seed=k, tolerance=1e-4)
        if result.converged and rider_gap(model, base, result.q) >= MIN_CLEARANCE:
            found.append(result.q)
    if not found:
        return None
    return found[int(np.argmax(_isotropy(model, np.array(found))))]


def _isotropy(model: Model, q: Array) -> Array:
    return isotropy_of(singular_values_batch(model, q, normalised=True))
