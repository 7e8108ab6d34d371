"""Angles and loads in the bands of the scoring methods.

An edge belongs to the milder band. Angles come in radians, bands are published in degrees; the
slack keeps an edge an edge through the conversion.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

__all__ = ["direction", "is_beyond", "is_inside", "steps_beyond"]

SLACK = 1e-9  # of what is compared: degrees or kg


def is_beyond(value: float, edge: float) -> bool:
    """Tell whether a value lies beyond an edge."""
    return value > edge + SLACK


def is_inside(value: float, band: Sequence[float]) -> bool:
    """Tell whether a value lies in a band, edges included."""
    return band[0] - SLACK <= value <= band[1] + SLACK


def steps_beyond(value: float, edges: Sequence[float]) -> int:
    """Count the edges that a value lies beyond."""
    return sum(is_beyond(value, edge) for edge in edges)


def direction(angle: float, *, forward: str = "flexed", back: str = "extended") -> str:
    """Say an angle (rad) in words."""
    degrees = round(math.degrees(angle), 1) + 0.0
    if degrees == 0:
        return "at 0°"
    return f"{forward if degrees > 0 else back} by {abs(degrees):g}°"
