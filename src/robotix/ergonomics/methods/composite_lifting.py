"""Several lifts in one job: the composite lifting index ([NIOSH1994], section 2.4).

The worst lift counts in full. Every other one, from worse to better, adds what its lifts raise the
strain of the job by: its single-lift index times the growth of 1/FM with the frequency so far.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from robotix.ergonomics.methods.lifting import (
    Lift,
    LiftingResult,
    frequency_multiplier,
    index_levels,
    is_low,
    lifting_index,
    load_rnle,
)
from robotix.ergonomics.methods.verdict import ScoreStep, Verdict, judge

__all__ = ["CompositeResult", "composite_lifting_index"]


@dataclass(frozen=True)
class CompositeResult:
    """The index of a job of several lifts, worst lift first."""

    results: tuple[LiftingResult, ...]
    steps: tuple[ScoreStep, ...]  # what each lift adds
    index: float  # CLI
    verdict: Verdict
    sources: tuple[str, ...]


def composite_lifting_index(lifts: Sequence[Lift]) -> CompositeResult:
    """Return the composite lifting index of lifts that take turns for the same time."""
    if not lifts:
        raise ValueError("a job needs at least one lift, got none")
    if len({lift.hours for lift in lifts}) > 1:
        hours = ", ".join(f"{lift.hours:g}" for lift in lifts)
        raise ValueError(f"the lifts of one job share its hours, got {hours}: give all the same")
    results = sorted(map(lifting_index, lifts), key=lambda result: -result.index)
    steps = [ScoreStep(_name(results[0]), results[0].index, "the worst lift, on its own")]
    so_far = results[0].lift.per_minute
    for result in results[1:]:
        steps.append(_increment(result, before=so_far))
        so_far += result.lift.per_minute
    index = math.fsum(step.score for step in steps)
    sources = (*results[0].sources, load_rnle().composite)
    return CompositeResult(
        tuple(results), tuple(steps), index, judge(index, index_levels()), sources
    )


def _increment(result: LiftingResult, *, before: float) -> ScoreStep:
    """Return what a lift adds to a job of `before` lifts a minute."""
    lift = result.lift
    after = before + lift.per_minute
    growth = _strain(lift, after) - _strain(lift, before)
    if math.isnan(growth):  # too often already
        growth = 0.0
    score = 0.0 if result.single_lift_index == 0 else result.single_lift_index * growth
    return ScoreStep(_name(result), score, f"from {before:g} to {after:g} lifts a minute")


def _strain(lift: Lift, per_minute: float) -> float:
    multiplier = frequency_multiplier(per_minute, hours=lift.hours, is_low=is_low(lift))
    return 1 / multiplier if multiplier > 0 else math.inf


def _name(result: LiftingResult) -> str:
    return f"{result.lift.load:g} kg, {result.lift.per_minute:g} a minute"
