"""One submovement: a straight line with the speed of minimum jerk."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.experiments.measures.motion import index_of_difficulty
from robotix.experiments.operators.traits import OperatorTraits
from robotix.geometry import Array

__all__ = ["Submovement", "plan_submovement"]

PEAK_RATIO = 1.875  # of peak to mean speed, of minimum jerk


@dataclass(frozen=True, eq=False)
class Submovement:
    """A displacement, and the time that it takes."""

    way: Array  # (3,), m
    duration: float  # s

    def velocity(self, time: float) -> Array:
        """Velocity after this time, m/s: 30 τ² (1 − τ)² of the mean one [Flash1985]."""
        if not 0 <= time < self.duration:
            return np.zeros(3)
        tau = time / self.duration
        return self.way * (30 * tau**2 * (1 - tau) ** 2 / self.duration)


def plan_submovement(
    error: Array,
    *,
    width: float,
    speed: float,
    traits: OperatorTraits,
    rng: np.random.Generator,
) -> Submovement:
    """Return a submovement that is meant to remove an error.

    Args:
        error: what is left to the target, (3,), m.
        width: of the target, m; the smaller, the slower.
        speed: of the hand at full deflection of the device, m/s.
        traits: of the operator.
        rng: random numbers.
    """
    distance = float(np.linalg.norm(error))
    if distance == 0:
        return Submovement(np.zeros(3), traits.submovement_time)
    along = error / distance
    noise = rng.standard_normal(3) * traits.aiming_noise * distance
    noise = (noise @ along) * along + 0.5 * (noise - (noise @ along) * along)
    fastest = PEAK_RATIO * distance / (traits.pace * speed)
    careful = traits.submovement_time + traits.slowing * index_of_difficulty(distance, width)
    return Submovement(error + noise, max(fastest, careful))
