"""A body that turns freely in space, against Jacobi's solution of Euler's equations.

Without torque the rates about the principal axes (I₁ < I₂ < I₃) are elliptic functions of time.
With the energy T and the momentum L, L² > 2 T I₂, and ω₂ = 0 at the start,

    ω₁ = ω₁(0) cn(s t | m), ω₂ = b sn(s t | m), ω₃ = ω₃(0) dn(s t | m),
    b² = (2 T I₃ − L²) / (I₂ (I₃ − I₂)),
    s² = (I₃ − I₂) (L² − 2 T I₁) / (I₁ I₂ I₃),
    m = (I₂ − I₁) (2 T I₃ − L²) / ((I₃ − I₂) (L² − 2 T I₁)).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.simulation import EXACT, Mechanism, Simulation, World
from robotix.dynamics.simulation.sensors import Gyroscope
from robotix.dynamics.validation.check import Check
from robotix.geometry import Array
from robotix.model import Body, Joint, Model

__all__ = ["spinning_checks"]

INERTIAS = (0.2, 0.3, 0.4)  # kg m², about the principal axes
RATES = (20.0, 0.0, 15.0)  # rad/s, at the start; near the middle axis, so that it turns over
SECONDS = 10.0
EVERY = 10  # steps between comparisons
ROUNDS = 12  # of the arithmetic-geometric mean; it doubles its digits in each


def spinning_checks() -> Iterator[Check]:
    """Yield how far the gyroscope of a spinning body is from the closed form."""
    body = Body("top", Joint("root", "floating"), mass=1.0, inertia=np.diag(INERTIAS))
    world = World((), (Mechanism("body", Model("top", (body,))),), np.zeros(3))
    simulation, exact = Simulation(world, EXACT), _Solution(*INERTIAS, *RATES[::2])
    simulation.set_state("body", np.zeros(6), [0.0, 0.0, 0.0, *RATES])
    gyroscope, worst, momentum = Gyroscope("body/top"), 0.0, simulation.momentum().angular
    drift = 0.0
    for k in range(1, round(SECONDS / EXACT.dt) // EVERY + 1):
        simulation.step(EVERY)
        rates = exact.rates(k * EVERY * EXACT.dt)
        worst = max(worst, float(abs(gyroscope.read(simulation) - rates).max()))
        drift = max(drift, float(np.linalg.norm(simulation.momentum().angular - momentum)))
    yield Check("spinning body: gyroscope", worst, 1e-5, "rad/s")
    yield Check(
        "spinning body: angular momentum", drift / float(np.linalg.norm(momentum)), 1e-8, ""
    )


@dataclass(frozen=True)
class _Solution:
    """Rates about the principal axes; see above."""

    i1: float
    i2: float
    i3: float
    w1: float
    w3: float

    def rates(self, time: float) -> Array:
        """Return the rates at a time, (3,), rad/s."""
        i1, i2, i3 = self.i1, self.i2, self.i3
        twice = i1 * self.w1**2 + i3 * self.w3**2  # 2 T
        square = (i1 * self.w1) ** 2 + (i3 * self.w3) ** 2  # L²
        low, high = square - twice * i1, twice * i3 - square
        s = math.sqrt((i3 - i2) * low / (i1 * i2 * i3))
        sn, cn, dn = _jacobi(s * time, (i2 - i1) * high / ((i3 - i2) * low))
        b = math.sqrt(high / (i2 * (i3 - i2)))
        return np.array([self.w1 * cn, b * sn, self.w3 * dn])


def _jacobi(u: float, m: float) -> tuple[float, float, float]:
    """Return sn, cn and dn of the parameter 0 < m < 1, by the arithmetic-geometric mean."""
    a, b, means = 1.0, math.sqrt(1 - m), []
    for _ in range(ROUNDS):
        c = (a - b) / 2
        a, b = (a + b) / 2, math.sqrt(a * b)
        means.append((a, c))
    phi = 2 ** len(means) * a * u
    for mean, c in reversed(means):
        phi = (phi + math.asin(c / mean * math.sin(phi))) / 2
    sn = math.sin(phi)
    return sn, math.cos(phi), math.sqrt(1 - m * sn**2)
