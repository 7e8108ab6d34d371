"""Lets what bounces come to rest.

In steps of finite length a bouncing thing never quite rests: it hops at about the speed that
gravity adds in a step. One that has been as slow as that for a while gets the damping of things
that do not bounce, until it is faster again.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robotix.dynamics.simulation import Simulation
from robotix.geometry import Array

__all__ = ["Calming"]

SLOW, FAST = 1.5, 4.0  # times the speed that gravity adds in a step
PATIENCE = 0.25  # s


class Calming:
    """Changes the damping of bodies of one simulation that bounce."""

    def __init__(self, simulation: Simulation, bodies: Sequence[int], tick: float) -> None:
        """Watch bodies, by their numbers in the model; `tick` is in s."""
        self._simulation, model = simulation, simulation.model
        damping = model.geom_solref[:, 1]
        self._rest = damping.min(initial=0.0)  # of what bounces least
        spans = [(int(model.body_geomadr[k]), int(model.body_geomnum[k])) for k in bodies]
        geoms = [np.arange(first, first + count) for first, count in spans]
        bouncy = [k for k, each in enumerate(geoms) if (damping[each] > self._rest).any()]
        self._geoms = [geoms[k] for k in bouncy]
        self._damping = [damping[each].copy() for each in self._geoms]
        self._priority = [model.geom_priority[each].copy() for each in self._geoms]
        starts = [model.jnt_dofadr[model.body_jntadr[bodies[k]]] for k in bouncy]
        self._dofs = np.array(starts, dtype=np.int64)[:, None] + np.arange(3)
        self._counts = np.zeros(len(bouncy), dtype=np.int64)
        self._is_calm = np.zeros(len(bouncy), dtype=bool)
        self._ticks = max(1, round(PATIENCE / tick))
        gravity: Array = simulation.world.gravity
        self._unit = float(np.linalg.norm(gravity)) * simulation.settings.dt

    def update(self) -> None:
        """Call after every tick."""
        if not len(self._counts):
            return
        speeds = np.linalg.norm(self._simulation.data.qvel[self._dofs], axis=1)
        self._counts = np.where(speeds < SLOW * self._unit, self._counts + 1, 0)
        calm = (self._counts >= self._ticks) | (self._is_calm & (speeds < FAST * self._unit))
        model = self._simulation.model
        for k in np.flatnonzero(calm != self._is_calm).tolist():
            geoms = self._geoms[k]
            model.geom_solref[geoms, 1] = self._rest if calm[k] else self._damping[k]
            model.geom_priority[geoms] = 0 if calm[k] else self._priority[k]
        self._is_calm = calm

    def state(self) -> bytes:
        """Return what determines the next update."""
        return self._counts.tobytes() + self._is_calm.tobytes()
