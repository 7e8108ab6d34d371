"""Where a wall is stable and passive: runs over a grid of stiffness and damping."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.walls.limits import linear_stability_limit, passivity_limit
from robotix.haptics.walls.wall import WallTrial, run_walls

__all__ = ["StabilityMap", "make_stability_map"]


@dataclass(frozen=True, eq=False)
class StabilityMap:
    """Stability and energy leak over stiffness and damping of a wall."""

    trial: WallTrial  # what all cells have in common
    stiffness: Array  # (n,), N/m
    damping: Array  # (m,), N s/m
    is_stable: NDArray[np.bool_]  # (m, n)
    energy_leak: Array  # (m, n), J
    passivity_limits: Array  # (m,), N/m, of [Colgate1997]
    linear_limits: Array  # (m,), N/m, of a spring on both sides

    @property
    def measured_limits(self) -> Array:
        """Largest stiffness up to which all runs are stable, for each damping, (m,); 0 if none."""
        unstable = ~self.is_stable
        first = np.where(unstable.any(axis=1), unstable.argmax(axis=1), len(self.stiffness))
        return np.where(first > 0, self.stiffness[np.maximum(first - 1, 0)], 0.0)


def make_stability_map(
    trial: WallTrial,
    stiffness: ArrayLike,
    damping: ArrayLike,
    *,
    threads: int | None = None,
    advance: Callable[[int], None] | None = None,
) -> StabilityMap:
    """Run a trial for every stiffness and damping; `advance` gets the number of cells done."""
    k, b = np.asarray(stiffness, dtype=float), np.asarray(damping, dtype=float)
    for name, values in (("stiffness", k), ("damping", b)):
        if values.ndim != 1 or not len(values) or not (np.diff(values) > 0).all():
            raise BadField(name, "ascending numbers", values.tolist())
    threads = os.cpu_count() or 1 if threads is None else threads
    rows = []
    for damping_ in b:
        wall = replace(trial.wall, damping=float(damping_))
        trials = [replace(trial, wall=replace(wall, stiffness=float(k_))) for k_ in k]
        rows.append(run_walls(trials, threads=threads))
        if advance is not None:
            advance(len(k))
    device = replace(trial.device, mass=trial.device.mass + trial.hand.mass)
    return StabilityMap(
        trial, k, b,
        np.array([[each.is_stable for each in row] for row in rows]),
        np.array([[each.energy_leak for each in row] for row in rows]),
        np.array([passivity_limit(device, float(each)) for each in b]),
        np.array([linear_stability_limit(device, float(each)) for each in b]),
    )  # fmt: skip
