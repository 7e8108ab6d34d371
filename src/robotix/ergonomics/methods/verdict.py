"""What every method ends in: steps with their reasons, and a level in the method's own words."""

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
    """One number on the way to a result, and where it comes from."""

    part: str
    score: float
    reason: str


@dataclass(frozen=True)
class Level:
    """One level of a method: up to which score it goes, and what it advises."""

    highest: float
    name: str
    advice: str


@dataclass(frozen=True)
class Verdict:
    """The level that a score falls into; 1 is the best of `levels`.

    Both are 0 where nothing is judged, because the data or the limits are unverified.
    """

    level: int
    levels: int
    name: str
    advice: str

    def __str__(self) -> str:
        return f"{self.name}: {self.advice}"

    @property
    def is_given(self) -> bool:
        """Whether there is a judgement at all."""
        return self.levels > 0


def judge(score: float, levels: Sequence[Level]) -> Verdict:
    """Return the verdict on a score; what is above all levels falls into the last."""
    above = sum(score > level.highest for level in levels[:-1])
    found = levels[above]
    return Verdict(above + 1, len(levels), found.name, found.advice)


def no_verdict(why: str) -> Verdict:
    """Return the verdict on what rests on unverified data or limits: none."""
    return Verdict(0, 0, "unverified", why)


def levels_of(scores: Array, levels: Sequence[Level]) -> ScoreArray:
    """Return the levels that many scores fall into, 1 the best, as `judge` does."""
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
    """Return a step that starts with a score and adds what applies of `(applies, points, why)`."""
    reasons = [f"{reason}: {score}"]
    for applies, points, why in extras:
        if applies:
            score += points
            reasons.append(f"{why}: {points:+d}")
    if score < lowest:
        score = lowest
        reasons.append(f"not below {lowest}")
    return ScoreStep(part, score, "; ".join(reasons))
