"""Cumulative damage of hand and forearm over a day of repeated exertions: DUET [Gallagher2018].

Each exertion, rated 0 to 10 on the OMNI-RES scale, uses up a part of the life of a tendon; the
damage of all exertions of a day adds up. The probability of a disorder is a logistic function of
its logarithm. Constants and their sources: `data/upper_limb_fatigue.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_not_negative
from robotix.ergonomics.methods.fatigue import disorder_probability
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["HandFatigueResult", "RepeatedExertion", "hand_fatigue"]


@dataclass(frozen=True)
class _Duet:
    title: str
    reference: str
    provenance: str
    caution: str
    damage_per_cycle: list[float]
    intercept: float
    slope: float
    cut_point: float


@cache
def _table() -> _Duet:
    return read_table("upper_limb_fatigue.toml", _Duet)


@dataclass(frozen=True, kw_only=True)
class RepeatedExertion:
    """An exertion of the hand, and how often it is done in a day.

    Args:
        rating: On the OMNI-RES scale: 0 very easy, 2 easy, 4 somewhat easy, 6 somewhat hard, 8
            hard, 10 very hard. Whole numbers only, as the table of the tool.
        per_day: Repetitions.
    """

    rating: int
    per_day: float

    def __post_init__(self) -> None:
        last = len(_table().damage_per_cycle) - 1
        if self.rating not in range(last + 1):
            raise ValueError(f"rating must be a whole number from 0 to {last}, got {self.rating:g}")
        check_not_negative("repetitions", self.per_day, unit="exertions a day")

    @property
    def damage(self) -> float:
        """Damage of a day by this exertion."""
        return self.per_day * _table().damage_per_cycle[int(self.rating)]


@dataclass(frozen=True)
class HandFatigueResult:
    """The damage of a day, and the probability of a disorder with it."""

    exertions: tuple[RepeatedExertion, ...]
    damage: float  # of the day; 1 is failure
    probability: float  # of an injury with pain within a year, 0 to 1
    steps: tuple[ScoreStep, ...]  # damage of each kind of exertion
    verdict: Verdict
    sources: tuple[str, ...]


def hand_fatigue(exertions: Sequence[RepeatedExertion]) -> HandFatigueResult:
    """Return the damage of a day with these exertions."""
    if not exertions:
        raise ValueError("a day needs at least one kind of exertion, got none")
    table = _table()
    damage = math.fsum(each.damage for each in exertions)
    probability = disorder_probability(damage, intercept=table.intercept, slope=table.slope)
    steps = tuple(
        ScoreStep(f"rating {each.rating}", each.damage, f"{each.per_day:g} times a day")
        for each in exertions
    )
    levels = (
        Level(table.cut_point, "low risk", "tendons are taken to heal that much a day"),
        Level(math.inf, "high risk", "more damage than tendons are taken to heal in a day"),
    )
    sources = (table.title, table.reference, table.provenance, table.caution)
    verdict = judge(damage, levels)
    return HandFatigueResult(tuple(exertions), damage, probability, steps, verdict, sources)
