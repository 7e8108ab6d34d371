"""A four-bar linkage, closed by a ball joint, against its equation in the angle of the crank.

With θ the angle of the crank, all other angles are functions of it by the geometry of the linkage,
so that its energy is I(θ) θ′² / 2 + V(θ) and

    I(θ) θ″ = −I′(θ) θ′² / 2 − V′(θ).
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator

import numpy as np

from robotix.dynamics.simulation import EXACT, BallJoint, Mechanism, Settings, Simulation, World
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.rods import GRAVITY, ROD_THICKNESS, rod, runge_kutta
from robotix.model import Joint, Model

__all__ = ["four_bar_checks"]

CRANK, COUPLER, ROCKER, GROUND = 0.2, 0.5, 0.4, 0.45  # m; the crank can turn full circles
MASS = 1.0  # kg of each bar
START, SPEED = 0.5, 20.0  # rad and rad/s of the crank
SECONDS = 10.0
FINER = 4  # steps of the reference per step of the simulation
EVERY = 10  # steps between comparisons


def four_bar_checks(settings: Settings = EXACT) -> Iterator[Check]:
    """Yield gap of the loop, energy and angle of the crank over ten seconds."""
    simulation = Simulation(World(mechanisms=(Mechanism("linkage", _model()),)), settings)
    coupler, rocker, d_coupler, d_rocker = _linkage(START)[:4]
    q = np.array([START, coupler - START, rocker])
    dq = SPEED * np.array([1.0, d_coupler - 1.0, d_rocker])
    simulation.set_state("linkage", -q, -dq)  # about y, an angle from x to z is negative
    tip = simulation.pose("linkage/coupler").apply(np.array([COUPLER, 0, 0]))
    simulation.connect("linkage/coupler", "linkage/rocker", BallJoint(tip))
    steps = round(SECONDS / settings.dt)
    angles, energies, kinetic, gap = [START], [simulation.energy().total], 0.0, 0.0
    for _ in range(steps // EVERY):
        simulation.step(EVERY)
        angles.append(-simulation.q("linkage")[0])
        energy = simulation.energy()
        energies.append(energy.total)
        kinetic = max(kinetic, energy.kinetic)
        gap = max(gap, _gap(simulation))
    exact = runge_kutta(
        _derivative,
        (START, SPEED),
        dt=settings.dt / FINER,
        steps=steps * FINER,
        every=FINER * EVERY,
    )
    drift = float(abs(np.array(energies) - energies[0]).max()) / kinetic
    yield Check("four-bar: gap", gap, 2e-6, "m")
    yield Check("four-bar: energy", drift, 1e-4, "")
    deviation = float(abs(np.array(angles) - exact[:, 0]).max())
    yield Check("four-bar: crank angle", deviation, 5e-3, "rad")


def _gap(simulation: Simulation) -> float:
    ends = (("linkage/coupler", COUPLER), ("linkage/rocker", ROCKER))
    one, other = (
        simulation.pose(body).apply(np.array([length, 0.0, 0.0])) for body, length in ends
    )
    return float(np.linalg.norm(one - other))


def _model() -> Model:
    axis = np.array([0.0, 1.0, 0.0])
    bodies = (
        rod("crank", Joint("a", "revolute", axis), length=CRANK, mass=MASS),
        rod("coupler", Joint("b", "revolute", axis), "crank", length=COUPLER, mass=MASS,
            at=(CRANK, 0, 0)),
        rod("rocker", Joint("c", "revolute", axis), length=ROCKER, mass=MASS, at=(GROUND, 0, 0)),
    )  # fmt: skip
    return Model("four-bar", bodies)


def _linkage(theta: float) -> tuple[float, float, float, float, float, float]:
    """Return the angles of coupler and rocker, and their first and second derivatives."""
    pin = cmath.rect(CRANK, theta)
    across = GROUND - pin
    distance, direction = cmath.polar(across)
    inner = (COUPLER**2 + distance**2 - ROCKER**2) / (2 * COUPLER * distance)
    coupler = direction + math.acos(inner)
    rocker = cmath.phase(pin + cmath.rect(COUPLER, coupler) - GROUND)
    # CRANK e^{iθ} + COUPLER e^{iβ} = GROUND + ROCKER e^{iγ}, derived once and twice
    first = _solve(coupler, rocker, -1j * pin)
    bend = (
        cmath.rect(CRANK, theta)
        + first[0] ** 2 * cmath.rect(COUPLER, coupler)
        - first[1] ** 2 * cmath.rect(ROCKER, rocker)
    )
    return coupler, rocker, *first, *_solve(coupler, rocker, bend)


def _solve(coupler: float, rocker: float, right: complex) -> tuple[float, float]:
    """Solve x · i COUPLER e^{iβ} − y · i ROCKER e^{iγ} = right for real x and y."""
    u, v = 1j * cmath.rect(COUPLER, coupler), -1j * cmath.rect(ROCKER, rocker)
    whole = (u.conjugate() * v).imag
    return (right.conjugate() * v).imag / whole, (u.conjugate() * right).imag / whole


def _derivative(state: tuple[float, ...]) -> tuple[float, ...]:
    theta, speed = state
    beta, gamma, d_beta, d_gamma, dd_beta, dd_gamma = _linkage(theta)
    j_crank, j_rocker = (_about_end(length) for length in (CRANK, ROCKER))
    j_coupler = _about_end(COUPLER) - MASS * COUPLER**2 / 4
    e, f = cmath.rect(1, theta), cmath.rect(1, beta)
    v = 1j * (CRANK * e + COUPLER / 2 * d_beta * f)  # of the coupler's centre, per θ′
    dv = -CRANK * e + COUPLER / 2 * (1j * dd_beta - d_beta**2) * f
    inertia = j_crank + MASS * abs(v) ** 2 + j_coupler * d_beta**2 + j_rocker * d_gamma**2
    slope = 2 * (
        MASS * (v.conjugate() * dv).real
        + j_coupler * d_beta * dd_beta
        + j_rocker * d_gamma * dd_gamma
    )
    lift = CRANK / 2 * math.cos(theta) + v.imag + ROCKER / 2 * math.cos(gamma) * d_gamma
    return speed, (-slope * speed**2 / 2 - MASS * GRAVITY * lift) / inertia


def _about_end(length: float) -> float:
    return MASS * (length**2 + ROD_THICKNESS**2) / 12 + MASS * length**2 / 4
