"""Range checks for the inputs of the methods: implausible values raise instead of being scored."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable

__all__ = ["check_angle", "check_hours", "check_not_negative", "check_one_of", "check_range"]

MAX_HOURS = 8  # h


def check_range(what: str, value: float, *, low: float, high: float, unit: str = "") -> None:
    """Raise ValueError unless low <= value <= high; also for NaN."""
    if not low <= value <= high:  # also true for NaN
        suffix = f" {unit}" if unit else ""
        raise ValueError(f"{what} must be from {low:g} to {high:g}{suffix}, got {value:g}")


def check_hours(what: str, hours: float) -> None:
    """Raise ValueError unless 0 < hours <= MAX_HOURS."""
    if not 0 < hours <= MAX_HOURS:
        raise ValueError(
            f"hours of {what} must be more than 0 and at most {MAX_HOURS}, got {hours:g}"
        )


def check_not_negative(what: str, value: float, *, unit: str) -> None:
    """Raise ValueError unless a value is finite and not negative."""
    if not 0 <= value < math.inf:
        raise ValueError(f"{what} must be a finite number of {unit}, 0 or more, got {value:g}")


def check_angle(what: str, angle: float, *, low: float = -180.0, high: float = 180.0) -> None:
    """Raise ValueError unless an angle (rad) is within a range in degrees."""
    if not low - 1e-9 <= math.degrees(angle) <= high + 1e-9:
        degrees = math.degrees(angle)
        raise ValueError(f"{what} must be from {low:g} to {high:g} degrees, got {degrees:g}")


def check_one_of(what: str, word: str, known: Iterable[str]) -> None:
    """Raise ValueError unless a word is known; the error suggests the nearest one."""
    words = tuple(known)
    if word not in words:
        near = difflib.get_close_matches(word, words, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(words)}"
        raise ValueError(f"no {what} {word!r}; {hint}")
