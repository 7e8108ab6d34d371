"""Results of the methods: scoring steps with their reasons, and a level in the method's terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array

__all__ = [
    "Level",
    "ScoreArray",
    "ScoreStep",
    "Verdict",
    "judge",
    "levels_of",
    "no_verdict",
    "scored",
]

ScoreArray: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True)
class ScoreStep:
    """One intermediate number of a result, and its reason."""

    part: str
    score: float
    reason: str


@dataclass(frozen=True)
class Level:
    """One level of a method: its highest score, and the recommended action."""

    highest: float
    name: str
    advice: str


@dataclass(frozen=True)
class Verdict:
    """The level that a score falls into; 1 is the best of `levels`.

    Both are 0 without a judgement, when the data or the limits are unverified.
    """

    level: int
    levels: int
    name: str
    advice: str

    def __str__(self) -> str:
        return f"{self.name}: {self.advice}"

    @property
    def is_given(self) -> bool:
        """Whether there is a judgement."""
        return self.levels > 0


def judge(score: float, levels: Sequence[Level]) -> Verdict:
    """Return the verdict on a score; scores above all levels get the last level."""
    above = sum(score > level.highest for level in levels[:-1])
    found = levels[above]
    return Verdict(above + 1, len(levels), found.name, found.advice)


def no_verdict(why: str) -> Verdict:
    """Return an empty verdict, for results from unverified data or limits."""
    return Verdict(0, 0, "unverified", why)


def levels_of(scores: Array, levels: Sequence[Level]) -> ScoreArray:
    """Return the levels of an array of scores, from 1 (best), as `judge` does."""
    edges = [level.highest for level in levels[:-1]]
    return np.asarray(1 + np.searchsorted(edges, scores, side="left"), dtype=np.int64)


def scored(
    part: str,
    score: int,
    reason: str,
    *,
    extras: Iterable[tuple[bool, int, str]] = (),
    lowest: int = 1,
) -> ScoreStep:
    """Return a step: a base score plus the points of all `(applies, points, why)` that apply."""
    reasons = [f"{reason}: {score}"]
    for applies, points, why in extras:
        if applies:
            score += points
            reasons.append(f"{why}: {points:+d}")
    if score < lowest:
        score = lowest
        reasons.append(f"not below {lowest}")
    return ScoreStep(part, score, "; ".join(reasons))
