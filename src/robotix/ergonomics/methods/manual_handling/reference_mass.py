"""The lifting index of ISO 11228-1: the lifting equation for given people [ISO2014].

LI = m / (m_ref · HM · VM · DM · AM · FM · CM · OM · PM · EM): the constant of 23 kg gives way to a
reference mass by sex and age, and three multipliers are added, for lifting with one hand (OM), by
two persons (PM) and in shifts of more than 8 h (EM). Numbers: `data/reference_mass.toml`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, replace
from functools import cache

from robotix.ergonomics.methods.checks import check_one_of, check_range
from robotix.ergonomics.methods.manual_handling.lifting import Lift, lifting_index, load_rnle
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["Lifters", "ReferenceMassResult", "reference_mass_index"]


@dataclass(frozen=True)
class _Longer:
    hours: tuple[float, ...]
    multiplier: tuple[float, ...]


@dataclass(frozen=True)
class _Table:
    title: str
    reference: str
    provenance: str
    ages: str
    bands: str
    adult_ages: tuple[float, float]
    reference_mass: dict[str, tuple[float, float]]
    one_hand: float
    two_persons: float
    longer_shift: _Longer
    green: float
    red: float


@cache
def _table() -> _Table:
    return read_table("reference_mass.toml", _Table)


@dataclass(frozen=True, kw_only=True)
class Lifters:
    """The people who lift, and how they do.

    Args:
        sex: `"female"` or `"male"`.
        age: Years.
        one_hand: Whether one hand lifts.
        persons: 1 or 2, who share the load equally.
        shift_hours: Duration of the shift, up to 12.
    """

    sex: str
    age: float = 30.0
    one_hand: bool = False
    persons: int = 1
    shift_hours: float = 8.0

    def __post_init__(self) -> None:
        table = _table()
        check_one_of("sex", self.sex, table.reference_mass)
        check_range("age", self.age, low=14, high=80, unit="years")
        if self.persons not in (1, 2):
            raise ValueError(f"a load is lifted by 1 or 2 persons, got {self.persons}")
        longest = table.longer_shift.hours[-1]
        check_range("duration of the shift", self.shift_hours, low=0, high=longest, unit="h")

    @property
    def reference_mass(self) -> float:
        """Reference mass, kg."""
        low, high = _table().adult_ages
        adult, other = _table().reference_mass[self.sex]
        return adult if low <= self.age <= high else other


@dataclass(frozen=True)
class ReferenceMassResult:
    """The mass limit and the lifting index for given people."""

    lift: Lift
    lifters: Lifters
    mass: float  # that one person lifts, kg
    multipliers: tuple[ScoreStep, ...]  # HM VM DM AM FM CM OM PM EM
    mass_limit: float  # of one person, kg
    index: float  # infinite when the limit is 0
    verdict: Verdict
    sources: tuple[str, ...]

    @property
    def steps(self) -> tuple[ScoreStep, ...]:
        """The multipliers, as the steps of other methods."""
        return self.multipliers


def reference_mass_index(lift: Lift, lifters: Lifters) -> ReferenceMassResult:
    """Return the mass limit and the lifting index of one lift for given people.

    Args:
        lift: With the whole load, also if two persons lift it.
        lifters: The people, and how they lift.
    """
    table = _table()
    mass = lift.load / lifters.persons
    base = lifting_index(replace(lift, load=mass))
    more = _more_multipliers(lifters, table)
    factor = base.weight_limit / load_rnle().metric.load_constant
    limit = lifters.reference_mass * factor * math.prod(step.score for step in more)
    index = 0.0 if mass == 0 else mass / limit if limit > 0 else math.inf
    levels = (
        Level(table.green, "green", "negligible risk"),
        Level(math.nextafter(table.red, 0.0), "yellow", "significant risk; watch and improve"),
        Level(math.inf, "red", "risk is present; redesign the lift"),
    )
    sources = (table.title, table.reference, table.provenance, table.ages, table.bands)
    return ReferenceMassResult(
        lift,
        lifters,
        mass,
        (*base.multipliers, *more),
        limit,
        index,
        judge(index, levels),
        (*sources, *base.sources),
    )


def _more_multipliers(lifters: Lifters, table: _Table) -> tuple[ScoreStep, ...]:
    hands = "one hand" if lifters.one_hand else "both hands"
    longer = table.longer_shift
    shift = longer.multiplier[bisect_left(longer.hours, lifters.shift_hours)]
    return (
        ScoreStep("OM", table.one_hand if lifters.one_hand else 1.0, hands),
        ScoreStep("PM", table.two_persons if lifters.persons > 1 else 1.0, _persons(lifters)),
        ScoreStep("EM", shift, f"a shift of {lifters.shift_hours:g} h"),
    )


def _persons(lifters: Lifters) -> str:
    return "two persons, each with half of the load" if lifters.persons > 1 else "one person"
