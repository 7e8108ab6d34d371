"""OCRA checklist: screening of repetitive work of one arm [Colombini2002].

The points of recovery, frequency, force, posture and additional factors are added and multiplied
by a factor of the duration. Tables, and where their sources disagree: `data/ocra_checklist.toml`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_not_negative, check_one_of, check_range
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["RepetitiveWork", "RepetitiveWorkResult", "ocra_checklist"]

FORCES = ("moderate_force", "strong_force", "maximal_force")
JOINTS = ("shoulder", "elbow", "wrist", "hand")


@dataclass(frozen=True)
class _Frequency:
    per_minute: tuple[float, ...]
    points: tuple[float, ...]
    without_pauses: float


@dataclass(frozen=True)
class _Duration:
    minutes: tuple[float, ...]
    multiplier: tuple[float, ...]


@dataclass(frozen=True)
class _Ocra:
    title: str
    reference: str
    provenance: str
    disagreement: str
    examples: str
    recovery: dict[str, float]
    static_actions: dict[str, float]
    moderate_force: dict[str, float]
    strong_force: dict[str, float]
    maximal_force: dict[str, float]
    shoulder: dict[str, float]
    joint: dict[str, float]
    stereotypy: dict[str, float]
    physical: dict[str, float]
    pace: dict[str, float]
    frequency: _Frequency
    duration: _Duration
    bands: dict[str, float]

    def choices(self, name: str) -> dict[str, float]:
        """Return the words and points of an input."""
        found: dict[str, float] = getattr(
            self, "joint" if name in ("elbow", "wrist", "hand") else name
        )
        return found


@cache
def _table() -> _Ocra:
    return read_table("ocra_checklist.toml", _Ocra)


@dataclass(frozen=True, kw_only=True)
class RepetitiveWork:
    """The work of one arm in a shift.

    Args:
        actions_per_minute: Dynamic technical actions of the arm; between two rows of the table
            the higher one counts.
        minutes: Repetitive work in the shift, without breaks and other work.
        recovery: Breaks of 8 minutes and more in 7 to 8 h: `"every_hour"`, `"four_breaks"`,
            `"three_breaks"`, `"two_breaks"`, `"one_break"` or `"none"`, beside the lunch break.
        short_pauses: Whether the pace allows short interruptions.
        static_actions: Part of the cycle in which an object is held for 5 s or more: `"none"`,
            `"two_thirds"` or `"all"`.
        moderate_force: Time with 3 to 4 on Borg's scale: `"none"`, `"third"`, `"half"`, `"most"`
            or `"all"`.
        strong_force, maximal_force: Time with 5 to 7, and with 8 and more: `"none"`, `"brief"` (2 s
            in 10 minutes), `"percent"`, `"five_percent"` or `"more"` (10 % and more).
        shoulder: Arm at shoulder height without support: `"none"`, `"slight"` (raised a little for
            more than half of the time), `"tenth"`, `"third"`, `"half"` or `"all"` of the time.
        elbow, wrist, hand: Large or sudden movements, extreme postures, pinch or hook grip:
            `"none"`, `"third"`, `"half"` or `"all"` of the time.
        stereotypy: The same movements for `"two_thirds"` (or cycles of 8 to 15 s) or for `"all"` of
            the time (or cycles below 8 s); `"none"`.
        physical: Gloves, blows, cold, vibration, precision, compression: `"none"`, `"some"` or
            `"all"` of the time, several of them.
        pace: `"free"`, `"buffered"` (partly) or `"machine"` (wholly set by a machine).
    """

    actions_per_minute: float
    minutes: float
    recovery: str = "every_hour"
    short_pauses: bool = True
    static_actions: str = "none"
    moderate_force: str = "none"
    strong_force: str = "none"
    maximal_force: str = "none"
    shoulder: str = "none"
    elbow: str = "none"
    wrist: str = "none"
    hand: str = "none"
    stereotypy: str = "none"
    physical: str = "none"
    pace: str = "free"

    def __post_init__(self) -> None:
        check_not_negative("frequency", self.actions_per_minute, unit="actions a minute")
        check_range("repetitive work", self.minutes, low=0, high=24 * 60, unit="minutes")
        words = ("recovery", "static_actions", *FORCES, *JOINTS, "stereotypy", "physical", "pace")
        for name in words:
            check_one_of(name.replace("_", " "), getattr(self, name), _table().choices(name))


@dataclass(frozen=True)
class RepetitiveWorkResult:
    """The points of all factors, and the score."""

    work: RepetitiveWork
    steps: tuple[ScoreStep, ...]  # points of the factors, duration last
    score: float
    verdict: Verdict
    sources: tuple[str, ...]


def ocra_checklist(work: RepetitiveWork) -> RepetitiveWorkResult:
    """Return the score of the work of one arm."""
    table = _table()
    factors = (
        ScoreStep("recovery", table.recovery[work.recovery], work.recovery.replace("_", " ")),
        _frequency(work, table),
        _force(work, table),
        _posture(work, table),
        ScoreStep(
            "additional",
            table.physical[work.physical] + table.pace[work.pace],
            f"physical factors: {work.physical}; pace: {work.pace}",
        ),
    )
    place = bisect_left(table.duration.minutes, work.minutes)
    duration = table.duration.multiplier[place]
    score = duration * math.fsum(step.score for step in factors)
    steps = (*factors, ScoreStep("duration", duration, f"{work.minutes:g} minutes, a factor"))
    sources = (
        table.title,
        table.reference,
        table.provenance,
        table.disagreement,
        table.examples,
    )
    return RepetitiveWorkResult(work, steps, score, judge(score, _levels(table)), sources)


def _frequency(work: RepetitiveWork, table: _Ocra) -> ScoreStep:
    frequency = table.frequency
    place = bisect_left(frequency.per_minute, work.actions_per_minute)
    dynamic = frequency.points[place]
    reason = f"{work.actions_per_minute:g} actions a minute: {dynamic:g}"
    if place == frequency.per_minute.index(40) and not work.short_pauses:
        dynamic = frequency.without_pauses
        reason = f"{work.actions_per_minute:g} actions a minute without pauses: {dynamic:g}"
    static = table.static_actions[work.static_actions]
    if static:
        reason += f"; objects held for {work.static_actions.replace('_', ' ')} of it: {static:g}"
    return ScoreStep("frequency", max(dynamic, static), reason)


def _force(work: RepetitiveWork, table: _Ocra) -> ScoreStep:
    points = {name: table.choices(name)[getattr(work, name)] for name in FORCES}
    words = [f"{name.replace('_', ' ')}: {each:g}" for name, each in points.items() if each]
    return ScoreStep("force", math.fsum(points.values()), "; ".join(words) or "none")


def _posture(work: RepetitiveWork, table: _Ocra) -> ScoreStep:
    points = {name: table.choices(name)[getattr(work, name)] for name in JOINTS}
    same = table.stereotypy[work.stereotypy]
    words = [f"{name}: {each:g}" for name, each in points.items() if each]
    words = [f"highest of {', '.join(words)}"] if words else ["none"]
    if same:
        words.append(f"stereotypy: {same:g}")
    return ScoreStep("posture", max(points.values()) + same, "; ".join(words))


def _levels(table: _Ocra) -> tuple[Level, ...]:
    bands = table.bands
    improve = "improve the workplace, medical supervision, training"
    return (
        Level(bands["optimal"], "optimal", "no action"),
        Level(bands["acceptable"], "acceptable", "no action"),
        Level(bands["uncertain"], "uncertain", "analyse further or improve the workplace"),
        Level(bands["light"], "light risk", improve),
        Level(bands["medium"], "medium risk", improve),
        Level(math.inf, "high risk", improve),
    )
