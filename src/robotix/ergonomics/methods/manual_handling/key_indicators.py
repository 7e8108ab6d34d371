"""Key Indicator Method for lifting, holding and carrying loads, KIM-LHC of 2019 [BAuA2019].

Points of time, times the sum of the points of load, handling, posture, conditions and organisation.
Tables and their sources: `data/kim_lhc.toml`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from robotix.ergonomics.methods.checks import check_not_negative, check_one_of
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["KeyIndicatorResult", "KeyIndicators", "key_indicators"]

ADDITIONAL = ("twist", "away", "arms_raised", "above_shoulder")
CONDITIONS = ("joint_limits", "grip", "weather", "space", "clothing", "holding")


@dataclass(frozen=True)
class _Time:
    per_day: tuple[float, ...]
    points: tuple[float, ...]


@dataclass(frozen=True)
class _Load:
    kg: tuple[float, ...]
    male: tuple[float, ...]
    female: tuple[float, ...]


@dataclass(frozen=True)
class _Posture:
    classes: dict[str, int]
    points: tuple[tuple[float, ...], ...]
    most_additional: float


@dataclass(frozen=True)
class _Kim:
    title: str
    reference: str
    provenance: str
    examples: str
    lightest: float
    time: _Time
    load: _Load
    posture: _Posture
    choices: dict[str, dict[str, float]]
    bands: dict[str, float]


@cache
def _table() -> _Kim:
    return read_table("kim_lhc.toml", _Kim)


@dataclass(frozen=True, kw_only=True)
class KeyIndicators:
    """One kind of load handling of a working day.

    Args:
        load: Mass, kg, from 3 on; the share of one person.
        per_day: How often it is done in a day.
        sex: `"female"` or `"male"`; ergonomic design takes women.
        start, end: Posture at the start and at the end: `"upright"`, `"raised"` (arms up),
            `"leaning"` (slightly bent), `"bent"` (strongly bent) or `"crouched"` (squatting,
            kneeling).
        handling: `"symmetric"`, `"asymmetric"` or `"one_hand"`.
        twist: `"never"`, `"occasional"` or `"frequent"`: trunk twisted or bent to a side.
        away, arms_raised, above_shoulder: Likewise: load away from the body, hands between elbow
            and shoulder height, hands above the shoulders.
        joint_limits: Likewise: hands or arms at the end of their range.
        grip, space: `"good"`, `"restricted"` or `"poor"`.
        weather, clothing: `"good"` or `"poor"`.
        holding: `"short"`, `"long"` (held 5 to 10 s or carried 2 to 5 m) or `"very_long"`.
        organisation: `"good"` (varied work), `"restricted"` or `"poor"`.
    """

    load: float
    per_day: float
    sex: str
    start: str = "upright"
    end: str = "upright"
    handling: str = "symmetric"
    twist: str = "never"
    away: str = "never"
    arms_raised: str = "never"
    above_shoulder: str = "never"
    joint_limits: str = "never"
    grip: str = "good"
    weather: str = "good"
    space: str = "good"
    clothing: str = "good"
    holding: str = "short"
    organisation: str = "good"

    def __post_init__(self) -> None:
        table = _table()
        check_not_negative("load", self.load, unit="kg")
        if self.load < table.lightest:
            raise ValueError(f"the method is for {table.lightest:g} kg and more, got {self.load:g}")
        check_not_negative("repetitions", self.per_day, unit="times a day")
        check_one_of("sex", self.sex, ("female", "male"))
        for name in ("start", "end"):
            check_one_of(f"posture at the {name}", getattr(self, name), table.posture.classes)
        for name, choices in table.choices.items():
            check_one_of(name.replace("_", " "), getattr(self, name), choices)


@dataclass(frozen=True)
class KeyIndicatorResult:
    """The points of all indicators, and the score."""

    task: KeyIndicators
    time: float  # points of the time
    steps: tuple[ScoreStep, ...]  # points of the indicators, time last
    score: float
    verdict: Verdict
    sources: tuple[str, ...]


def key_indicators(task: KeyIndicators, *, interpolated: bool = False) -> KeyIndicatorResult:
    """Return the score of a kind of load handling.

    Args:
        task: The indicators.
        interpolated: Whether the time is interpolated; otherwise its next higher category counts.
    """
    table = _table()
    load = (table.load.female if task.sex == "female" else table.load.male)[
        bisect_left(table.load.kg, task.load)
    ]
    organisation = table.choices["organisation"][task.organisation]
    handling = table.choices["handling"][task.handling]
    indicators = (
        ScoreStep("load", load, f"{task.load:g} kg, {task.sex}"),
        ScoreStep("handling", handling, task.handling.replace("_", " ")),
        _posture(task, table),
        _conditions(task, table),
        ScoreStep("organisation", organisation, task.organisation),
    )
    time = _time(task.per_day, table.time, interpolated=interpolated)
    score = time * math.fsum(step.score for step in indicators)
    steps = (*indicators, ScoreStep("time", time, f"{task.per_day:g} times a day, a factor"))
    sources = (table.title, table.reference, table.provenance, table.examples)
    return KeyIndicatorResult(task, time, steps, score, judge(score, _levels(table)), sources)


def _time(per_day: float, table: _Time, *, interpolated: bool) -> float:
    place = min(bisect_left(table.per_day, per_day), len(table.per_day) - 1)
    if not interpolated or place == 0 or per_day >= table.per_day[-1]:
        return table.points[place]
    edges = list(pairwise(zip(table.per_day, table.points, strict=True)))
    (low, before), (high, after) = edges[place - 1]
    return before + (after - before) * (per_day - low) / (high - low)


def _posture(task: KeyIndicators, table: _Kim) -> ScoreStep:
    posture = table.posture
    pair = posture.points[posture.classes[task.start]][posture.classes[task.end]]
    more = {name: table.choices[name][getattr(task, name)] for name in ADDITIONAL}
    additional = min(math.fsum(more.values()), posture.most_additional)
    words = [f"from {task.start} to {task.end}: {pair:g}"]
    words += [f"{name.replace('_', ' ')}: {points:g}" for name, points in more.items() if points]
    if additional == posture.most_additional:
        words.append(f"at most {additional:g} for these")
    return ScoreStep("posture", pair + additional, "; ".join(words))


def _conditions(task: KeyIndicators, table: _Kim) -> ScoreStep:
    points = {name: table.choices[name][getattr(task, name)] for name in CONDITIONS}
    words = [f"{name.replace('_', ' ')}: {each:g}" for name, each in points.items() if each]
    return ScoreStep("conditions", math.fsum(points.values()), "; ".join(words) or "good")


def _levels(table: _Kim) -> tuple[Level, ...]:
    below = {name: math.nextafter(edge, 0.0) for name, edge in table.bands.items()}
    return (
        Level(below["slightly_increased"], "low load", "overload is unlikely"),
        Level(
            below["substantially_increased"],
            "slightly increased load",
            "overload is possible for less resilient people; improve their work",
        ),
        Level(
            below["high"],
            "substantially increased load",
            "overload is possible for average people, too; redesign the work",
        ),
        Level(math.inf, "high load", "overload is likely; redesign is necessary"),
    )
