"""Cumulative damage of the low back over a day of lifting: LiFFT [Gallagher2017].

Every lift of a load M (moment about L5/S1, N·m) uses up exp(0.038 M + 0.32) / 902416 of the life of
a motion segment; the damage of all lifts of a day adds up. The probability of a high-risk job, with
12 injuries or more per 200 000 hours, is a logistic function of its logarithm. Constants and their
sources: `data/lifting_fatigue.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from robotix.ergonomics.methods.checks import check_not_negative, check_range
from robotix.ergonomics.methods.fatigue import disorder_probability
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["FatigueResult", "RepeatedLift", "lifting_fatigue"]

GRAVITY = 9.81  # m/s²
MAX_ARM = 2.0  # m


@dataclass(frozen=True)
class _Fatigue:
    title: str
    reference: str
    provenance: str
    caution: str
    cycles: float
    per_moment: float
    offset: float
    intercept: float
    slope: float
    bands: dict[str, float]
    caution_moment: float


@cache
def _table() -> _Fatigue:
    return read_table("lifting_fatigue.toml", _Fatigue)


@dataclass(frozen=True, kw_only=True)
class RepeatedLift:
    """A lift, and how often it is done in a day.

    Args:
        load: Mass, kg.
        arm: Largest horizontal distance from L5/S1, or from the hip joint, to the load, m.
        per_day: Repetitions.
    """

    load: float
    arm: float
    per_day: float

    def __post_init__(self) -> None:
        check_not_negative("load", self.load, unit="kg")
        check_range("arm of the load", self.arm, low=0, high=MAX_ARM, unit="m")
        check_not_negative("repetitions", self.per_day, unit="lifts a day")

    @property
    def moment(self) -> float:
        """Peak moment of the load, N·m."""
        return GRAVITY * self.load * self.arm


@dataclass(frozen=True)
class FatigueResult:
    """The damage of a day, and its probability to be that of a high-risk job."""

    lifts: tuple[RepeatedLift, ...]
    damage: float  # of the day; 1 is failure
    steps: tuple[ScoreStep, ...]  # damage of each kind of lift
    probability: float  # of a high-risk job, 0 to 1
    verdict: Verdict
    sources: tuple[str, ...]

    @cached_property
    def shares(self) -> tuple[float, ...]:
        """Part of each kind of lift in the damage."""
        return tuple(step.score / self.damage if self.damage else 0.0 for step in self.steps)


def lifting_fatigue(lifts: Sequence[RepeatedLift]) -> FatigueResult:
    """Return the damage of a day with these lifts."""
    if not lifts:
        raise ValueError("a day needs at least one lift, got none")
    table = _table()
    steps = tuple(ScoreStep(_name(lift), _damage(lift), _reason(lift)) for lift in lifts)
    damage = math.fsum(step.score for step in steps)
    probability = disorder_probability(damage, intercept=table.intercept, slope=table.slope)
    sources = (table.title, table.reference, table.provenance, table.caution)
    verdict = judge(probability, _levels())
    return FatigueResult(tuple(lifts), damage, steps, probability, verdict, sources)


def _damage(lift: RepeatedLift) -> float:
    table = _table()
    return lift.per_day * math.exp(table.per_moment * lift.moment + table.offset) / table.cycles


def _name(lift: RepeatedLift) -> str:
    return f"{lift.load:g} kg at {lift.arm:.3g} m"


def _reason(lift: RepeatedLift) -> str:
    words = f"{lift.per_day:g} times a day, {lift.moment:.3g} N·m"
    if lift.moment > _table().caution_moment:
        words += f": above {_table().caution_moment:g} N·m the authors advise caution"
    return words


def _levels() -> tuple[Level, ...]:
    bands = _table().bands
    return (
        Level(bands["low"], "low risk", "probably not a high-risk job"),
        Level(bands["moderate"], "moderate risk", "possibly a high-risk job"),
        Level(math.inf, "high risk", "probably a high-risk job: redesign it"),
    )
