"""Loads in the hands. They are part of the centre of mass from the moment of the grasp."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Box
from robotix.human.body.skeleton import Side
from robotix.human.motion.curves import minimum_jerk
from robotix.model import Model

__all__ = ["HandForce", "Load", "LoadPhase", "model_with_loads"]


@dataclass(frozen=True, eq=False)
class Load:
    """A box held by one hand or by two, its centre of mass above or below the grips.

    Each hand carries an equal part at the centre of its grip, whatever its orientation.
    """

    name: str
    mass: float  # kg
    hands: tuple[Side, ...]
    box: Box  # about its centre, x forward
    grip_height: float = 0.0  # m, of the hands above its centre


@dataclass(frozen=True, eq=False)
class LoadPhase:
    """A load and the time span from grasp to release."""

    load: Load
    start: float  # s
    end: float  # s


@dataclass(frozen=True, eq=False)
class HandForce:
    """A force on a hand from outside: what is pushed or pulled resists.

    It rises and falls smoothly within `ramp` seconds at both ends of its time.
    """

    side: Side
    force: Array  # (3,), N, on the hand
    start: float  # s
    end: float  # s
    ramp: float = 0.0  # s

    def at(self, times: ArrayLike) -> Array:
        """Return the force at some times, (N, 3), N."""
        t = np.asarray(times, dtype=float)
        if self.ramp <= 0:
            share = ((self.start <= t) & (t <= self.end)).astype(float)
        else:
            rising = minimum_jerk((t - self.start) / self.ramp)
            share = rising * minimum_jerk((self.end - t) / self.ramp)
        return np.asarray(share[:, None] * self.force)


def model_with_loads(model: Model, loads: Iterable[Load]) -> Model:
    """Return the model with loads as payloads of its hands."""
    for load in loads:
        for side in load.hands:
            if load.mass > 0:
                mass = load.mass / len(load.hands)
                model = model.with_payload(f"{load.name}_{side}", mass, at=f"{side}_hand")
    return model
