"""Accelerations of robots that nothing drives, against our own recursive Newton-Euler method.

The efforts of the accelerations that the simulation finds must vanish: they are compared with the
efforts that the robot would need to go on without acceleration.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robotix.dynamics.inverse import inverse_dynamics
from robotix.dynamics.simulation import EXACT, Mechanism, Simulation, World
from robotix.dynamics.validation.check import Check
from robotix.geometry import Array
from robotix.model import Model
from robotix.model.robots import load

__all__ = ["ROBOTS", "forward_checks", "left_efforts"]

ROBOTS = (
    "amtec_ulwr", "human", "kuka_lwr", "mitsubishi_pa10", "panda", "planar_3r", "scara", "ur5",
    "vhrp26", "vishard10",
)  # fmt: skip
POSTURES = 5


def forward_checks() -> Iterator[Check]:
    """Yield the efforts that are left over, per robot, relative to those without acceleration."""
    rng = np.random.default_rng(0)
    for name in ROBOTS:
        model = load(name)
        simulation = Simulation(World(mechanisms=(Mechanism("robot", model),)), EXACT)
        left = max(left_efforts(simulation, model, rng) for _ in range(POSTURES))
        yield Check(f"forward dynamics, {name}", left, 1e-9, "")


def left_efforts(simulation: Simulation, model: Model, rng: np.random.Generator) -> float:
    """Return the largest effort that is left over in a random state of the mechanism `robot`."""
    q, dq = _random_state(model, rng)
    simulation.set_state("robot", q, dq)
    simulation.forward()
    ddq = simulation.accelerations("robot")
    left = inverse_dynamics(model, q, dq=dq, ddq=ddq)
    return float(abs(left).max() / abs(inverse_dynamics(model, q, dq=dq)).max())


def _random_state(model: Model, rng: np.random.Generator) -> tuple[Array, Array]:
    low = np.where(np.isfinite(model.lower), model.lower, -np.pi)
    high = np.where(np.isfinite(model.upper), model.upper, np.pi)
    return rng.uniform(low, high), rng.normal(size=model.n_dof)
