"""Two designs of a task against each other: before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from robotix.ergonomics.assessment.assessment import Assessment
from robotix.ergonomics.assessment.finding import Finding

__all__ = ["Change", "Comparison", "compare"]

Change: TypeAlias = Literal["better", "worse", "same", "new", "gone"]

LESS_IS_WORSE = ("capable",)
SAME = 0.02  # of the value: what differs less is the same


@dataclass(frozen=True)
class Difference:
    """One method before and after."""

    key: str
    what: str
    before: Finding | None
    after: Finding | None

    @property
    def change(self) -> Change:
        """Whether it got better or worse."""
        if self.before is None:
            return "new"
        if self.after is None:
            return "gone"
        old, new = self.before.value, self.after.value
        if old == new or abs(new - old) <= SAME * max(abs(old), abs(new)):
            return "same"
        grew = new > old
        return "better" if grew == (self.key in LESS_IS_WORSE) else "worse"

    @property
    def is_judged(self) -> bool:
        """Whether its findings have verdicts; what is unverified has none."""
        return all(f.verdict.is_given for f in (self.before, self.after) if f is not None)

    @property
    def difference(self) -> float:
        """After less before; NaN where one is missing."""
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
        """Return one row a method, for a table."""
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
        """Return it as plain values."""
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
