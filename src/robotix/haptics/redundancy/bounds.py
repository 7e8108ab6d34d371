"""How dexterous a device can be at a place, whatever its self-motion does."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotix.haptics.redundancy.resolution import resolve
from robotix.kinematics import Posture
from robotix.kinematics.dexterity_criteria import EllipsoidVolume
from robotix.model import Model

__all__ = ["largest_index"]

STEPS, STEP_ANGLE = 250, 0.08  # rad, of the fastest joint per step
NEAR = 1e-3  # m, that the tip may be off


def largest_index(model: Model, q0: ArrayLike) -> float:
    """Return the largest √det(J_v J_vᵀ) found by ascent from a posture, the tip held in its place.

    The orientation of the tip is free, so that this bounds what any self-motion reaches from there.
    """
    criterion, q = EllipsoidVolume(part="linear"), np.array(q0, dtype=float)
    place, best = Posture(model, q).position(), 0.0
    for _ in range(STEPS):
        posture = Posture(model, q)
        off = place - posture.position()
        J = np.array(posture.jacobian())[:3]
        if np.linalg.norm(off) < NEAR:
            best = max(best, float(np.sqrt(max(np.linalg.det(J @ J.T), 0.0))))
        climb = resolve(J, np.zeros(3), gradient=criterion.gradient(posture))
        climb *= STEP_ANGLE / max(float(abs(climb).max()), STEP_ANGLE)
        q = q + climb + resolve(J, off)
    return best
