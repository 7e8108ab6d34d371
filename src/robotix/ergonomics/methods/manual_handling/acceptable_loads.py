"""Maximum acceptable loads of lifting, lowering, pushing, pulling and carrying [Potvin2021].

The Liberty Mutual (LM-MMH) equations: a reference load times factors of reach, heights, distances
and frequency is what half of the women or men would accept over 8 h; with the coefficient of
variation between people follows the percentage that accepts a given load. Coefficients and their
sources: `data/liberty_mutual.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import NormalDist
from typing import Literal, TypeAlias, cast

from robotix.ergonomics.methods.checks import check_not_negative, check_one_of, check_range
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import ScoreStep, Verdict
from robotix.human.body.survey import Sex

__all__ = [
    "AcceptableLoad",
    "Handling",
    "HandlingKind",
    "HandlingResult",
    "acceptable_load",
    "assess_handling",
    "load_liberty_mutual",
]

HandlingKind: TypeAlias = Literal[
    "lift", "lower", "push_start", "push_on", "pull_start", "pull_on", "carry"
]

KINDS = ("lift", "lower", "push_start", "push_on", "pull_start", "pull_on", "carry")
STANDARD_GRAVITY = 9.80665  # m/s²; forces are published in kilograms
SCALED = {  # what a factor is of, in words
    "horizontal": "reach of {:.3g} m",
    "middle": "hands {:.3g} m high on average",
    "travel": "{:.3g} m up or down",
    "height": "hands {:.3g} m high",
    "distance": "{:.3g} m along",
    "frequency": "{:.3g} a minute",
}


@dataclass(frozen=True)
class _Range:
    horizontal: tuple[float, float]
    highest: float
    push_height: tuple[float, float]
    push_distance: tuple[float, float]
    carry_height: tuple[float, float]
    carry_distance: tuple[float, float]


@dataclass(frozen=True)
class _Equation:
    reference: float
    cv: float
    frequency_ln: tuple[float, ...]
    horizontal: tuple[float, ...] = ()
    middle: tuple[float, ...] = ()
    travel_ln: tuple[float, ...] = ()
    height: tuple[float, ...] = ()
    distance: tuple[float, ...] = ()
    distance_ln: tuple[float, ...] = ()


_BySex: TypeAlias = dict[Sex, _Equation]


@dataclass(frozen=True)
class _LibertyMutual:
    title: str
    reference: str
    provenance: str
    criterion: str
    scope: str
    least_percent: float
    frequency: tuple[float, float]
    frequency_level: tuple[float, float]
    handles: dict[str, float]
    shortest_travel: float
    range: dict[Sex, _Range]
    fastest: dict[str, float]
    lift: _BySex
    lower: _BySex
    push_start: _BySex
    push_on: _BySex
    pull_start: _BySex
    pull_on: _BySex
    carry: _BySex


@cache
def load_liberty_mutual() -> _LibertyMutual:
    """Return the coefficients of the equations."""
    return read_table("liberty_mutual.toml", _LibertyMutual)


@dataclass(frozen=True, kw_only=True)
class Handling:
    """A load that is handled again and again.

    Args:
        kind: `"lift"`, `"lower"`, `"carry"`, or pushing and pulling, to start (`"push_start"`,
            `"pull_start"`) or to keep it moving (`"push_on"`, `"pull_on"`).
        load: Mass, kg; of pushing and pulling the force over g, which 9.80665 N make 1.
        per_minute: How often.
        horizontal: Of lifting: from between the ankles to the hands, m, the largest.
        start: Of lifting: height of the hands at the start, m.
        end: Of lifting: likewise at the end.
        handles: Of lifting: `"good"`, `"poor"` (or slippery) or `"none"`.
        height: Of the other kinds: height of the hands, m.
        distance: Of the other kinds: way, m.
    """

    kind: str
    load: float
    per_minute: float
    horizontal: float = 0.0
    start: float = 0.0
    end: float = 0.0
    handles: str = "good"
    height: float = 0.0
    distance: float = 0.0

    def __post_init__(self) -> None:
        check_one_of("kind of handling", self.kind, KINDS)
        check_not_negative("load", self.load, unit="kg")
        check_one_of("handles", self.handles, load_liberty_mutual().handles)
        for name in ("horizontal", "start", "end", "height", "distance", "per_minute"):
            check_not_negative(name.replace("_", " "), getattr(self, name), unit="m or a minute")

    @property
    def is_lift(self) -> bool:
        """Whether it goes up or down."""
        return self.kind in ("lift", "lower")

    @property
    def travel(self) -> float:
        """Vertical way of the hands, m."""
        return abs(self.end - self.start)

    @property
    def middle(self) -> float:
        """Mean height of the hands, m."""
        return (self.start + self.end) / 2


@dataclass(frozen=True)
class AcceptableLoad:
    """What women or men accept."""

    sex: Sex
    median: float  # kg that half of them accept
    sd: float  # kg, between people
    percent: float  # of them who accept the load
    steps: tuple[ScoreStep, ...]

    def for_percent(self, percent: float) -> float:
        """Return the load that a percentage of these people accepts, kg."""
        if not 0 < percent < 100:
            raise ValueError(f"the percentage must be between 0 and 100, got {percent:g}")
        return max(0.0, self.median - self.sd * NormalDist().inv_cdf(percent / 100))


@dataclass(frozen=True)
class HandlingResult:
    """Acceptable loads of women and men; the verdict is that of women, as the source asks."""

    handling: Handling
    women: AcceptableLoad
    men: AcceptableLoad | None  # None outside of the range of the men's equation
    verdict: Verdict
    sources: tuple[str, ...]

    @property
    def steps(self) -> tuple[ScoreStep, ...]:
        """The factors of the women's equation."""
        return self.women.steps


