"""The revised NIOSH lifting equation [Waters1993]: the recommended weight of a two-handed lift.

RWL = LC · HM · VM · DM · AM · FM · CM, LI = load / RWL: the recommended weight limit is a load
constant times six multipliers of at most 1, the lifting index is the load relative to that limit.
The manual has two official forms, in centimetres and kilograms and in inches and pounds, whose
constants differ by up to 2 %: near a boundary their verdicts may, too. Tables and their sources:
`data/rnle.toml`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Literal, TypeAlias

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
    "LiftingForm",
    "LiftingResult",
    "frequency_multiplier",
    "index_levels",
    "is_low",
    "lifting_index",
    "load_rnle",
]

LiftingForm: TypeAlias = Literal["metric", "us"]

MULTIPLIERS = ("HM", "VM", "DM", "AM", "FM", "CM")
MAX_DISTANCE = 2.5  # m; larger values are probably in centimetres


@dataclass(frozen=True)
class _Frequency:
    per_minute: tuple[float, ...]
    hours: tuple[float, ...]
    low: tuple[tuple[float, ...], ...]
    high: tuple[tuple[float, ...], ...]


@dataclass(frozen=True)
class _Form:
    """Constants of one of the two official forms, in its own units."""

    length: float  # m
    mass: float  # kg
    names: tuple[str, str]  # of length and mass
    load_constant: float
    horizontal: dict[str, float]
    vertical: dict[str, float]
    distance: dict[str, float]
    low_below: float

    def of(self, metres: float) -> float:
        """Return a length in the units of the form; 0.63 m is exactly 63 cm."""
        return round(metres / self.length, 9)


@dataclass(frozen=True)
class _Rnle:
    title: str
    reference: str
    provenance: str
    between_frequencies: str
    composite: str
    variable: str
    metric: _Form
    us: _Form
    asymmetry: dict[str, float]
    index_bands: dict[str, float]
    frequency: _Frequency
    coupling: dict[str, tuple[float, float]]

    def form(self, name: LiftingForm) -> _Form:
        """Return the constants of a form."""
        check_one_of("form of the equation", name, ("metric", "us"))
        return self.us if name == "us" else self.metric


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
    form: LiftingForm = "metric"

    @property
    def steps(self) -> tuple[ScoreStep, ...]:
        """The multipliers, as the steps of other methods."""
        return self.multipliers

    @cached_property
    def frequency_multiplier(self) -> float:
        """Frequency multiplier FM."""
        return self.multipliers[MULTIPLIERS.index("FM")].score

    @cached_property
    def single_lift_limit(self) -> float:
        """Frequency-independent weight limit FIRWL, with FM = 1, kg."""
        others = [step.score for step in self.multipliers if step.part != "FM"]
        form = load_rnle().form(self.form)
        return form.mass * form.load_constant * math.prod(others)

    @cached_property
    def single_lift_index(self) -> float:
        """Frequency-independent lifting index FILI."""
        return _ratio(self.lift.load, self.single_lift_limit)


def lifting_index(lift: Lift, *, form: LiftingForm = "metric") -> LiftingResult:
    """Return the recommended weight limit and the lifting index of one lift.

    Args:
        lift: In metres and kilograms, whatever the form.
        form: Constants of the equation: `"metric"`, or `"us"` for those in inches and pounds.
    """
    table = load_rnle()
    of = table.form(form)
    steps = (
        _horizontal(lift, of),
        _vertical(lift, of),
        _distance(lift, of),
        _asymmetry(lift, table),
        _frequency(lift, of),
        _coupling(lift, table, of),
    )
    limit = of.mass * of.load_constant * math.prod(step.score for step in steps)
    index = _ratio(lift.load, limit)
    sources = (table.title, table.reference, table.provenance, table.between_frequencies)
    return LiftingResult(lift, steps, limit, index, judge(index, index_levels()), sources, form)


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


def is_low(lift: Lift, *, form: LiftingForm = "metric") -> bool:
    """Return whether the hands are below 75 cm (30 inches), where the tables differ."""
    return _is_low(lift, load_rnle().form(form))


def _is_low(lift: Lift, of: _Form) -> bool:
    return of.of(lift.vertical) < of.low_below


def _horizontal(lift: Lift, of: _Form) -> ScoreStep:
    h, near, far = of.of(lift.horizontal), of.horizontal["nearest"], of.horizontal["farthest"]
    unit = of.names[0]
    if h > far:
        return ScoreStep(
            "HM", 0.0, f"hands {h:g} {unit} in front: beyond {far:g} {unit} nothing may be lifted"
        )
    return ScoreStep(
        "HM", min(1.0, near / max(h, near)), f"hands {h:g} {unit} in front, {near:g} is best"
    )


def _vertical(lift: Lift, of: _Form) -> ScoreStep:
    v, best, highest = of.of(lift.vertical), of.vertical["best"], of.vertical["highest"]
    unit = of.names[0]
    if v > highest:
        return ScoreStep(
            "VM", 0.0, f"hands {v:g} {unit} high: above {highest:g} {unit} nothing may be lifted"
        )
    score = 1 - of.vertical["slope"] * abs(v - best)
    return ScoreStep("VM", score, f"hands {v:g} {unit} high, {best:g} is best")


def _distance(lift: Lift, of: _Form) -> ScoreStep:
    d, shortest, longest = of.of(lift.distance), of.distance["shortest"], of.distance["longest"]
    unit = of.names[0]
    if d > longest:
        return ScoreStep(
            "DM", 0.0, f"{d:g} {unit} of travel: beyond {longest:g} {unit} nothing may be lifted"
        )
    # at the shortest travel the published formula gives 1; below, it is 1 by definition
    score = of.distance["constant"] + of.distance["per_length"] / max(d, shortest)
    return ScoreStep("DM", min(1.0, score), f"{d:g} {unit} of travel, up to {shortest:g} is best")


def _asymmetry(lift: Lift, table: _Rnle) -> ScoreStep:
    a, largest = round(math.degrees(lift.asymmetry), 9), table.asymmetry["largest"]
    if a > largest:
        return ScoreStep("AM", 0.0, f"turned by {a:g}°: beyond {largest:g}° nothing may be lifted")
    return ScoreStep("AM", 1 - table.asymmetry["slope"] * a, f"turned by {a:g}°, 0 is best")


def _frequency(lift: Lift, of: _Form) -> ScoreStep:
    score = frequency_multiplier(lift.per_minute, hours=lift.hours, is_low=_is_low(lift, of))
    reason = f"{lift.per_minute:g} lifts a minute for {lift.hours:g} h, hands {_height(lift, of)}"
    return ScoreStep("FM", score, reason)


def _coupling(lift: Lift, table: _Rnle, of: _Form) -> ScoreStep:
    below, above = table.coupling[lift.coupling]
    score = below if _is_low(lift, of) else above
    return ScoreStep("CM", score, f"{lift.coupling} grip, hands {_height(lift, of)}")


def _height(lift: Lift, of: _Form) -> str:
    words = f"{of.low_below:g} {of.names[0]}"
    return f"below {words}" if _is_low(lift, of) else f"from {words} up"


def _ratio(load: float, limit: float) -> float:
    if load == 0:
        return 0.0
    return load / limit if limit > 0 else math.inf
