"""Contacts: a block on an incline near the friction angle, a ball that rolls or is dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robotix.dynamics.simulation import (
    CONTROL,
    ContactSurface,
    RigidObject,
    Simulation,
    World,
)
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.rods import GRAVITY
from robotix.geometry import Box, Halfspace, Pose, Sphere, exp_rotation

__all__ = ["bounce_checks", "incline_checks", "rolling_checks"]

FRICTION = 0.5
BELOW, ABOVE = math.radians(-1.0), math.radians(5.0)  # from the friction angle
SLOPE = math.radians(20.0)
RESTITUTIONS = (0.5, 0.7, 0.9)
HEIGHTS = (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)  # m
BALL_RADIUS = 0.05  # m
MOST_STEPS = 200  # of an impact


def incline_checks() -> Iterator[Check]:
    """Yield how fast a block creeps below the friction angle, and how it slides above."""
    angle = math.atan(FRICTION)
    creep, _ = _slide(angle + BELOW)
    yield Check("incline, 1° below the friction angle: creep", abs(creep), 1e-4, "m/s")
    steep = angle + ABOVE
    _, acceleration = _slide(steep)
    exact = GRAVITY * (math.sin(steep) - FRICTION * math.cos(steep))
    yield Check("incline, 5° above: acceleration", abs(acceleration / exact - 1), 0.05, "")


def bounce_checks() -> Iterator[Check]:
    """Yield how far the rebound of a ball is from the stated one, over heights of 0.1 m to 2 m."""
    for restitution in RESTITUTIONS:
        found = [_rebound(restitution, height) for height in HEIGHTS]
        worst = max(abs(each - restitution) for each in found)
        yield Check(f"bounce, restitution {restitution}: rebound", worst, 0.03, "")


def rolling_checks() -> Iterator[Check]:
    """Yield how a ball rolls down an incline, against 5/7 of the acceleration without friction."""
    found = _roll(SLOPE)
    exact = 5 / 7 * GRAVITY * math.sin(SLOPE)
    yield Check("rolling ball: acceleration", abs(found.acceleration / exact - 1), 2e-3, "")
    yield Check("rolling ball: slip per speed", found.slip, 1e-3, "")


@dataclass(frozen=True)
class _Rolling:
    acceleration: float  # m/s²
    slip: float  # of the point of contact, per speed of the centre


def _roll(angle: float) -> _Rolling:
    """Let a ball that nothing brakes roll down an incline for a second."""
    R = exp_rotation((0.0, angle, 0.0))
    surface = ContactSurface(friction=FRICTION, torsion=0.0, rolling=0.0)
    incline = RigidObject(
        "incline", (Halfspace(Pose(R, np.zeros(3))),), mobility="static", surface=surface
    )
    start = Pose(R, R @ np.array([0, 0, BALL_RADIUS]))
    ball = RigidObject("ball", (Sphere(BALL_RADIUS),), start, mass=0.1, surface=surface)
    simulation = Simulation(World((incline, ball)), CONTROL)
    simulation.step(200)
    early = float(simulation.twist("ball")[:3] @ R[:, 0])
    simulation.step(800)
    twist = simulation.twist("ball")
    late, spin = float(twist[:3] @ R[:, 0]), float(twist[3:] @ R[:, 1])
    return _Rolling((late - early) / (800 * CONTROL.dt), abs(late - spin * BALL_RADIUS) / late)


def _slide(angle: float) -> tuple[float, float]:
    """Return velocity (m/s) and acceleration (m/s²) of a block down an incline."""
    R = exp_rotation((0.0, angle, 0.0))
    surface = ContactSurface(friction=FRICTION)
    incline = RigidObject(
        "incline", (Halfspace(Pose(R, np.zeros(3))),), mobility="static", surface=surface
    )
    block = RigidObject(
        "block", (Box(np.array([0.2, 0.2, 0.05])),), Pose(R, R @ np.array([0, 0, 0.025])),
        mass=1.0, surface=surface,
    )  # fmt: skip
    simulation = Simulation(World((incline, block)), CONTROL)
    simulation.step(500)
    early = float(simulation.twist("block")[:3] @ R[:, 0])
    simulation.step(1000)
    late = float(simulation.twist("block")[:3] @ R[:, 0])
    return late, (late - early) / (1000 * CONTROL.dt)


def _rebound(restitution: float, height: float) -> float:
    """Return the speed after an impact per speed before, of a ball that falls from a height (m)."""
    surface = ContactSurface(restitution=restitution)
    floor = RigidObject("floor", (Halfspace(),), mobility="static", surface=surface)
    at = Pose.at(0, 0, BALL_RADIUS + height)
    ball = RigidObject("ball", (Sphere(BALL_RADIUS),), at, mass=0.1, surface=surface)
    simulation = Simulation(World((floor, ball)), CONTROL)
    before = math.sqrt(2 * GRAVITY * height)
    simulation.step(int(before / GRAVITY / CONTROL.dt))
    for _ in range(MOST_STEPS):
        simulation.step()
        z, speed = simulation.pose("ball").translation[2] - BALL_RADIUS, simulation.twist("ball")[2]
        if z > 0 and speed > 0:
            return math.sqrt(speed**2 + 2 * GRAVITY * z) / before
    return 0.0
