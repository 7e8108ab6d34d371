"""How good a design is for tasks: reach, dexterity, distance from joint limits, clearance.

Every point of a task is asked for with the rotation that the hand keeps there, or turned by half.
Of the postures that are found, clear of the person, the best one counts. A point has the rating

    w_reach + w_dexterity · isotropy + w_limits · 2 d + w_clearance · min(gap / AMPLE, 1)

with d, the smallest share of a joint's range to its limit (0 to 0.5), and the weights of sum 1; a
point that is not reached has 0. Points count alike within a task, tasks alike within a design.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from robotix.errors import BadField
from robotix.experiments.design.parameters import Design
from robotix.experiments.tasks.ready import grip_point, task_points
from robotix.experiments.tasks.sides import RIDER_BOXES
from robotix.experiments.tasks.task import LabTask
from robotix.geometry import Array, rotation_about
from robotix.kinematics.batch import forward_batch, singular_values_batch
from robotix.kinematics.dexterity import isotropy_of
from robotix.kinematics.sampling import joint_ranges, sample_postures
from robotix.kinematics.searcher import solve_batch

__all__ = ["DesignRating", "DesignWeights", "TaskRating", "rate_design"]

STARTS = 8  # postures from which every point is searched for, half of them with the hand turned
RESTARTS = 10
TOLERANCE = 1e-4  # m and rad
MIN_CLEARANCE = 0.03  # m between the joints of the arm and boxes around the person
AMPLE = 0.3  # m from which more clearance is of no use (assumed)
FIXED_BODIES = 3  # base and shoulder hardly move: they must be clear, but are not rated
HALF_RANGE = 0.5  # the largest share of a joint's range to its limit


@dataclass(frozen=True)
class DesignWeights:
    """What counts how much; scaled to a sum of 1. The numbers are a choice, not a finding."""

    reach: float = 0.4
    dexterity: float = 0.3
    limits: float = 0.15
    clearance: float = 0.15

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if not (np.isfinite(value) and value >= 0):
                raise BadField(f"weight of {each.name}", "a number of at least 0", value)
        if not self.total > 0:
            raise BadField("weights", "at least one above 0", 0.0)

    @property
    def total(self) -> float:
        """The sum."""
        return self.reach + self.dexterity + self.limits + self.clearance


@dataclass(frozen=True)
class TaskRating:
    """A design in one task; means are over the points that are reached, NaN if none is."""

    task: str
    points: int
    reached: int
    rating: float  # 0 to 1
    isotropy: float  # 0 to 1
    limit_distance: float  # 0 to 0.5
    clearance: float  # m


@dataclass(frozen=True)
class DesignRating:
    """A design over all its tasks."""

    rating: float  # 0 to 1
    tasks: tuple[TaskRating, ...]


def rate_design(
    design: Design, tasks: Sequence[LabTask], *, weights: DesignWeights, seed: int = 0
) -> DesignRating:
    """Return the rating of a design; the same for the same arguments."""
    rng = np.random.default_rng(seed)
    starts = sample_postures(design.model, STARTS, rng=rng)
    found = tuple(_rate_task(design, task, weights, starts, seed) for task in tasks)
    return DesignRating(float(np.mean([each.rating for each in found])), found)


def _rate_task(
    design: Design, task: LabTask, weights: DesignWeights, starts: Array, seed: int
) -> TaskRating:
    points = task_points(task)
    n = len(points)
    best = np.zeros(n)
    measures = np.full((n, 3), np.nan)  # isotropy, distance from limits, clearance
    for k, q0 in enumerate(starts):
        q, is_reached = _search(design, task, points, q0, k, seed)
        here = _measure(design, q)
        is_reached &= _gap(design, q, 0) >= MIN_CLEARANCE
        values = _rating_of(here, weights)
        is_better = is_reached & (values > best)
        best[is_better], measures[is_better] = values[is_better], here[is_better]
    is_reached = ~np.isnan(measures[:, 0])
    means = measures[is_reached].mean(axis=0) if is_reached.any() else np.full(3, np.nan)
    return TaskRating(task.name, n, int(is_reached.sum()), float(best.mean()), *map(float, means))


def _search(
    design: Design, task: LabTask, points: Array, q0: Array, k: int, seed: int
) -> tuple[Array, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
    """Return a posture for each point, and whether it gets there."""
    base_from_room = design.base.inverse()
    turn = rotation_about([0, 0, 1], np.pi * (k % 2))  # a hand is the same turned by half
    rotation = base_from_room.rotation @ task.hand_rotation @ turn
    found = solve_batch(
        design.model, base_from_room.apply(points), rotation, point=grip_point(design.model),
        q0=q0, tolerance=TOLERANCE, restarts=RESTARTS, seed=seed + 1000 * k,
    )  # fmt: skip
    return found.q, found.converged


def _measure(design: Design, q: Array) -> Array:
    model = design.model
    lower, upper = joint_ranges(model)
    isotropy = isotropy_of(singular_values_batch(model, q, normalised=True))
    limits = (np.minimum(q - lower, upper - q) / (upper - lower)).min(axis=1)
    return np.column_stack([isotropy, limits, _gap(design, q, FIXED_BODIES)])


def _rating_of(measures: Array, weights: DesignWeights) -> Array:
    isotropy, limits, gap = measures.T
    rating = (
        weights.reach
        + weights.dexterity * isotropy
        + weights.limits * limits / HALF_RANGE
        + weights.clearance * np.minimum(gap / AMPLE, 1.0)
    )
    return np.asarray(rating / weights.total)


def _gap(design: Design, q: Array, without: int) -> Array:
    """Return the distance (N,) of the arm's joints from the boxes around the person, m."""
    model = design.model
    arm = [body.name for body in model.chain() if body.name not in ("rail", "carriage")]
    joints = np.stack([design.base.apply(forward_batch(model, q, point=each)[0]) for each in arm])
    points = joints[without:, :, None]  # (bodies, N, 1, 3)
    low, high = RIDER_BOXES[:, 0], RIDER_BOXES[:, 1]
    away = np.maximum(np.maximum(low - points, points - high), 0.0)  # (bodies, N, boxes, 3)
    return np.asarray(np.linalg.norm(away, axis=3).min(axis=(0, 2)))


def weights_from(changes: Mapping[str, float]) -> DesignWeights:
    """Return the usual weights with some changed."""
    known = [each.name for each in fields(DesignWeights)]
    for name in changes:
        if name not in known:
            raise BadField("weight", f"one of {', '.join(known)}", name)
    return DesignWeights(**changes)
