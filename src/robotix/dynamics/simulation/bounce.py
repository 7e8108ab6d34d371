"""Contacts that bounce: spring and damper of a contact for a given restitution.

While two bodies touch, their distance r obeys r″ = −2 ζ ω r′ − ω² r: a spring and a damper whose
force cannot pull. It ends when it would, which is before the spring is relaxed, so that the speed
of an impact comes back by the factor

    e = exp(−(ζ / w) (π − φ)),  φ = atan2(2 ζ w, 1 − 2 ζ²),  w = √(1 − ζ²),

which is solved for the damping ratio ζ. All surfaces have the same ω, so that of two surfaces that
touch the larger damping holds, and with it the smaller restitution.
"""

from __future__ import annotations

import math
from functools import cache

__all__ = ["CONTACT_IMPEDANCE", "LEAST_BOUNCE", "contact_solref", "restitution_of"]

CONTACT_IMPEDANCE = (0.98, 0.98, 0.001, 0.5, 2.0)  # the same at any depth: the spring is linear
LEAST_BOUNCE = math.exp(-2.0)  # the restitution of critical damping, with which things rest fastest
BISECTIONS = 60


def contact_solref(restitution: float, time_constant: float) -> tuple[float, float]:
    """Return MuJoCo's −ω² and −2 ζ ω of a contact with 1/ω = `time_constant` (s).

    Less than `LEAST_BOUNCE` is not possible, and is taken as that.
    """
    omega = 1.0 / time_constant
    return -(omega**2), -2.0 * _damping_ratio(restitution) * omega


def restitution_of(ratio: float) -> float:
    """Return the restitution of a damping ratio in 0..1."""
    if ratio >= 1.0:
        return LEAST_BOUNCE
    w = math.sqrt(1.0 - ratio**2)
    return math.exp(-ratio / w * (math.pi - math.atan2(2 * ratio * w, 1 - 2 * ratio**2)))


@cache
def _damping_ratio(restitution: float) -> float:
    low, high = 0.0, 1.0  # restitution falls in between
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if restitution_of(middle) > restitution else (low, middle)
    return high
