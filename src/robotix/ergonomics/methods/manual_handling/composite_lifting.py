"""Indices of a job with several lifts: composite [NIOSH1994], and variable [Waters2016].

With the lifts in order of decreasing index, CLI = LI_1 + Σ ΔLI_i for i ≥ 2, where
ΔLI_i = FILI_i (1/FM(f_1 + … + f_i) − 1/FM(f_1 + … + f_(i−1))), with the frequencies f, the
frequency multiplier FM and the frequency-independent index FILI (section 2.4 of the manual).

For the variable index VLI, of lifts that all differ, the span from the lowest to the highest FILI
is divided into six categories of equal width; a category counts as one lift, with the mean FILI
and the sum of the frequencies of its lifts, and the same equation adds the categories up.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from robotix.ergonomics.methods.manual_handling.lifting import (
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

__all__ = [
    "CompositeResult",
    "LiftCategory",
    "VariableResult",
    "composite_lifting_index",
    "variable_lifting_index",
]

CATEGORIES = 6  # of the frequency-independent index


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
    _check_job(lifts)
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


def _check_job(lifts: Sequence[Lift]) -> None:
    """Raise ValueError unless there are lifts, and all share the hours of the job."""
    if not lifts:
        raise ValueError("a job needs at least one lift, got none")
    if len({lift.hours for lift in lifts}) > 1:
        hours = ", ".join(f"{lift.hours:g}" for lift in lifts)
        raise ValueError(f"the lifts of one job share its hours, got {hours}: give all the same")


@dataclass(frozen=True)
class LiftCategory:
    """The lifts of a job with similar frequency-independent indices, as one lift."""

    low: float  # lowest FILI of the category
    high: float  # highest
    single_lift_index: float  # mean FILI of its lifts, weighted by their frequencies
    per_minute: float  # lifts a minute of all of them
    results: tuple[LiftingResult, ...]

    @property
    def is_low(self) -> bool:
        """Whether the hands are below 75 cm in any of its lifts."""
        return any(is_low(each.lift, form=each.form) for each in self.results)

    def index_at(self, per_minute: float) -> float:
        """Return FILI / FM at a number of lifts a minute."""
        hours = self.results[0].lift.hours
        multiplier = frequency_multiplier(per_minute, hours=hours, is_low=self.is_low)
        return self.single_lift_index / multiplier if multiplier > 0 else math.inf

    @property
    def index(self) -> float:
        """Lifting index of the category on its own."""
        return self.index_at(self.per_minute)


@dataclass(frozen=True)
class VariableResult:
    """The variable lifting index of a job, with the worst category first."""

    categories: tuple[LiftCategory, ...]  # those that have lifts
    steps: tuple[ScoreStep, ...]  # increment of each category
    index: float  # VLI
    verdict: Verdict
    sources: tuple[str, ...]


def variable_lifting_index(
    lifts: Sequence[Lift], *, form: LiftingForm = "metric"
) -> VariableResult:
    """Return the variable lifting index of lifts that alternate over the same duration.

    Args:
        lifts: In metres and kilograms, whatever the form; each with its own frequency.
        form: Constants of the equation, as of `lifting_index`.
    """
    _check_job(lifts)
    results = [lifting_index(lift, form=form) for lift in lifts]
    categories = sorted(_categories(results), key=lambda each: -each.index)
    worst = categories[0]
    steps = [ScoreStep(_category_name(worst), worst.index, "the worst category, on its own")]
    so_far = worst.per_minute
    for each in categories[1:]:
        after = so_far + each.per_minute
        growth = each.index_at(after) - each.index_at(so_far)
        growth = 0.0 if math.isnan(growth) else growth  # the frequency is already beyond the table
        steps.append(
            ScoreStep(_category_name(each), growth, f"from {so_far:g} to {after:g} lifts a minute")
        )
        so_far = after
    index = math.fsum(step.score for step in steps)
    table = load_rnle()
    sources = (*results[0].sources, table.composite, table.variable)
    return VariableResult(
        tuple(categories), tuple(steps), index, judge(index, index_levels()), sources
    )


def _categories(results: Sequence[LiftingResult]) -> list[LiftCategory]:
    """Group lifts by their FILI; lifts that may not be done at all are a category of their own."""
    possible = [each for each in results if math.isfinite(each.single_lift_index)]
    refused = [each for each in results if not math.isfinite(each.single_lift_index)]
    found = [_category(math.inf, math.inf, refused)] if refused else []
    if not possible:
        return found
    low = min(each.single_lift_index for each in possible)
    width = (max(each.single_lift_index for each in possible) - low) / CATEGORIES
    groups: dict[int, list[LiftingResult]] = {}
    for each in possible:
        place = math.ceil((each.single_lift_index - low) / width - 1e-9) - 1 if width > 0 else 0
        groups.setdefault(min(max(place, 0), CATEGORIES - 1), []).append(each)
    return found + [
        _category(low + width * place, low + width * (place + 1), group)
        for place, group in sorted(groups.items())
    ]


def _category(low: float, high: float, results: Sequence[LiftingResult]) -> LiftCategory:
    frequency = math.fsum(each.lift.per_minute for each in results)
    weights = [each.lift.per_minute if frequency > 0 else 1.0 for each in results]
    if math.isinf(low):
        return LiftCategory(low, high, math.inf, frequency, tuple(results))
    total = math.fsum(w * each.single_lift_index for w, each in zip(weights, results, strict=True))
    return LiftCategory(low, high, total / math.fsum(weights), frequency, tuple(results))


def _category_name(each: LiftCategory) -> str:
    count = len(each.results)
    return f"FILI {each.low:.2f} to {each.high:.2f}, {count} lift{'s' if count > 1 else ''}"
