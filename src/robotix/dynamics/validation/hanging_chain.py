"""A chain that hangs between two points, against the equilibrium of its rods in closed form.

The horizontal force H is the same everywhere, and every rod takes its weight w off the vertical
force; the moments on rod i of n balance if

    tan θᵢ = (i − (n + 1) / 2) w / H.

H follows from the span. Many short rods make a catenary.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from robotix.dynamics.simulation import EXACT, BallJoint, Mechanism, Simulation, World
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.rods import GRAVITY, rod
from robotix.geometry import Array, Pose
from robotix.model import Joint, Model

__all__ = ["hanging_chain_checks"]

RODS, LENGTH, MASS = 10, 0.1, 0.2  # m and kg of a rod
SPAN = 0.7  # m
SECONDS = 1.0
BISECTIONS = 200
Y = np.array([0.0, 1.0, 0.0])


def hanging_chain_checks() -> Iterator[Check]:
    """Yield how far a chain moves that is hung up in its equilibrium."""
    joints = [Joint(f"hinge{k}", "revolute", Y) for k in range(RODS)]
    names = [f"rod{k}" for k in range(RODS)]
    bodies = tuple(
        rod(
            names[k], joints[k], names[k - 1] if k else None,
            length=LENGTH, mass=MASS, at=(LENGTH if k else 0.0, 0.0, 0.0),
        )
        for k in range(RODS)
    )  # fmt: skip
    world = World((), (Mechanism("chain", Model("chain", bodies), Pose.at(0, 0, 2)),))
    simulation, angles = Simulation(world, EXACT), _angles(_pull())
    simulation.set_state("chain", np.diff(-angles, prepend=0.0))  # about y, down is positive
    last = f"chain/{names[-1]}"
    end = (simulation.pose(last) @ Pose.at(LENGTH, 0, 0)).translation
    assert abs(end - (SPAN, 0.0, 2.0)).max() < 1e-9
    simulation.connect("world", last, BallJoint(end))
    start = _places(simulation, names)
    moved = 0.0
    for _ in range(round(SECONDS / EXACT.dt) // 10):
        simulation.step(10)
        moved = max(moved, float(abs(_places(simulation, names) - start).max()))
    yield Check("hanging chain: motion", moved, 1e-7, "m")


def _angles(pull: float) -> Array:
    """Return the slopes of the rods, rad, up is positive, for the horizontal force (N)."""
    i = np.arange(1, RODS + 1)
    return np.asarray(np.arctan((i - (RODS + 1) / 2) * MASS * GRAVITY / pull))


def _pull() -> float:
    """Return the horizontal force (N) with which the chain spans `SPAN`."""
    low, high = 1e-6, 1e6
    for _ in range(BISECTIONS):
        middle = math.sqrt(low * high)
        is_short = LENGTH * float(np.cos(_angles(middle)).sum()) < SPAN
        low, high = (middle, high) if is_short else (low, middle)
    return high


def _places(simulation: Simulation, names: list[str]) -> Array:
    return np.array([simulation.pose(f"chain/{name}").translation for name in names])
