"""Energy and momentum of a compiled world, and what touches in it."""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from robotix.dynamics.simulation.coordinates import Indices
from robotix.geometry import Array

__all__ = [
    "ContactPoint",
    "Energy",
    "Momentum",
    "contact_points",
    "total_energy",
    "total_momentum",
]


@dataclass(frozen=True)
class Energy:
    """Mechanical energy, in J; the potential one is zero at the origin of the world."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Their sum."""
        return self.kinetic + self.potential


@dataclass(frozen=True, eq=False)
class Momentum:
    """Momentum of all that moves, but for driven objects."""

    mass: float  # kg
    com: Array  # (3,), m
    linear: Array  # (3,), kg m/s
    angular: Array  # (3,), kg m²/s, about the centre of mass


@dataclass(frozen=True, eq=False)
class ContactPoint:
    """Where two bodies touch, and the force on the second; all in the world."""

    first: str
    second: str
    position: Array  # (3,), m
    normal: Array  # (3,), from the first to the second
    depth: float  # m, by which they overlap
    force: Array  # (3,), N


def total_energy(model: mujoco.MjModel, data: mujoco.MjData, bodies: Indices) -> Energy:
    """Return the energy of some bodies (k,), with the rotors of all joints and without springs."""
    mass, v = model.body_mass[bodies], _velocities(model, data, bodies)
    axes = data.ximat[bodies].reshape(-1, 3, 3)
    spin = np.einsum("kji,kj->ki", axes, v[:, :3])  # about the principal axes
    translation = (mass * (v[:, 3:] ** 2).sum(1)).sum() / 2
    rotation = (model.body_inertia[bodies] * spin**2).sum() / 2
    rotors = (model.dof_armature * data.qvel**2).sum() / 2
    potential = -(mass * (data.xipos[bodies] @ model.opt.gravity)).sum()
    return Energy(float(translation + rotation + rotors), float(potential))


def total_momentum(model: mujoco.MjModel, data: mujoco.MjData, bodies: Indices) -> Momentum:
    """Return mass, centre of mass and momentum of some bodies (k,)."""
    v = _velocities(model, data, bodies)
    mass, at = model.body_mass[bodies], data.xipos[bodies]
    linear = mass[:, None] * v[:, 3:]
    whole = float(mass.sum())
    com = (mass[:, None] * at).sum(0) / whole if whole else np.zeros(3)
    axes = data.ximat[bodies].reshape(-1, 3, 3)
    spin = np.einsum("kij,kj,klj,kl->ki", axes, model.body_inertia[bodies], axes, v[:, :3])
    angular = (np.cross(at - com, linear) + spin).sum(0)
    return Momentum(whole, com, linear.sum(0), angular)


def contact_points(model: mujoco.MjModel, data: mujoco.MjData) -> list[ContactPoint]:
    """Return what touches, with the forces of the last step."""
    found, wrench = [], np.empty(6)
    for k in range(data.ncon):
        contact = data.contact[k]
        if contact.dist > 0:  # near, but apart
            continue
        mujoco.mj_contactForce(model, data, k, wrench)
        frame = contact.frame.reshape(3, 3)
        one, other = (int(model.geom_bodyid[g]) for g in contact.geom)
        found.append(
            ContactPoint(
                model.body(one).name,
                model.body(other).name,
                contact.pos.copy(),
                frame[0].copy(),
                -float(contact.dist),
                frame.T @ wrench[:3],
            )
        )
    return found


def _velocities(model: mujoco.MjModel, data: mujoco.MjData, bodies: Indices) -> Array:
    """Return angular velocities and velocities of the centres of mass in the world, (k, 6)."""
    v, kind = np.empty((len(bodies), 6)), mujoco.mjtObj.mjOBJ_BODY
    for row, k in enumerate(bodies):
        mujoco.mj_objectVelocity(model, data, kind, k, v[row], 0)
    return v
