"""Reading of the published tables in `data`, and comparison of values with their bands.

A value on the edge of a band belongs to the milder band. Angles are given in rad, bands are
published in degrees; `EDGE_TOLERANCE` absorbs the rounding of the conversion.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Sequence
from importlib import resources
from typing import TypeVar

import msgspec

__all__ = [
    "EDGE_TOLERANCE",
    "direction",
    "is_beyond",
    "is_inside",
    "read_rows",
    "read_table",
    "steps_beyond",
]

Table = TypeVar("Table")

EDGE_TOLERANCE = 1e-9  # in the unit of the compared value: degrees or kg


def read_table(name: str, kind: type[Table]) -> Table:
    """Return a TOML file of `data` as an instance of a dataclass."""
    text = (resources.files("robotix.ergonomics") / "data" / name).read_bytes()
    return msgspec.toml.decode(text, type=kind)


def read_rows(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a CSV file of `data`."""
    text = (resources.files("robotix.ergonomics") / "data" / name).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))


def is_beyond(value: float, edge: float) -> bool:
    """Return whether a value lies beyond an edge."""
    return value > edge + EDGE_TOLERANCE


def is_inside(value: float, band: Sequence[float]) -> bool:
    """Return whether a value lies in a band, edges included."""
    return band[0] - EDGE_TOLERANCE <= value <= band[1] + EDGE_TOLERANCE


def steps_beyond(value: float, edges: Sequence[float]) -> int:
    """Count the edges that a value lies beyond."""
    return sum(is_beyond(value, edge) for edge in edges)


def direction(angle: float, *, forward: str = "flexed", back: str = "extended") -> str:
    """Return a description of an angle (rad), with the name of its direction."""
    degrees = round(math.degrees(angle), 1) + 0.0
    if degrees == 0:
        return "at 0°"
    return f"{forward if degrees > 0 else back} by {abs(degrees):g}°"
