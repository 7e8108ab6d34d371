"""Strain of hand, wrist and forearm by repeated exertions: the Revised Strain Index.

RSI = IM · EM · DM · PM · HM [Garg2017a]: intensity, efforts a minute, duration of an effort,
posture of the wrist, hours a day. Several kinds of effort in one task give the composite index
COSI, several tasks of a day the cumulative index CUSI [Garg2017b]: the worst one counts in full,
each other by what it adds to the efforts a minute, or to the hours. Constants:
`data/strain_index.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_angle, check_range
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import ScoreStep, Verdict, no_verdict

__all__ = ["Exertion", "StrainResult", "strain_index"]

MAX_PER_MINUTE, MAX_SECONDS, MAX_DAY = 300.0, 3600.0, 24.0
SECONDS_PER_MINUTE = 60.0


@dataclass(frozen=True)
class _Strain:
    title: str
    reference: str
    provenance: str
    limit: str
    intensity: list[list[float]]
    efforts: dict[str, float]
    duration: dict[str, float]
    posture: dict[str, float]
    hours: dict[str, float]


@cache
def _table() -> _Strain:
    return read_table("strain_index.toml", _Strain)


@dataclass(frozen=True, kw_only=True)
class Exertion:
    """One kind of effort of a hand within a task.

    Args:
        intensity: Share of the greatest strength, 0 to 1 (a rating on Borg's CR-10 scale over 10).
        per_minute: Efforts a minute.
        seconds: Duration of one effort.
        wrist: Extension of the wrist, rad; flexion is negative.
        hours: Of the task a day.
        task: Name of the task; efforts of one task share it and its hours.
    """

    intensity: float
    per_minute: float
    seconds: float
    wrist: float = 0.0
    hours: float = 8.0
    task: str = ""

    def __post_init__(self) -> None:
        check_range("intensity", self.intensity, low=0, high=1)
        check_range("efforts", self.per_minute, low=0, high=MAX_PER_MINUTE, unit="a minute")
        check_range("duration of an effort", self.seconds, low=0, high=MAX_SECONDS, unit="s")
        check_angle("wrist", self.wrist, low=-90, high=90)
        check_range("hours", self.hours, low=0, high=MAX_DAY, unit="h")
        if self.per_minute * self.seconds > SECONDS_PER_MINUTE * (1 + 1e-9):
            raise ValueError(
                f"{self.per_minute:g} efforts of {self.seconds:g} s do not fit into a minute"
            )

    @property
    def factors(self) -> dict[str, float]:
        """The five multipliers."""
        return {
            "intensity": _intensity(self.intensity),
            "efforts": _efforts(self.per_minute),
            "duration": _duration(self.seconds),
            "posture": _posture(math.degrees(self.wrist)),
            "hours": _hours(self.hours),
        }

    @property
    def index(self) -> float:
        """The RSI of this effort alone."""
        return math.prod(self.factors.values())


@dataclass(frozen=True)
class StrainResult:
    """The index of a task or a day, and what it is made of."""

    exertions: tuple[Exertion, ...]
    composite: dict[str, float]  # COSI by task
    index: float  # RSI of one effort, COSI of one task, CUSI of several
    name: str
    steps: tuple[ScoreStep, ...]
    verdict: Verdict
    sources: tuple[str, ...]


def strain_index(exertions: Sequence[Exertion]) -> StrainResult:
    """Return the index of the efforts of a day."""
    if not exertions:
        raise ValueError("an index needs at least one kind of effort, got none")
    tasks: dict[str, list[Exertion]] = {}
    for each in exertions:
        tasks.setdefault(each.task, []).append(each)
    for name, efforts in tasks.items():
        if len({each.hours for each in efforts}) > 1:
            raise ValueError(f"efforts of one task have the same hours; task {name!r} has several")
    composite = {name: _composite(efforts) for name, efforts in tasks.items()}
    steps = [_step(each) for each in exertions]
    hours = {name: efforts[0].hours for name, efforts in tasks.items()}
    name = "RSI" if len(exertions) == 1 else "COSI"
    if len(tasks) > 1:
        name = "CUSI"
        steps += [
            ScoreStep(f"COSI of {task or 'the other task'}", value, f"{hours[task]:g} h a day")
            for task, value in composite.items()
        ]
    table = _table()
    return StrainResult(
        tuple(exertions),
        composite,
        _cumulative(composite, hours),
        name,
        tuple(steps),
        no_verdict(table.limit),
        (table.title, table.reference, table.provenance),
    )


def _composite(efforts: Sequence[Exertion]) -> float:
    first, *others = sorted(efforts, key=lambda each: each.index, reverse=True)
    total, per_minute = first.index, first.per_minute
    for each in others:
        more = _efforts(per_minute + each.per_minute) - _efforts(per_minute)
        total += each.index / _efforts(each.per_minute) * more
        per_minute += each.per_minute
    return total


def _cumulative(composite: dict[str, float], hours: dict[str, float]) -> float:
    first, *others = sorted(composite, key=lambda name: composite[name], reverse=True)
    total, so_far = composite[first], hours[first]
    for name in others:
        more = _hours(so_far + hours[name]) - _hours(so_far)
        total += composite[name] / _hours(hours[name]) * more
        so_far += hours[name]
    return total


def _step(each: Exertion) -> ScoreStep:
    factors = " × ".join(f"{value:.3g}" for value in each.factors.values())
    what = f"{each.task}: " if each.task else ""
    return ScoreStep(
        f"{what}{each.intensity:g} of the strength, {each.per_minute:g} a minute",
        each.index,
        f"intensity, efforts, duration, posture, hours: {factors}",
    )


# -- the multipliers ----------------------------------------------------------------------------


def _intensity(share: float) -> float:
    rows = _table().intensity
    _, a, b, c, d = next(row for row in rows if share <= row[0])
    return a * share**3 + b * share**2 + c * share + d


def _efforts(per_minute: float) -> float:
    k = _table().efforts
    if per_minute <= k["linear_to"]:
        return k["offset"] + k["slope"] * per_minute
    return float(k["factor"] * per_minute ** k["power"])


def _duration(seconds: float) -> float:
    k = _table().duration
    if seconds <= k["linear_to"]:
        return k["offset"] + k["slope"] * seconds
    return k["log"] * math.log(seconds) + k["log_offset"]


def _posture(degrees: float) -> float:
    k = _table().posture
    if degrees < 0:
        return k["flexion_factor"] * math.exp(-k["flexion_rate"] * degrees) + k["flexion_offset"]
    return 1.0 + k["extension"] * max(degrees - k["neutral_to"], 0.0) ** 2


def _hours(hours: float) -> float:
    k = _table().hours
    if hours <= k["least_to"]:
        return k["least"]
    return k["slope"] * hours + k["log"] * math.log(hours) + k["offset"]
