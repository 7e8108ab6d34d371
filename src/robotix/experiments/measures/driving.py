"""Measures of a trial in which somebody drives an arm: of people and of simulated operators."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from robotix.experiments.measures.motion import (
    log_dimensionless_jerk,
    path_length,
    spectral_arc_length,
    speeds_of,
    time_below,
)
from robotix.geometry import Array
from robotix.kinematics.batch import singular_values_batch
from robotix.kinematics.dexterity import isotropy_of
from robotix.model import Model

__all__ = ["DrivingLog", "measure_driving"]

NEAR_SINGULARITY = 0.1  # isotropy below which the arm counts as near a singularity (assumed)
SAMPLE_EVERY = 6  # ticks between two postures that are examined for this


@dataclass
class DrivingLog:
    """What is recorded in every tick."""

    hand: list[Array] = field(default_factory=list)  # (3,), m, in the world
    q: list[Array] = field(default_factory=list)

    def add(self, hand: Array, q: Array) -> None:
        """Record a tick."""
        self.hand.append(np.array(hand))
        self.q.append(np.array(q))


def measure_driving(log: DrivingLog, model: Model, *, dt: float) -> dict[str, float]:
    """Return path length, smoothness and time near a singularity; the undefined is left out."""
    if len(log.hand) < 2:
        return {}
    speeds = speeds_of(log.hand, dt)
    rows = np.array(log.q[::SAMPLE_EVERY])
    isotropy = isotropy_of(singular_values_batch(model, rows, normalised=True))
    measures = {
        "path_length": path_length(log.hand),
        "sparc": spectral_arc_length(speeds, dt),
        "log_dimensionless_jerk": log_dimensionless_jerk(speeds, dt),
        "time_near_singularity": time_below(isotropy, NEAR_SINGULARITY, dt * SAMPLE_EVERY),
    }
    return {name: value for name, value in measures.items() if value is not None}
