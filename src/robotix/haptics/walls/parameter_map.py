"""Where a wall is stable and passive, over any two parameters: rate, delay, hand, wall, device."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.walls.limits import is_passive_wall
from robotix.haptics.walls.wall import WallTrial, run_walls

__all__ = ["MAP_PARAMETERS", "MapAxis", "ParameterMap", "make_parameter_map", "with_parameter"]

# part of a trial, its field, unit, usual range
MAP_PARAMETERS: dict[str, tuple[str, str, str, tuple[float, float]]] = {
    "stiffness": ("wall", "stiffness", "N/m", (0.0, 4e4)),
    "damping": ("wall", "damping", "N s/m", (0.0, 40.0)),
    "rate": ("device", "rate", "Hz", (300.0, 1000.0)),
    "delay": ("device", "delay", "s", (0.0, 0.01)),
    "device_mass": ("device", "mass", "kg", (0.2, 4.0)),
    "device_damping": ("device", "damping", "N s/m", (0.0, 20.0)),
    "hand_mass": ("hand", "mass", "kg", (0.0, 4.0)),
    "hand_stiffness": ("hand", "stiffness", "N/m", (0.0, 2000.0)),
    "hand_damping": ("hand", "damping", "N s/m", (0.0, 40.0)),
}


@dataclass(frozen=True, eq=False)
class MapAxis:
    """A parameter and its values."""

    name: str  # of MAP_PARAMETERS
    values: Array  # ascending

    def __post_init__(self) -> None:
        """Raise `BadField` for an unknown parameter or values that do not ascend."""
        if self.name not in MAP_PARAMETERS:
            raise BadField("parameter", ", ".join(MAP_PARAMETERS), self.name)
        values = np.array(self.values, dtype=float)
        if values.ndim != 1 or not len(values) or not (np.diff(values) > 0).all():
            raise BadField(self.name, "ascending numbers", values.tolist())
        object.__setattr__(self, "values", values)

    @property
    def unit(self) -> str:
        """Unit of the values."""
        return MAP_PARAMETERS[self.name][2]

    @classmethod
    def usual(cls, name: str, count: int) -> MapAxis:
        """Return the usual range in `count` values; 0 is left out where it means nothing."""
        if name not in MAP_PARAMETERS:
            raise BadField("parameter", ", ".join(MAP_PARAMETERS), name)
        low, high = MAP_PARAMETERS[name][3]
        values = np.linspace(low, high, count)
        if name == "stiffness":
            values = np.linspace(low, high, count + 1)[1:]
        return cls(name, np.asarray(values, dtype=float))


@dataclass(frozen=True, eq=False)
class ParameterMap:
    """Stability and energy leak over two parameters."""

    trial: WallTrial  # what all cells have in common
    x: MapAxis  # n values
    y: MapAxis  # m values
    is_stable: NDArray[np.bool_]  # (m, n)
    energy_leak: Array  # (m, n), J
    is_passive: NDArray[np.bool_]  # (m, n), by the condition of [Colgate1997], without delay

    @property
    def stable_limits(self) -> Array:
        """Largest x up to which all cells of a row are stable, (m,); NaN if none."""
        unstable = ~self.is_stable
        first = np.where(unstable.any(axis=1), unstable.argmax(axis=1), len(self.x.values))
        found = self.x.values[np.maximum(first - 1, 0)]
        return np.asarray(np.where(first > 0, found, np.nan))


def with_parameter(trial: WallTrial, name: str, value: float) -> WallTrial:
    """Return a trial with one parameter changed."""
    part, field, _, _ = MAP_PARAMETERS[name]
    change: dict[str, Any] = {field: value}
    changed: dict[str, Any] = {part: replace(getattr(trial, part), **change)}
    return replace(trial, **changed)


def make_parameter_map(
    trial: WallTrial,
    x: MapAxis,
    y: MapAxis,
    *,
    threads: int = 1,
    advance: Callable[[int], None] | None = None,
) -> ParameterMap:
    """Run a trial for every pair of values; `advance` gets the number of cells done."""
    if x.name == y.name:
        raise BadField("y", "another parameter than x", y.name)
    m, n = len(y.values), len(x.values)
    stable, leaks, passive = np.zeros((m, n), bool), np.zeros((m, n)), np.zeros((m, n), bool)
    groups: dict[int, list[tuple[int, int, WallTrial]]] = defaultdict(list)
    for j, b in enumerate(y.values):
        row = with_parameter(trial, y.name, float(b))
        for i, a in enumerate(x.values):
            cell = with_parameter(row, x.name, float(a))
            groups[cell.samples].append((j, i, cell))
            passive[j, i] = is_passive_wall(cell.device, cell.wall.stiffness, cell.wall.damping)
    for cells in groups.values():  # all of a batch have as many samples
        results = run_walls([cell for _, _, cell in cells], threads=threads)
        for (j, i, _), result in zip(cells, results, strict=True):
            stable[j, i], leaks[j, i] = result.is_stable, result.energy_leak
        if advance is not None:
            advance(len(cells))
    return ParameterMap(trial, x, y, stable, leaks, passive)
