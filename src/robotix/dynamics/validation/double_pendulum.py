"""A double pendulum, against its equations of motion in the two angles from the vertical.

With rods of masses m1, m2, lengths l1, l2 and moments of inertia J1 (about the pivot) and J2 (about
the centre), c and s the cosine and sine of the difference of the angles a and b:

    (J1 + m2 l1²) a″ + (m2 l1 l2 c / 2) b″ = −(m2 l1 l2 s / 2) b′² − (m1/2 + m2) g l1 sin a
    (m2 l1 l2 c / 2) a″ + (J2 + m2 l2²/4) b″ = (m2 l1 l2 s / 2) a′² − m2 g l2 sin(b) / 2

They are integrated with a step a quarter as long.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from robotix.dynamics.simulation import EXACT, Mechanism, Simulation, World
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.rods import GRAVITY, ROD_THICKNESS, rod, runge_kutta
from robotix.geometry import Array
from robotix.model import Joint, Model

__all__ = ["double_pendulum_checks"]

LENGTHS, MASSES = (0.5, 0.4), (1.0, 0.7)  # m, kg
START = (1.2, 0.3)  # rad from the vertical: swings of more than a right angle, hardly chaotic
SECONDS = 10.0
FINER = 4  # steps of the reference per step of the simulation
EVERY = 10  # steps between comparisons
DOWN = math.pi / 2  # rad, about y: from x to the vertical


def double_pendulum_checks() -> Iterator[Check]:
    """Yield the deviations of angles and energy over ten seconds."""
    simulation = Simulation(World(mechanisms=(Mechanism("pendulum", _model()),)), EXACT)
    a, b = START
    simulation.set_state("pendulum", [DOWN - a, a - b])
    steps = round(SECONDS / EXACT.dt)
    angles, energies, kinetic = [START], [simulation.energy().total], 0.0
    for _ in range(steps // EVERY):
        simulation.step(EVERY)
        q = simulation.q("pendulum")
        angles.append((DOWN - q[0], DOWN - q[0] - q[1]))
        energy = simulation.energy()
        energies.append(energy.total)
        kinetic = max(kinetic, energy.kinetic)
    exact = runge_kutta(
        _derivative,
        (*START, 0.0, 0.0),
        dt=EXACT.dt / FINER,
        steps=steps * FINER,
        every=FINER * EVERY,
    )
    deviation = abs(np.array(angles) - exact[:, :2]).max()
    drift = _spread(np.array(energies)) / kinetic
    yield Check("double pendulum: angle", float(deviation), 1e-6, "rad")
    yield Check("double pendulum: energy", drift, 1e-8, "")


def _spread(values: Array) -> float:
    return float(abs(values - values[0]).max())


def _model() -> Model:
    axis = np.array([0.0, 1.0, 0.0])
    upper = rod("upper", Joint("a", "revolute", axis), length=LENGTHS[0], mass=MASSES[0])
    lower = rod(
        "lower",
        Joint("b", "revolute", axis),
        "upper",
        length=LENGTHS[1],
        mass=MASSES[1],
        at=(LENGTHS[0], 0, 0),
    )
    return Model("double pendulum", (upper, lower))


def _derivative(state: tuple[float, ...]) -> tuple[float, ...]:
    a, b, da, db = state
    (l1, l2), (m1, m2) = LENGTHS, MASSES
    j1 = m1 * (l1**2 + ROD_THICKNESS**2) / 12 + m1 * l1**2 / 4
    j2 = m2 * (l2**2 + ROD_THICKNESS**2) / 12
    c, s = math.cos(a - b), math.sin(a - b)
    coupling = m2 * l1 * l2 / 2
    aa, ab, bb = j1 + m2 * l1**2, coupling * c, j2 + m2 * l2**2 / 4
    fa = -coupling * s * db**2 - (m1 / 2 + m2) * GRAVITY * l1 * math.sin(a)
    fb = coupling * s * da**2 - m2 * GRAVITY * l2 / 2 * math.sin(b)
    whole = aa * bb - ab * ab
    return da, db, (fa * bb - fb * ab) / whole, (fb * aa - fa * ab) / whole
