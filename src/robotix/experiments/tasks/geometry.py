"""Numbers of the data file of tasks, and rotations of the hand."""

from __future__ import annotations

from functools import cache
from importlib import resources

import numpy as np

from robotix.files.toml_table import TomlTable, parse_toml
from robotix.geometry import Array

__all__ = ["hand_rotation", "numbers_of", "raised", "task_table"]


@cache
def _read() -> TomlTable:
    file = resources.files(__package__) / "data" / "tasks.toml"
    return parse_toml(file.read_text(encoding="utf-8"), path=file.name)


def task_table(name: str) -> TomlTable:
    """Return the table of a task, or `person`."""
    return _read().table(name)


def numbers_of(table: TomlTable, key: str, count: int) -> tuple[float, ...]:
    """Return a list of numbers that must be there."""
    found = table.numbers(key, (count,))
    if found is None:
        table.refuse(None, f"no {key}", f"{count} numbers")
    return found


def raised(point: Array, height: float) -> Array:
    """Return a point that is higher by `height`."""
    return np.asarray(point + np.array([0.0, 0.0, height]))


def hand_rotation(*, fingers: Array, opening: Array) -> Array:
    """Return world_from_flange of a hand whose fingers point one way and open along another."""
    z, y = np.asarray(fingers, dtype=float), np.asarray(opening, dtype=float)
    return np.stack([np.cross(y, z), y, z], axis=1)
