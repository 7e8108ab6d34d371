"""Findings: the worst instant of each method, with verdict, steps and sources."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

from robotix.ergonomics.methods.verdict import ScoreStep, Verdict

__all__ = ["SEVERITIES", "Finding", "Severity", "severity_of"]

Severity: TypeAlias = Literal["unverified", "fine", "look", "act"]
SEVERITIES: tuple[Severity, ...] = ("unverified", "fine", "look", "act")  # the worst last


# What the words of a level ask for, where a level between the best and the worst asks for action.
ASKED: dict[str, tuple[Severity, ...]] = {
    "lifting_index": ("fine", "act", "act"),  # increased risk: redesign the job
    "rula": ("fine", "look", "act", "act"),  # change soon, change immediately
    "reba": ("fine", "look", "act", "act", "act"),  # necessary, necessary soon, now
    "owas": ("fine", "act", "act", "act"),  # in the near future, as soon as possible, immediately
}


def severity_of(verdict: Verdict, *, key: str = "") -> Severity:
    """Map a level of a method to what its words ask for: nothing, a look, or action.

    A verdict that rests on unverified data or limits is "unverified".
    """
    if not verdict.is_given:
        return "unverified"
    if key in ASKED:
        return ASKED[key][verdict.level - 1]
    if verdict.level == 1:
        return "fine"
    return "act" if verdict.level == verdict.levels else "look"


@dataclass(frozen=True)
class Finding:
    """The worst instant according to one method."""

    key: str  # a short name for tables, `compression`
    what: str  # in words, `L5/S1 compression`
    value: float
    unit: str
    row: int
    time: float  # s
    verdict: Verdict
    steps: tuple[ScoreStep, ...]
    sources: tuple[str, ...]  # sources
    note: str = ""  # a range, a code, a body part

    @property
    def severity(self) -> Severity:
        """Severity of the verdict."""
        return severity_of(self.verdict, key=self.key)

    @property
    def is_beyond(self) -> bool:
        """Whether a limit is exceeded."""
        return self.severity in ("look", "act")

    @property
    def figure(self) -> str:
        """The value with its unit; yes or no for a task."""
        if self.key == "task":
            return "no" if self.value else "yes"
        return f"{_rounded(self.value)} {self.unit}".strip()

    def as_dict(self) -> dict[str, Any]:
        """Return the finding as plain values, for JSON."""
        return {
            "method": self.key,
            "what": self.what,
            "value": self.value,
            "unit": self.unit,
            "time": self.time,
            "severity": self.severity,
            "verdict": asdict(self.verdict),
            "note": self.note,
            "steps": [asdict(step) for step in self.steps],
            "sources": list(self.sources),
        }


def _rounded(value: float) -> str:
    if not math.isfinite(value):
        return "∞"
    if value == int(value):
        return f"{value:.0f}"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.3g}"
