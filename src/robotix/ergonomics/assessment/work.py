"""Several tasks of one working day, assessed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.finding import SEVERITIES, Severity
from robotix.ergonomics.methods.manual_handling.composite_lifting import (
    CompositeResult,
    composite_lifting_index,
)
from robotix.ergonomics.methods.manual_handling.lifting_fatigue import (
    FatigueResult,
    lifting_fatigue,
)

__all__ = ["WorkDay", "make_work_day"]


@dataclass(frozen=True, eq=False)
class WorkDay:
    """The tasks of a day, by name, and what they add up to."""

    tasks: Mapping[str, Assessment]

    @property
    def severity(self) -> Severity:
        """Severity of the worst task."""
        return max((each.severity for each in self.tasks.values()), key=SEVERITIES.index)

    @cached_property
    def fatigue(self) -> FatigueResult | None:
        """Damage of the low back over the day by LiFFT; None without loads."""
        lifts = [
            lift
            for each in self.tasks.values()
            if each.repeated is not None
            for lift in each.repeated.result.lifts
        ]
        return lifting_fatigue(lifts) if lifts else None

    @cached_property
    def composite(self) -> CompositeResult | None:
        """Composite lifting index of all lifts; None with fewer than two, or different hours."""
        lifts = [lift.worse.result.lift for each in self.tasks.values() for lift in each.lifts]
        if len(lifts) < 2 or len({lift.hours for lift in lifts}) > 1:
            return None
        return composite_lifting_index(lifts)

    def as_dict(self) -> dict[str, Any]:
        """Return the results as plain values, for JSON."""
        fatigue, composite = self.fatigue, self.composite
        return {
            "severity": self.severity,
            "tasks": {name: each.as_dict() for name, each in self.tasks.items()},
            "damage": None if fatigue is None else fatigue.damage,
            "probability": None if fatigue is None else fatigue.probability,
            "cli": None if composite is None else composite.index,
        }


def make_work_day(tasks: Sequence[tuple[str, Assessment]]) -> WorkDay:
    """Return a day of named tasks; equal names are numbered."""
    if not tasks:
        raise ValueError("a working day needs at least one task, got none")
    named: dict[str, Assessment] = {}
    for name, each in tasks:
        unique, count = name, 2
        while unique in named:
            unique, count = f"{name} ({count})", count + 1
        named[unique] = each
    return WorkDay(named)
