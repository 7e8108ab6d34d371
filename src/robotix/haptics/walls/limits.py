"""Limits of a sampled wall in closed form.

A wall k x + b ẋ with backward differences, sampled with period T and held, before a device of mass
M and damping c:

- it is passive if and only if c > kT/2 + |b| [Colgate1997];
- with both sides of the surface alike (a spring), the loop is linear, and stable while all roots of
  its discrete characteristic polynomial lie inside the unit circle.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.errors import BadField
from robotix.haptics.walls.wall import SampledDevice

__all__ = [
    "is_passive_wall",
    "linear_stability_limit",
    "optimal_stiffness",
    "passivity_limit",
    "spectral_radius",
    "undamped_stability_limit",
]

MAX_STIFFNESS = 1e9  # N/m; a larger limit is called infinite
BISECTIONS = 60


def passivity_limit(device: SampledDevice, damping: float = 0.0) -> float:
    """Return the largest stiffness of a passive wall, 2 (c − |b|)/T, N/m [Colgate1997].

    It holds for any passive operator, without delay and quantisation; 0 if there is none.
    """
    return max(2 * (device.damping - abs(damping)) / device.period, 0.0)


def is_passive_wall(device: SampledDevice, stiffness: float, damping: float = 0.0) -> bool:
    """Return whether c > kT/2 + |b|."""
    return device.damping > stiffness * device.period / 2 + abs(damping)


def optimal_stiffness(damping: float, mass: float) -> float:
    """Return k = b²/(2m), for which 1/(m s² + b s + k) has the damping ratio 1/√2, N/m."""
    if not 0 < mass < math.inf:
        raise BadField("mass", "a positive number", mass)
    return damping**2 / (2 * mass)


def undamped_stability_limit(device: SampledDevice) -> float:
    """Return the largest stable k of a spring without damping and delay, in closed form, N/m.

    With a = exp(−cT/M), the held force moves x and v by −f g₁ and −f g₂ in one period, where
    h = (M/c)(1 − a), g₁ = (T − h)/c and g₂ = (1 − a)/c. The determinant of the closed loop is
    (1 − k g₁) a + k g₂ h and reaches 1 at

        k = (1 − a)/(g₂ h − a g₁),

    which tends to 2c/T for small cT/M. A real root passes −1 at k = 2(1 + a)/(g₁(1 + a) − g₂ h).
    """
    M, c, T = device.mass, device.damping, device.period
    if c == 0:
        return 0.0
    a = math.exp(-c * T / M)
    h = M / c * -math.expm1(-c * T / M)
    g1, g2 = (T - h) / c, -math.expm1(-c * T / M) / c
    circle, flip = g2 * h - a * g1, g1 * (1 + a) - g2 * h
    limits = [(1 - a) / circle if circle > 0 else math.inf]
    limits.append(2 * (1 + a) / flip if flip > 0 else math.inf)
    return min(limits)


def spectral_radius(device: SampledDevice, stiffness: float, damping: float = 0.0) -> float:
    """Return the largest modulus of the roots of the linear sampled loop.

    The state is position, velocity, the last position and the forces under way.
    """
    M, c, T = device.mass, device.damping, device.period
    if c * T > 1e-9 * M:
        a, h = math.exp(-c * T / M), M / c * -math.expm1(-c * T / M)
        g1, g2 = (T - h) / c, -math.expm1(-c * T / M) / c
    else:
        a, h, g1, g2 = 1.0, T, T * T / (2 * M), T / M
    n = 3 + device.delay_samples
    A = np.zeros((n, n))  # x, v, x before, forces under way (the next one first)
    force = np.zeros(n)
    force[0], force[2] = stiffness + damping / T, -damping / T
    acting = np.zeros(n)
    if n == 3:
        acting = force
    else:
        acting[3] = 1.0
        A[3:-1, 4:] = np.eye(n - 4)
        A[-1] = force
    A[0, 0], A[0, 1], A[1, 1], A[2, 0] = 1.0, h, a, 1.0
    A[0] -= g1 * acting
    A[1] -= g2 * acting
    return float(abs(np.linalg.eigvals(A)).max())


def linear_stability_limit(device: SampledDevice, damping: float = 0.0) -> float:
    """Return the largest stable stiffness of the linear loop, N/m; 0 if there is none.

    Found by bisection on `spectral_radius`; inf if it is above 1e9 N/m.
    """
    if device.damping + damping <= 0:
        return 0.0
    low, high = 0.0, 1.0
    while spectral_radius(device, high, damping) < 1:
        low, high = high, 4 * high
        if high > MAX_STIFFNESS:
            return math.inf
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        if spectral_radius(device, middle, damping) < 1:
            low = middle
        else:
            high = middle
    return low
