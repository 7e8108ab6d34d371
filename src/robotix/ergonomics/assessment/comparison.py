"""Comparison of two designs of a task, before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.finding import Finding

__all__ = ["Change", "Comparison", "compare"]

Change: TypeAlias = Literal["better", "worse", "same", "new", "gone"]

HIGHER_IS_BETTER = ("capable", "acceptable")
RELATIVE_TOLERANCE = 0.02  # values that differ by less count as the same


@dataclass(frozen=True)
class Difference:
    """One method before and after."""

    key: str
    what: str
    before: Finding | None
    after: Finding | None

    @property
    def change(self) -> Change:
        """Whether the value improved or deteriorated."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        old, new = self.before.value, self.after.value
        if old == new or abs(new - old) <= RELATIVE_TOLERANCE * max(abs(old), abs(new)):
            return "same"
        grew = new > old
        return "better" if grew == (self.key in HIGHER_IS_BETTER) else "worse"

    @property
    def is_judged(self) -> bool:
        """Whether its findings have verdicts; what is unverified has none."""
        return all(f.verdict.is_given for f in (self.before, self.after) if f is not None)

    @property
    def difference(self) -> float:
        """Value after minus before; NaN if one is missing."""
        if self.before is None or self.after is None:
            return float("nan")
        return self.after.value - self.before.value


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two assessments side by side."""

    names: tuple[str, str]
    before: Assessment
    after: Assessment
    differences: tuple[Difference, ...]

    def columns(self) -> dict[str, Any]:
        """Return a table with one row per method."""
        rows = self.differences
        return {
            "method": [row.key for row in rows],
            "before": [np.nan if row.before is None else row.before.value for row in rows],
            "after": [np.nan if row.after is None else row.after.value for row in rows],
            "difference": [row.difference for row in rows],
            "unit": [(row.before or row.after).unit for row in rows],  # type: ignore[union-attr]
            "change": [row.change for row in rows],
            "verdict_before": [_verdict(row.before) for row in rows],
            "verdict_after": [_verdict(row.after) for row in rows],
        }

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison as plain values, for JSON."""
        return {
            "before": {"name": self.names[0], **self.before.as_dict()},
            "after": {"name": self.names[1], **self.after.as_dict()},
            "differences": [
                {
                    "method": row.key,
                    "before": None if row.before is None else row.before.value,
                    "after": None if row.after is None else row.after.value,
                    "difference": row.difference,
                    "change": row.change,
                }
                for row in self.differences
            ],
        }


def compare(
    before: Assessment, after: Assessment, *, names: tuple[str, str] = ("before", "after")
) -> Comparison:
    """Set two assessments against each other, method by method."""
    found = {each.key: each.what for each in (*before.findings, *after.findings)}
    rows = tuple(
        Difference(key, what, before.finding(key), after.finding(key))
        for key, what in found.items()
    )
    return Comparison(names, before, after, rows)


def _verdict(found: Finding | None) -> str:
    return "" if found is None else str(found.verdict)
