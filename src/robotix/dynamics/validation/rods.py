"""Slender rods, of which the mechanisms of the checks are made."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.model import Body, Joint

__all__ = ["GRAVITY", "Derivative", "rod", "runge_kutta"]

GRAVITY = 9.81  # m/s²
ROD_THICKNESS = 0.02  # m

Derivative: TypeAlias = Callable[[tuple[float, ...]], tuple[float, ...]]


def rod(
    name: str,
    joint: Joint,
    parent: str | None = None,
    *,
    length: float,
    mass: float = 1.0,
    at: ArrayLike = (0.0, 0.0, 0.0),
    start: float = 0.0,
) -> Body:
    """Return a rod along x of its frame, from `start` (m) on, with a square cross-section."""
    across = mass * (length**2 + ROD_THICKNESS**2) / 12
    return Body(
        name,
        joint,
        parent,
        Pose.at(*np.asarray(at, dtype=float)),
        mass=mass,
        com=np.array([start + length / 2, 0.0, 0.0]),
        inertia=np.diag([mass * ROD_THICKNESS**2 / 6, across, across]),
    )


def runge_kutta(
    derivative: Derivative, state: tuple[float, ...], *, dt: float, steps: int, every: int
) -> Array:
    """Integrate by the classical method of order four; return every `every`-th state."""
    found = [state]
    for k in range(1, steps + 1):
        a = derivative(state)
        b = derivative(_moved(state, a, dt / 2))
        c = derivative(_moved(state, b, dt / 2))
        d = derivative(_moved(state, c, dt))
        state = tuple(
            x + dt / 6 * (s + 2 * t + 2 * u + v)
            for x, s, t, u, v in zip(state, a, b, c, d, strict=True)
        )
        if k % every == 0:
            found.append(state)
    return np.array(found)


def _moved(state: tuple[float, ...], rate: tuple[float, ...], dt: float) -> tuple[float, ...]:
    return tuple(x + dt * v for x, v in zip(state, rate, strict=True))
