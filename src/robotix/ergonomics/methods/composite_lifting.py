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
    LiftingForm,
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


def composite_lifting_index(
    lifts: Sequence[Lift], *, form: LiftingForm = "metric"
) -> CompositeResult:
    """Return the composite lifting index of lifts that alternate over the same duration.

    Args:
        lifts: In metres and kilograms, whatever the form.
        form: Constants of the equation, as of `lifting_index`.
    """
    if not lifts:
        raise ValueError("a job needs at least one lift, got none")
    if len({lift.hours for lift in lifts}) > 1:
        hours = ", ".join(f"{lift.hours:g}" for lift in lifts)
        raise ValueError(f"the lifts of one job share its hours, got {hours}: give all the same")
    found = [lifting_index(lift, form=form) for lift in lifts]
    # among equal lifts, the manual puts the more frequent one first
    results = sorted(found, key=lambda result: (-result.index, -result.lift.per_minute))
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
    growth = _strain(result, after) - _strain(result, before)
    if math.isnan(growth):  # the frequency is already beyond the table
        growth = 0.0
    score = 0.0 if result.single_lift_index == 0 else result.single_lift_index * growth
    return ScoreStep(_name(result), score, f"from {before:g} to {after:g} lifts a minute")


def _strain(result: LiftingResult, per_minute: float) -> float:
    low, hours = is_low(result.lift, form=result.form), result.lift.hours
    multiplier = frequency_multiplier(per_minute, hours=hours, is_low=low)
    return 1 / multiplier if multiplier > 0 else math.inf


def _name(result: LiftingResult) -> str:
    form = load_rnle().form(result.form)
    load = round(result.lift.load / form.mass, 6)
    return f"{load:g} {form.names[1]}, {result.lift.per_minute:g} a minute"