def assess_handling(handling: Handling) -> HandlingResult:
    """Return which part of women and men accepts a load over 8 h."""
    table = load_liberty_mutual()
    women = acceptable_load(handling, sex="female")
    try:
        men = acceptable_load(handling, sex="male")
    except ValueError:
        men = None  # closer or lower than the men's equation goes
    sources = (table.title, table.reference, table.provenance, table.criterion, table.scope)
    return HandlingResult(handling, women, men, _judged(women.percent), sources)


def acceptable_load(handling: Handling, *, sex: Sex) -> AcceptableLoad:
    """Return what people of one sex accept over 8 h; ValueError outside of the studied range."""
    check_one_of("sex", sex, ("female", "male"))
    _check_range_of(handling, sex)
    table = load_liberty_mutual()
    equation = cast("_BySex", getattr(table, handling.kind))[sex]
    steps = tuple(_factors(handling, equation))
    median = equation.reference * math.prod(step.score for step in steps)
    sd = equation.cv * median
    percent = 100 * (1 - NormalDist(median, sd).cdf(handling.load))
    first = ScoreStep("reference, kg", equation.reference, f"{handling.kind}, {sex}")
    return AcceptableLoad(sex, median, sd, percent, (first, *steps))


def _factors(handling: Handling, equation: _Equation) -> Iterator[ScoreStep]:
    inputs = {
        "horizontal": handling.horizontal,
        "middle": handling.middle,
        "travel": handling.travel,
        "height": handling.height,
        "distance": handling.distance,
        "frequency": handling.per_minute,
    }
    for name, value in inputs.items():
        for attribute, x in ((name, value), (f"{name}_ln", math.log(value) if value > 0 else 0.0)):
            terms = getattr(equation, attribute, ())
            if terms:
                yield ScoreStep(name, _scale(terms, x), SCALED[name].format(value))
    coupling = load_liberty_mutual().handles[handling.handles]
    if handling.is_lift and coupling != 1:
        yield ScoreStep("handles", coupling, handling.handles)


def _scale(terms: Sequence[float], x: float) -> float:
    constant, *divisors = terms
    return constant + math.fsum(x ** (k + 1) / each for k, each in enumerate(divisors))


def _check_range_of(handling: Handling, sex: Sex) -> None:
    table, people = load_liberty_mutual(), "women" if sex == "female" else "men"
    limits = table.range[sex]
    if handling.is_lift:
        _check(f"reach for {people}", handling.horizontal, limits.horizontal)
        highest = max(handling.start, handling.end)
        _check(f"highest hands for {people}", highest, (0.0, limits.highest))
        _check("vertical travel", handling.travel, (table.shortest_travel, limits.highest))
        kind, way, often = "lift", handling.travel, table.frequency
    else:
        kind, way, often = handling.kind.partition("_")[0], handling.distance, table.frequency_level
        kind = "push" if kind == "pull" else kind
        _check(f"height for {people}", handling.height, getattr(limits, f"{kind}_height"))
        _check("distance", way, getattr(limits, f"{kind}_distance"))
    check_range("frequency", handling.per_minute, low=often[0], high=often[1], unit="a minute")
    speed = way * handling.per_minute
    check_range(
        "distance times frequency", speed, low=0, high=table.fastest[kind], unit="m a minute"
    )


def _check(what: str, value: float, limits: tuple[float, float]) -> None:
    rounded = round(value, 9)
    check_range(what, rounded, low=limits[0], high=limits[1], unit="m")


def _judged(percent: float) -> Verdict:
    least = load_liberty_mutual().least_percent
    if percent >= least:
        return Verdict(1, 2, "acceptable", f"to at least {least:g} % of women")
    return Verdict(2, 2, f"acceptable to fewer than {least:g} % of women", "redesign the task")
