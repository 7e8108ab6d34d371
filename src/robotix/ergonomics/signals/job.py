"""Circumstances of a job that a motion does not contain: frequency, duration, grip, age."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.ergonomics.methods.checks import (
    check_angle,
    check_hours,
    check_not_negative,
    check_one_of,
)
from robotix.ergonomics.methods.manual_handling.lifting import load_rnle
from robotix.ergonomics.methods.strength.joint_strength import AGES

__all__ = ["Job"]


@dataclass(frozen=True, kw_only=True)
class Job:
    """The circumstances of a task, and thresholds that the methods leave open.

    Args:
        per_minute: How often the task is done.
        hours: For how long, before a longer rest; up to 8.
        coupling: `"good"`, `"fair"` or `"poor"` grip of what is carried.
        is_static: Some part of the body is held still for more than a minute.
        is_rapid: Rapid large changes of posture, or an unstable base.
        has_shocks: The load comes with a jolt.
        neck: Flexion of the neck against the trunk, rad; None: what looking at the work needs.
        neutral: Angles up to this count as 0, rad; RULA and REBA say upright, which no real posture
            is exactly.
        turned: Twists and side bends of trunk and wrist count beyond this, rad.
        abducted: An upper arm counts as abducted beyond this, rad.
        age: Group for strength and reference masses: `"18-25"`, `"55-65"` or `">65"` years.
    """

    per_minute: float = 0.2
    hours: float = 1.0
    coupling: str = "fair"
    is_static: bool = False
    is_rapid: bool = False
    has_shocks: bool = False
    neck: float | None = None
    neutral: float = math.radians(5.0)
    turned: float = math.radians(10.0)
    abducted: float = math.radians(20.0)
    age: str = AGES[0]

    def __post_init__(self) -> None:
        check_not_negative("frequency", self.per_minute, unit="times a minute")
        check_hours("work", self.hours)
        check_one_of("coupling", self.coupling, load_rnle().coupling)
        if self.neck is not None:
            check_angle("neck", self.neck, low=-60, high=90)
        check_angle("neutral", self.neutral, low=0, high=20)
        check_angle("turned", self.turned, low=0, high=45)
        check_angle("abducted", self.abducted, low=0, high=90)
        check_one_of("age", self.age, AGES)

    @property
    def years(self) -> float:
        """An age of the group, years; the highest of a range."""
        return float(self.age.lstrip(">").split("-")[-1])

    @property
    def is_repeated(self) -> bool:
        """Whether it is done more than four times a minute."""
        return self.per_minute > 4

    @property
    def is_lasting(self) -> bool:
        """Whether RULA counts it as muscle use: held, or repeated four times a minute or more."""
        return self.is_static or self.per_minute >= 4

    @property
    def load_kind(self) -> str:
        """How RULA counts a load."""
        if self.has_shocks:
            return "shock"
        return "static" if self.is_static else "repeated" if self.is_repeated else "intermittent"
