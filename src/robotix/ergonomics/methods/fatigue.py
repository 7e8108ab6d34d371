"""What tools of fatigue failure share: a disorder is more probable with more damage a day."""

from __future__ import annotations

import math

__all__ = ["disorder_probability"]


def disorder_probability(damage: float, *, intercept: float, slope: float) -> float:
    """Return the probability of a disorder, 0 to 1: logistic in the logarithm of the damage."""
    if damage == 0:
        return 0.0
    return 1 / (1 + math.exp(-(intercept + slope * math.log10(damage))))
