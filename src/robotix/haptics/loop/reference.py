"""Reference runs: a device before a wall, the felt inertia, and both displays side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import height_joints, posture_above, vishard10
from robotix.haptics.loop.environment import HapticElement, PlaneWall
from robotix.haptics.loop.loop import HapticLoop, LoopHistory, LoopOutcome
from robotix.haptics.loop.settings import DisplayMode, LoopSettings, OperatorArm

__all__ = [
    "DisplayContrast",
    "FeltDynamics",
    "compare_displays",
    "feel",
    "press_wall",
    "reference_posture",
]

GAP = 0.002  # m, before the wall
PROBE = 40.0  # N, of the hand that shakes the handle
PROBE_FREQUENCY = 2.0  # Hz
SLIDING_SPEED = 0.01  # m/s


def reference_posture(x: float = 0.6, z: float = -0.2) -> Array:
    """Return a dexterous posture of ViSHARD10 with its handle at (x, 0, z)."""
    return posture_above(
        x, bends=(-0.8, -0.8), wrist=(math.pi / 2, 0.0, -0.75 * math.pi, 0.0),
        height=height_joints(z),
    )  # fmt: skip


def press_wall(
    settings: LoopSettings,
    *,
    stiffness: float,
    damping: float,
    push: float,
    seconds: float = 2.0,
    arm: OperatorArm | None = None,
) -> tuple[LoopOutcome, LoopHistory]:
    """Push ViSHARD10 along x into a wall 2 mm before its handle."""
    arm = OperatorArm(stiffness=0.0, damping=20.0) if arm is None else arm
    start = 0.6
    wall = PlaneWall((-1.0, 0.0, 0.0), -(start + GAP), stiffness=stiffness, damping=damping)
    loop = HapticLoop(
        vishard10(), reference_posture(start), settings=settings, elements=[wall], arm=arm
    )
    loop.push((push, 0.0, 0.0))
    return loop.run(seconds)


@dataclass(frozen=True)
class FeltDynamics:
    """What a hand feels along a direction: f = m a + b v + friction sign(v) + constant."""

    mass: float  # kg
    damping: float  # N s/m
    friction: float  # N
    is_held: bool  # the hand could not move the device


def feel(
    settings: LoopSettings,
    direction: Array,
    *,
    elements: Sequence[HapticElement] = (),
    force: float = PROBE,
    frequency: float = PROBE_FREQUENCY,
) -> FeltDynamics:
    """Shake the handle along a direction, and fit what the hand felt in the last two periods."""
    seconds = 4 / frequency
    n = round(seconds * settings.rate)
    t = np.arange(n) / settings.rate
    wave = np.cos(2 * np.pi * frequency * t)
    arm = OperatorArm(mass=1.0, stiffness=60.0, damping=8.0)
    loop = HapticLoop(
        vishard10(), reference_posture(), settings=settings, elements=elements, arm=arm
    )
    goal = np.broadcast_to(loop.position, (n, 3))
    _, history = loop.run(seconds, inputs=np.hstack([force * wave[:, None] * direction, goal]))
    kept = slice(n // 2, n)
    v = history.velocities[kept] @ direction
    a = np.gradient(v, 1 / settings.rate)
    columns = np.stack([a, v, np.tanh(v / SLIDING_SPEED), np.ones(len(v))], axis=1)
    fit = np.linalg.lstsq(columns, history.hand_forces[kept] @ direction, rcond=None)[0]
    is_held = bool(abs(v).max() < SLIDING_SPEED)
    return FeltDynamics(float(fit[0]), float(fit[1]), float(fit[2]), is_held)


@dataclass(frozen=True, eq=False)
class DisplayContrast:
    """What a hand feels with each display, over the direction in the plane."""

    angles: Array  # (n,), rad
    felt: dict[DisplayMode, tuple[FeltDynamics, ...]]  # n each
    virtual_mass: float  # kg, that the admittance should show

    def masses(self, mode: DisplayMode) -> Array:
        """Return the felt masses, (n,), kg; inf where friction held the device."""
        return np.array([math.inf if each.is_held else each.mass for each in self.felt[mode]])

    def frictions(self, mode: DisplayMode) -> Array:
        """Return the felt dry friction, (n,), N."""
        return np.array([each.friction for each in self.felt[mode]])


def compare_displays(
    settings: LoopSettings | None = None, *, count: int = 24, force: float = PROBE
) -> DisplayContrast:
    """Shake the handle in `count` directions of the plane with admittance and impedance display."""
    settings = LoopSettings() if settings is None else settings
    angles = np.asarray(np.linspace(0, 2 * np.pi, count, endpoint=False), dtype=float)
    directions = [np.array([math.cos(a), math.sin(a), 0.0]) for a in angles]
    felt = {
        mode: tuple(feel(replace(settings, mode=mode), each, force=force) for each in directions)
        for mode in (DisplayMode.admittance, DisplayMode.impedance)
    }
    return DisplayContrast(angles, felt, settings.handle.mass)
