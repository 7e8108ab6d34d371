"""Loads of a performance as inputs of the Liberty Mutual equations and of LiFFT.

A two-handed lift counts with the larger of its two reaches, and a carry with the mean height of the
hands. The arm of LiFFT is the largest horizontal distance from L5/S1 to the hands that hold a load.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.ergonomics.methods.manual_handling.acceptable_loads import (
    Handling,
    HandlingResult,
    assess_handling,
    load_liberty_mutual,
)
from robotix.ergonomics.methods.manual_handling.lifting_fatigue import (
    FatigueResult,
    RepeatedLift,
    lifting_fatigue,
)
from robotix.ergonomics.signals.circumstances import phase_rows
from robotix.ergonomics.signals.job import Job
from robotix.ergonomics.signals.lift_positions import AssessedLift
from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.loads import LoadPhase
from robotix.human.motion.performance import Performance
from robotix.kinematics.batch import forward_batch

__all__ = ["HandledLoad", "RepeatedLoads", "handled_loads", "repeated_loads"]

HANDLES = {"good": "good", "fair": "poor", "poor": "none"}  # grips in the words of the equations


@dataclass(frozen=True)
class HandledLoad:
    """A lift or a carry, and what people accept."""

    load: str
    row: int
    result: HandlingResult | None
    why_not: str  # why it is not assessed; empty if it is


@dataclass(frozen=True)
class RepeatedLoads:
    """The lifts of a performance over the day, and where the arm of the worst is largest."""

    result: FatigueResult
    row: int


def handled_loads(
    performance: Performance, lifts: Sequence[AssessedLift], job: Job
) -> tuple[HandledLoad, ...]:
    """Return every two-handed lift and carry of a performance."""
    phases = {phase.load.name: phase for phase in performance.loads}
    found: list[HandledLoad] = []
    for lift in lifts:
        found.append(_lifted(lift, job))
        if lift.load in phases:
            found += _carried(performance, phases[lift.load], job)
    return tuple(found)


def repeated_loads(performance: Performance, job: Job) -> RepeatedLoads | None:
    """Return the damage of a day of a performance; None without loads."""
    carried = [phase for phase in performance.loads if phase.load.mass > 0]
    if not carried:
        return None
    per_day = 60 * job.per_minute * job.hours
    lifts, rows = [], []
    for phase in carried:
        arms = _arms(performance, phase)
        k = int(np.argmax(arms[:, 1]))
        rows.append(int(arms[k, 0]))
        lifts.append(RepeatedLift(load=phase.load.mass, arm=float(arms[k, 1]), per_day=per_day))
    result = lifting_fatigue(lifts)
    worst = int(np.argmax([step.score for step in result.steps]))
    return RepeatedLoads(result, rows[worst])


def _lifted(lift: AssessedLift, job: Job) -> HandledLoad:
    taken, put = (end.result.lift for end in (lift.origin, lift.destination))
    closest = load_liberty_mutual().range["female"].horizontal[0]
    given = Handling(
        kind="lift" if put.vertical >= taken.vertical else "lower",
        load=taken.load,
        per_minute=_frequency(job),
        horizontal=max(taken.horizontal, put.horizontal, closest),
        start=taken.vertical,
        end=put.vertical,
        handles=HANDLES[job.coupling],
    )
    return _assessed(lift.load, lift.worse.row, given)


def _carried(performance: Performance, phase: LoadPhase, job: Job) -> Iterator[HandledLoad]:
    """Yield a carry, if the load goes far enough for the equations."""
    times = performance.motion.times
    rows = np.flatnonzero(phase_rows(phase, times))
    model, q = performance.manikin.model, performance.motion.q[rows]
    ankles = _middle(performance, rows, "ankle")
    steps = np.linalg.norm(np.diff(ankles[:, :2], axis=0), axis=1)
    way = float(steps.sum())
    shortest = load_liberty_mutual().range["female"].carry_distance[0]
    if way < shortest:
        return
    soles = [forward_batch(model, q, point=f"{side}_foot")[0][:, 2] for side in SIDES]
    height = float(np.mean(_middle(performance, rows, "hand")[:, 2] - np.minimum(*soles)))
    given = Handling(
        kind="carry",
        load=phase.load.mass,
        per_minute=_frequency(job),
        height=height,
        distance=way,
    )
    yield _assessed(phase.load.name, int(rows[len(rows) // 2]), given)


def _assessed(name: str, row: int, given: Handling) -> HandledLoad:
    try:
        return HandledLoad(name, row, assess_handling(given), "")
    except ValueError as error:  # beyond what was studied
        return HandledLoad(
            name, row, None, f"{name}: {given.kind} is beyond the Liberty Mutual equations: {error}"
        )


def _frequency(job: Job) -> float:
    return max(job.per_minute, load_liberty_mutual().frequency[0])


def _arms(performance: Performance, phase: LoadPhase) -> Array:
    """Return rows, and the horizontal distance from L5/S1 to the hands, (M, 2)."""
    rows = np.flatnonzero(phase_rows(phase, performance.motion.times))
    model, q = performance.manikin.model, performance.motion.q[rows]
    hands = np.mean(
        [forward_batch(model, q, point=f"{side}_hand")[0] for side in phase.load.hands], axis=0
    )
    spine = forward_batch(model, q, point="L5S1")[0]
    return np.column_stack([rows, np.linalg.norm((hands - spine)[:, :2], axis=1)])


def _middle(performance: Performance, rows: NDArray[np.intp], point: str) -> Array:
    """Return the middle of the right and the left point, (M, 3)."""
    model, q = performance.manikin.model, performance.motion.q[rows]
    sides = [forward_batch(model, q, point=f"{side}_{point}")[0] for side in SIDES]
    return np.asarray(np.mean(sides, axis=0))
