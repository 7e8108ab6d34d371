"""Settings of the physics of a room."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.errors import BadField
from robotix.geometry.arrays import Vector
from robotix.scene.graph.body import BodyProperties

__all__ = ["PhysicsSettings"]

MIN_STEP, MAX_STEP = 1e-4, 0.01  # s
MAX_GRAVITY = 1000.0  # m/s²


@dataclass(frozen=True)
class PhysicsSettings:
    """Gravity, time step, and what bodies are like that do not say so themselves.

    Every tick is divided into equal steps of at most `time_step`. With `exact` they are those of a
    Runge-Kutta method, which conserves energy and momentum and takes four times as long; stiff
    servos need shorter steps then, and nothing sleeps.
    """

    gravity: Vector = (0.0, 0.0, -9.81)  # m/s²
    time_step: float = 0.002  # s
    density: float = 1000.0  # kg/m³
    friction: float = 0.6  # coefficient of sliding; in a contact the larger one holds
    restitution: float = 0.0
    exact: bool = False

    def __post_init__(self) -> None:
        """Raise BadField for values out of range."""
        if not math.hypot(*self.gravity) <= MAX_GRAVITY:
            raise BadField("gravity", f"three numbers, at most {MAX_GRAVITY:g} m/s²", self.gravity)
        if not MIN_STEP <= self.time_step <= MAX_STEP:
            raise BadField("time_step", f"{MIN_STEP:g} to {MAX_STEP:g} s", self.time_step)
        BodyProperties(density=self.density, friction=self.friction, restitution=self.restitution)
