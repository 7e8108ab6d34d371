"""A check: one figure of a simulation against a solution that does not come from it."""

from __future__ import annotations

import math
from dataclasses import dataclass

__all__ = ["Check"]


@dataclass(frozen=True)
class Check:
    """A deviation, and how large it may be."""

    name: str
    value: float
    limit: float
    unit: str  # empty for ratios

    @property
    def passed(self) -> bool:
        """Whether the deviation is within the limit."""
        return math.isfinite(self.value) and self.value <= self.limit
