"""Cumulative damage of one shoulder over a day: The Shoulder Tool [BaniHani2021].

The moment about the shoulder, as a percentage of the strength of the median man, gives the cycles
to failure of a tendon; each cycle uses up its part, and the parts of a day add up. The probability
of a visit to the clinic is a logistic function of the logarithm of the damage. Constants and their
sources: `data/shoulder_fatigue.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from robotix.ergonomics.methods.checks import check_not_negative, check_one_of, check_range
from robotix.ergonomics.methods.fatigue import disorder_probability
from robotix.ergonomics.methods.tables import read_table
from robotix.ergonomics.methods.verdict import Level, ScoreStep, Verdict, judge

__all__ = ["ShoulderFatigueResult", "ShoulderTask", "shoulder_fatigue"]

INCH, INCH_POUND = 0.0254, 0.1129848290276167  # m, N m: the units of the workbook
KINDS = {  # part of the moment of the arm's weight, and words
    "handle": (1, "load handled"),
    "push": (0, "horizontal push or pull"),
    "push_down": (-1, "push or pull downward"),
}


@dataclass(frozen=True)
class _ShoulderTool:
    title: str
    reference: str
    provenance: str
    caution: str
    curve_intercept: float
    curve_slope: float
    strength: float  # in lbf
    arm_offset: float  # in lbf
    arm_slope: float  # lbf
    arm_shortest: float  # in
    arm_longest: float  # in
    arm_most: float  # in lbf
    intercept: float
    slope: float
    safe: float
    unacceptable: float

    def arm_moment(self, lever_arm: float) -> float:
        """Return the moment of the arm's weight, N m, by the lever arm of the load, m."""
        inches = lever_arm / INCH
        if inches < self.arm_shortest:
            return 0.0
        if inches >= self.arm_longest:
            return self.arm_most * INCH_POUND
        return (self.arm_offset + self.arm_slope * inches) * INCH_POUND


@cache
def _table() -> _ShoulderTool:
    return read_table("shoulder_fatigue.toml", _ShoulderTool)


@dataclass(frozen=True, kw_only=True)
class ShoulderTask:
    """A task of one arm, and how often it is done in a day.

    Args:
        force: At the hand, N; of a load in both hands, the part of this hand.
        arm: Lever arm: from the acromion to the load, where this is greatest, m.
        per_day: Repetitions.
        kind: `"handle"` a load, `"push"` (or pull) horizontally, `"push_down"` (or pull).
    """

    force: float
    arm: float
    per_day: float
    kind: str = "handle"

    def __post_init__(self) -> None:
        check_not_negative("force", self.force, unit="N")
        check_range("lever arm", self.arm, low=0, high=1.2, unit="m")
        check_not_negative("repetitions", self.per_day, unit="a day")
        check_one_of("kind", self.kind, KINDS)
        if self.moment < 0:
            raise ValueError(
                f"a push down of {self.force:g} N is less than the weight of the arm: "
                "give it as kind handle with the force 0"
            )

    @property
    def moment(self) -> float:
        """Moment about the shoulder, N m."""
        return self.force * self.arm + KINDS[self.kind][0] * _table().arm_moment(self.arm)

    @property
    def damage(self) -> float:
        """Damage of a day by this task; 1 is failure."""
        table = _table()
        percent = 100 * self.moment / (table.strength * INCH_POUND)
        return self.per_day / 10 ** ((table.curve_intercept - percent) / table.curve_slope)


@dataclass(frozen=True)
class ShoulderFatigueResult:
    """The damage of a day, and the probability of a visit to the clinic with it."""

    tasks: tuple[ShoulderTask, ...]
    damage: float  # of the day; 1 is failure
    probability: float  # of a visit to the clinic for the shoulder, 0 to 1
    shares: tuple[float, ...]  # of each task in the damage
    steps: tuple[ScoreStep, ...]  # damage of each task
    verdict: Verdict
    sources: tuple[str, ...]


def shoulder_fatigue(tasks: Sequence[ShoulderTask]) -> ShoulderFatigueResult:
    """Return the damage of one shoulder by all tasks of a day; the worse shoulder counts."""
    if not tasks:
        raise ValueError("a day needs at least one task, got none")
    table = _table()
    damage = math.fsum(each.damage for each in tasks)
    probability = disorder_probability(damage, intercept=table.intercept, slope=table.slope)
    steps = tuple(
        ScoreStep(
            f"task {number}",
            each.damage,
            f"{KINDS[each.kind][1]}, {each.moment:.1f} N m, {each.per_day:g} times a day",
        )
        for number, each in enumerate(tasks, start=1)
    )
    levels = (
        Level(table.safe, "low risk", "generally safe for the majority of workers"),
        Level(
            math.nextafter(table.unacceptable, 0),
            "elevated risk",
            "analyse carefully; redesign may be needed",
        ),
        Level(math.inf, "high risk", "unacceptable for most workers; redesign"),
    )
    return ShoulderFatigueResult(
        tuple(tasks),
        damage,
        probability,
        tuple(each.damage / damage if damage > 0 else 0.0 for each in tasks),
        steps,
        judge(probability, levels),
        (table.title, table.reference, table.provenance, table.caution),
    )
