"""Holding free objects, and letting them go, without compiling again.

While it is held, an object is as a driven one: it is heavy, nothing pushes it, it has no weight,
and it touches only what is free.
"""

from __future__ import annotations

import mujoco

from robotix.dynamics.simulation.compile import DRIVEN_MASS, FIXED_AFFINITY, FIXED_TYPE
from robotix.dynamics.simulation.simulation import Simulation

__all__ = ["Holding"]


class Holding:
    """Which free objects of a simulation are held."""

    def __init__(self, simulation: Simulation) -> None:
        """Begin with all free objects free."""
        self._simulation, model = simulation, simulation.model
        self._scratch = mujoco.MjData(model)
        self._mass, self._inertia = model.body_mass.copy(), model.body_inertia.copy()
        self._ipos, self._iquat = model.body_ipos.copy(), model.body_iquat.copy()
        self._types = model.geom_contype.copy(), model.geom_conaffinity.copy()
        self._body_types = model.body_contype.copy(), model.body_conaffinity.copy()
        self._held: set[int] = set()
        self._set_tolerance()

    def set_held(self, bodies: set[int]) -> None:
        """Hold exactly these bodies, by their numbers in the model."""
        if bodies == self._held:
            return
        for body in sorted(bodies - self._held):
            self._hold(body)
        for body in sorted(self._held - bodies):
            self._release(body)
        self._held = set(bodies)
        mujoco.mj_setConst(self._simulation.model, self._scratch)
        self._set_tolerance()

    def _hold(self, body: int) -> None:
        simulation, model = self._simulation, self._simulation.model
        model.body_mass[body], model.body_inertia[body] = DRIVEN_MASS, DRIVEN_MASS
        model.body_ipos[body], model.body_iquat[body] = 0.0, (1.0, 0.0, 0.0, 0.0)
        simulation.data.xfrc_applied[body] = (*(-DRIVEN_MASS * simulation.world.gravity), 0, 0, 0)
        for geom in self._geoms(body):
            model.geom_contype[geom], model.geom_conaffinity[geom] = FIXED_TYPE, FIXED_AFFINITY
        model.body_contype[body], model.body_conaffinity[body] = FIXED_TYPE, FIXED_AFFINITY

    def _release(self, body: int) -> None:
        simulation, model = self._simulation, self._simulation.model
        model.body_mass[body], model.body_inertia[body] = self._mass[body], self._inertia[body]
        model.body_ipos[body], model.body_iquat[body] = self._ipos[body], self._iquat[body]
        simulation.data.xfrc_applied[body] = 0.0
        for geom in self._geoms(body):
            model.geom_contype[geom] = self._types[0][geom]
            model.geom_conaffinity[geom] = self._types[1][geom]
        model.body_contype[body] = self._body_types[0][body]
        model.body_conaffinity[body] = self._body_types[1][body]

    def _geoms(self, body: int) -> range:
        model = self._simulation.model
        first = int(model.body_geomadr[body])
        return range(first, first + int(model.body_geomnum[body]))

    def _set_tolerance(self) -> None:
        """Let the solver stop by the masses that are free: driven ones weigh too much for that."""
        is_light = (self._mass > 0) & (self._mass < DRIVEN_MASS)
        if is_light.any():
            mean = (self._mass[is_light].mean() + self._inertia[is_light].mean()) / 2
            self._simulation.model.stat.meaninertia = float(mean)
