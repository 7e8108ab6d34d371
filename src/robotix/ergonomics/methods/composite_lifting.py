"""The composite lifting index of a job with several lifts ([NIOSH1994], section 2.4).

With the lifts in order of decreasing index, CLI = LI_1 + Σ ΔLI_i for i ≥ 2, where
ΔLI_i = FILI_i (1/FM(f_1 + … + f_i) − 1/FM(f_1 + … + f_(i−1))), with the frequencies f, the
frequency multiplier FM and the frequency-independent index FILI.
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
    """The composite lifting index of a job, with the worst lift first."""

    results: tuple[LiftingResult, ...]
    steps: tuple[ScoreStep, ...]  # increment of each lift
    index: float  # CLI
    verdict: Verdict
    sources: tuple[str, ...]


def composite_lifting_index(lifts: Sequence[Lift]) -> CompositeResult:
    """Return the composite lifting index of lifts that alternate over the same duration."""
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
    """Return the increment of a lift in a job that already has `before` lifts per minute."""
    lift = result.lift
    after = before + lift.per_minute
    growth = _strain(lift, after) - _strain(lift, before)
    if math.isnan(growth):  # the frequency is already beyond the table
        growth = 0.0
    score = 0.0 if result.single_lift_index == 0 else result.single_lift_index * growth
    return ScoreStep(_name(result), score, f"from {before:g} to {after:g} lifts a minute")


def _strain(lift: Lift, per_minute: float) -> float:
    multiplier = frequency_multiplier(per_minute, hours=lift.hours, is_low=is_low(lift))
    return 1 / multiplier if multiplier > 0 else math.inf


def _name(result: LiftingResult) -> str:
    return f"{result.lift.load:g} kg, {result.lift.per_minute:g} a minute"
