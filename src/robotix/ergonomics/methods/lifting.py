"""The revised NIOSH lifting equation [Waters1993]: the recommended weight of a two-handed lift.

RWL = LC · HM · VM · DM · AM · FM · CM, LI = load / RWL: the recommended weight limit is a load
constant times six multipliers of at most 1, the lifting index is the load relative to that limit.
Tables and their sources: `data/rnle.toml`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache, cached_property

from robotix.ergonomics.methods.checks import (
    check_angle,
    check_hours,
    check_not_negative,
    check_one_of,
    check_range,
)
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = [
    "Lift",
    "LiftingResult",
    "frequency_multiplier",
    "index_levels",
    "is_low",
    "lifting_index",
    "load_rnle",
]

MULTIPLIERS = ("HM", "VM", "DM", "AM", "FM", "CM")
MAX_DISTANCE = 2.5  # m; larger values are probably in centimetres


@dataclass(frozen=True)
class _Frequency:
    per_minute: tuple[float, ...]
    hours: tuple[float, ...]
    low: tuple[tuple[float, ...], ...]
    high: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class _Rnle:
    title: str
    reference: str
    provenance: str
    between_frequencies: str
    composite: str
    load_constant: float
    horizontal: dict[str, float]
    vertical: dict[str, float]
    distance: dict[str, float]
    asymmetry: dict[str, float]
    low_below: float
    index_bands: dict[str, float]
    frequency: _Frequency
    coupling: dict[str, tuple[float, float]]


@cache
def load_rnle() -> _Rnle:
    """Return the constants of the equation."""
    return read_table("rnle.toml", _Rnle)


@dataclass(frozen=True, kw_only=True)
class Lift:
    """A two-handed lift, at its origin or at its destination.

    Args:
        load: Mass lifted, kg.
        horizontal: From the middle of the ankles to the hands, m.
        vertical: Height of the hands above the floor, m.
        distance: Vertical travel of the hands, m, upwards or downwards.
        asymmetry: Absolute angle between the sagittal plane and the load, rad.
        per_minute: Lifts per minute; values below 0.2 count as 0.2.
        hours: Duration of lifting before a longer rest, up to 8.
        coupling: `"good"`, `"fair"` or `"poor"` grip.
    """

    load: float
    horizontal: float
    vertical: float
    distance: float
    asymmetry: float = 0.0
    per_minute: float = 0.2
    hours: float = 1.0
    coupling: str = "good"

    def __post_init__(self) -> None:
        check_not_negative("load", self.load, unit="kg")
        for name in ("horizontal", "vertical", "distance"):
            check_range(name, getattr(self, name), low=0, high=MAX_DISTANCE, unit="m")
        check_angle("asymmetry", self.asymmetry, low=0)
        check_not_negative("frequency", self.per_minute, unit="lifts a minute")
        check_hours("lifting", self.hours)
        check_one_of("coupling", self.coupling, load_rnle().coupling)


@dataclass(frozen=True)
class LiftingResult:
    """The multipliers, the weight limit and the lifting index of one lift."""

    lift: Lift
    multipliers: tuple[ScoreStep, ...]  # HM VM DM AM FM CM
    weight_limit: float  # RWL, kg
    index: float  # LI; infinite when the limit is 0
    verdict: Verdict
    sources: tuple[str, ...]

    @cached_property
    def frequency_multiplier(self) -> float:
        """Frequency multiplier FM."""
        return self.multipliers[MULTIPLIERS.index("FM")].score

    @cached_property
    def single_lift_limit(self) -> float:
        """Frequency-independent weight limit FIRWL, with FM = 1, kg."""
        others = [step.score for step in self.multipliers if step.part != "FM"]
        return load_rnle().load_constant * math.prod(others)

    @cached_property
    def single_lift_index(self) -> float:
        """Frequency-independent lifting index FILI."""
        return _ratio(self.lift.load, self.single_lift_limit)


def lifting_index(lift: Lift) -> LiftingResult:
    """Return the recommended weight limit and the lifting index of one lift."""
    table = load_rnle()
    steps = (
        _horizontal(lift, table),
        _vertical(lift, table),
        _distance(lift, table),
        _asymmetry(lift, table),
        _frequency(lift),
        _coupling(lift, table),
    )
    limit = table.load_constant * math.prod(step.score for step in steps)
    index = _ratio(lift.load, limit)
    sources = (table.title, table.reference, table.provenance, table.between_frequencies)
    return LiftingResult(lift, steps, limit, index, judge(index, index_levels()), sources)


def index_levels() -> tuple[Level, ...]:
    """Return the bands of the lifting index."""
    bands = load_rnle().index_bands
    return (
        Level(bands["acceptable"], "acceptable", "nearly all healthy workers can do it"),
        Level(bands["increased"], "increased risk", "some workers are at risk; redesign the job"),
        Level(math.inf, "high risk", "many workers are at risk; do not do it like this"),
    )


def frequency_multiplier(per_minute: float, *, hours: float, is_low: bool) -> float:
    """Return FM, interpolated in the table; `is_low` means hands below 75 cm."""
    table = load_rnle().frequency
    row = (table.low if is_low else table.high)[bisect_left(table.hours, hours)]
    columns = table.per_minute
    right = bisect_left(columns, per_minute)
    if right == 0:
        return row[0]
    if right == len(columns):
        return 0.0
    fraction = (per_minute - columns[right - 1]) / (columns[right] - columns[right - 1])
    if row[right] == 0 and fraction < 1:
        return 0.0  # beyond the highest tabulated frequency no lift is permitted
    return row[right - 1] + fraction * (row[right] - row[right - 1])


def is_low(lift: Lift) -> bool:
    """Return whether the hands are below 75 cm, for which the tables have separate columns."""
    return _cm(lift.vertical) < load_rnle().low_below


def _horizontal(lift: Lift, table: _Rnle) -> ScoreStep:
    h, near, far = _cm(lift.horizontal), table.horizontal["nearest"], table.horizontal["farthest"]
    if h > far:
        return ScoreStep(
            "HM", 0.0, f"hands {h:g} cm in front: beyond {far:g} cm nothing may be lifted"
        )
    return ScoreStep(
        "HM", min(1.0, near / max(h, near)), f"hands {h:g} cm in front, {near:g} is best"
    )


def _vertical(lift: Lift, table: _Rnle) -> ScoreStep:
    v, best, highest = _cm(lift.vertical), table.vertical["best"], table.vertical["highest"]
    if v > highest:
        return ScoreStep(
            "VM", 0.0, f"hands {v:g} cm high: above {highest:g} cm nothing may be lifted"
        )
    score = 1 - table.vertical["slope"] * abs(v - best)
    return ScoreStep("VM", score, f"hands {v:g} cm high, {best:g} is best")


def _distance(lift: Lift, table: _Rnle) -> ScoreStep:
    d, shortest, longest = (
        _cm(lift.distance),
        table.distance["shortest"],
        table.distance["longest"],
    )
    if d > longest:
        return ScoreStep(
            "DM", 0.0, f"{d:g} cm of travel: beyond {longest:g} cm nothing may be lifted"
        )
    # at 25 cm the published formula gives 1; below, it is 1 by definition
    score = table.distance["constant"] + table.distance["per_cm"] / max(d, shortest)
    return ScoreStep("DM", min(1.0, score), f"{d:g} cm of travel, up to {shortest:g} is best")


def _asymmetry(lift: Lift, table: _Rnle) -> ScoreStep:
    a, largest = round(math.degrees(lift.asymmetry), 9), table.asymmetry["largest"]
    if a > largest:
        return ScoreStep("AM", 0.0, f"turned by {a:g}°: beyond {largest:g}° nothing may be lifted")
    return ScoreStep("AM", 1 - table.asymmetry["slope"] * a, f"turned by {a:g}°, 0 is best")


def _frequency(lift: Lift) -> ScoreStep:
    score = frequency_multiplier(lift.per_minute, hours=lift.hours, is_low=is_low(lift))
    height = "below 75 cm" if is_low(lift) else "from 75 cm up"
    reason = f"{lift.per_minute:g} lifts a minute for {lift.hours:g} h, hands {height}"
    return ScoreStep("FM", score, reason)


def _coupling(lift: Lift, table: _Rnle) -> ScoreStep:
    below, above = table.coupling[lift.coupling]
    height = "below 75 cm" if is_low(lift) else "from 75 cm up"
    return ScoreStep(
        "CM", below if is_low(lift) else above, f"{lift.coupling} grip, hands {height}"
    )


def _cm(metres: float) -> float:
    return round(100 * metres, 9)  # so that 0.63 m is exactly 63 cm


def _ratio(load: float, limit: float) -> float:
    if load == 0:
        return 0.0
    return load / limit if limit > 0 else math.inf
