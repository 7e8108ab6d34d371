"""Infinity in formats that want a number: 1e9 or more, in whatever unit, means no limit."""

from __future__ import annotations

import math

__all__ = ["UNLIMITED", "finite", "infinite"]

UNLIMITED = 1e9


def finite(limit: float) -> float:
    """Return a limit as a file holds it."""
    return min(max(limit, -UNLIMITED), UNLIMITED)


def infinite(limit: float) -> float:
    """Return a limit as the model holds it."""
    return math.copysign(math.inf, limit) if abs(limit) >= UNLIMITED else limit
