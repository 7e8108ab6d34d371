"""A device follows a circle, and how dexterous it is on the way."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.geometry.rotation import log_rotation
from robotix.haptics.redundancy.resolution import Resolution
from robotix.kinematics import Posture
from robotix.kinematics.batch import forward_batch, jacobian_batch
from robotix.model import Model

__all__ = ["CircularPath", "TrackedPath", "follow"]

DRIFT_GAIN = 10.0  # 1/s; integration drifts off the path, and is led back


@dataclass(frozen=True)
class CircularPath:
    """A horizontal circle of the tip at constant speed, from the point of largest x."""

    centre: tuple[float, float, float]  # m
    radius: float  # m
    speed: float  # m/s
    is_clockwise: bool = True  # seen from above

    def __post_init__(self) -> None:
        """Raise `BadField` unless radius and speed are positive."""
        for name in ("radius", "speed"):
            value = getattr(self, name)
            if not 0 < value < math.inf:
                raise BadField(name, "a positive number", value)

    @property
    def duration(self) -> float:
        """Seconds of one round."""
        return 2 * math.pi * self.radius / self.speed

    def at(self, time: float) -> tuple[Array, Array]:
        """Return position and velocity, (3,) each."""
        rate = (-1 if self.is_clockwise else 1) * self.speed / self.radius
        c, s = math.cos(rate * time), math.sin(rate * time)
        position = np.array(self.centre) + self.radius * np.array([c, s, 0.0])
        return position, self.radius * rate * np.array([-s, c, 0.0])


@dataclass(frozen=True, eq=False)
class TrackedPath:
    """What a device did along a path; one row per tick."""

    model: Model
    times: Array  # (n,), s
    q: Array  # (n, n_dof)
    dq: Array  # (n, n_dof), rad/s

    @cached_property
    def jacobians(self) -> Array:
        """Jacobians of the tip, (n, 6, n_dof)."""
        return jacobian_batch(self.model, self.q)

    @cached_property
    def translational(self) -> Array:
        """√det(J_v J_vᵀ), (n,)."""
        return _manipulability(self.jacobians[:, :3])

    @cached_property
    def rotational(self) -> Array:
        """√det(J_ω J_ωᵀ), (n,); 0 where the orientation is singular."""
        return _manipulability(self.jacobians[:, 3:])

    def condition(self, part: str) -> Array:
        """Condition number σ₁/σ₃ of the `translational` or `rotational` rows, (n,)."""
        rows = slice(0, 3) if part == "translational" else slice(3, 6)
        return np.asarray(np.linalg.cond(self.jacobians[:, rows]))

    @cached_property
    def tips(self) -> Array:
        """Positions of the tip, (n, 3), m."""
        return forward_batch(self.model, self.q)[0]


def _manipulability(jacobians: Array) -> Array:
    squares = np.linalg.det(jacobians @ np.swapaxes(jacobians, 1, 2))
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))


def follow(
    model: Model,
    q0: ArrayLike,
    path: CircularPath,
    resolution: Resolution,
    *,
    dt: float = 1e-3,
    duration: float | None = None,
    advance: Callable[[], None] | None = None,
) -> TrackedPath:
    """Follow a path from `q0` with constant orientation; `duration` is one round when None.

    `advance` is called after each tick.
    """
    if not 0 < dt < math.inf:
        raise BadField("dt", "a positive time in s", dt)
    count = round((path.duration if duration is None else duration) / dt) + 1
    n = model.n_dof
    q, times = np.array(q0, dtype=float), np.asarray(dt * np.arange(count), dtype=np.float64)
    rows, rates = np.empty((count, n)), np.empty((count, n))
    orientation = Posture(model, q).pose().rotation
    for k, time in enumerate(times):
        posture = Posture(model, q)
        pose = posture.pose()
        position, velocity = path.at(float(time))
        turn = log_rotation(orientation @ pose.rotation.T)
        twist = np.concatenate(
            [velocity + DRIFT_GAIN * (position - pose.translation), DRIFT_GAIN * turn]
        )
        rows[k], rates[k] = q, resolution.velocity(posture, twist)
        q = q + dt * rates[k]
        if advance is not None:
            advance()
    return TrackedPath(model, times, rows, rates)
