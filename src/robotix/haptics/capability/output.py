"""Output capability of a device in a posture.

With J the Jacobian of the handle, M its mass matrix with rotors, and limits of the joints' torques
and rates:

- every direction's force: the largest F with |J_vᵀ F u + gravity| ≤ τ_max for all unit vectors u;
- every direction's speed: the largest v with |J† v u| ≤ q̇_max for all u;
- felt inertia: the eigenvalues of (J_v M⁻¹ J_vᵀ)⁻¹, kg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.haptics.loop.drives import JointDrive, link_inertia
from robotix.kinematics import Posture
from robotix.model import Model

__all__ = ["OutputCapability", "output_capability", "torques_for"]


@dataclass(frozen=True, eq=False)
class OutputCapability:
    """What a device can do in a posture, in its worst direction."""

    force: float  # N, in every direction, against gravity
    torque: float  # N m, about every axis
    speed: float  # m/s, in every direction, all joints taking part
    felt_mass: tuple[float, float]  # kg, in the lightest and the heaviest direction
    translational: float  # smallest singular value of J_v, m
    rotational: float  # smallest singular value of J_ω

    @property
    def is_singular(self) -> bool:
        """Whether the handle cannot be moved or turned in some direction."""
        return min(self.translational, self.rotational) < 1e-3


def output_capability(
    model: Model, q: ArrayLike, drives: Sequence[JointDrive], *, with_gravity: bool = True
) -> OutputCapability:
    """Return what a device can do in a posture."""
    posture = Posture(model, q)
    J = np.array(posture.jacobian())
    limits = np.array([each.max_torque for each in drives])
    held = np.array(posture.gravity_torques) if with_gravity else np.zeros(len(limits))
    left = np.maximum(limits - abs(held), 0.0)
    forces = _smallest(left, np.linalg.norm(J[:3], axis=0))
    torques = _smallest(left, np.linalg.norm(J[3:], axis=0))
    rates = np.array([each.max_rate for each in drives])
    speed = _smallest(rates, np.linalg.norm(np.linalg.pinv(J, rcond=1e-6)[:, :3], axis=1))
    rotors = np.diag([each.reflected_inertia for each in drives])
    mobility = J[:3] @ np.linalg.solve(link_inertia(posture) + rotors, J[:3].T)
    felt = 1 / np.maximum(np.linalg.eigvalsh(mobility), 1e-12)
    values = [np.linalg.svd(part, compute_uv=False)[2] for part in (J[:3], J[3:])]
    return OutputCapability(
        forces, torques, speed, (float(felt.min()), float(felt.max())), float(values[0]),
        float(values[1]),
    )  # fmt: skip


def torques_for(model: Model, q: ArrayLike, force: float) -> Array:
    """Return the torques that a force in the worst direction needs from each joint, (n,), N m."""
    posture = Posture(model, q)
    J = np.array(posture.jacobian())
    return np.asarray(force * np.linalg.norm(J[:3], axis=0) + abs(posture.gravity_torques))


def _smallest(limits: Array, lengths: Array) -> float:
    return float((limits / np.maximum(lengths, 1e-12)).min())
