"""Limits of what a step of a task may ask for."""

from __future__ import annotations

from robotix.errors import BadField
from robotix.scene.people.task_stage import PositionOrNode

__all__ = ["MAX_COORDINATE", "check_mass", "check_position", "check_seconds", "check_within"]

MAX_STEP_TIME = 120.0  # s
MAX_MASS, MAX_COORDINATE = 1000.0, 100.0  # kg, m


def check_seconds(seconds: float) -> None:
    """Raise BadField unless a step can take so long."""
    if not 0.05 <= seconds <= MAX_STEP_TIME:
        raise BadField("seconds", f"0.05 s to {MAX_STEP_TIME:g} s", f"{seconds:g}")


def check_within(field_: str, value: float | None, low: float, high: float) -> None:
    """Raise BadField unless a value is None or in a range."""
    if value is not None and not low <= value <= high:
        raise BadField(field_, f"from {low:g} to {high:g}", f"{value:g}")


def check_position(field_: str, *positions: PositionOrNode) -> None:
    """Raise BadField unless all positions are nodes or near the room."""
    for position in positions:
        if not isinstance(position, str) and not all(
            abs(part) <= MAX_COORDINATE for part in position
        ):
            raise BadField(field_, f"within {MAX_COORDINATE:g} m", position)


def check_mass(mass: float) -> None:
    """Raise BadField unless a mass can be handled."""
    if not 0 <= mass <= MAX_MASS:
        raise BadField("mass", f"from 0 kg to {MAX_MASS:g} kg", f"{mass:g}")
