"""Servos that hold a posture, with gains from the inertia that each joint moves."""

from __future__ import annotations

import math

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.parts import Mechanism, Servo, World
from robotix.dynamics.simulation.settings import CONTROL
from robotix.dynamics.simulation.simulation import Simulation
from robotix.errors import BadField
from robotix.geometry import Array
from robotix.model import Model

__all__ = ["holding_servos", "moved_inertia"]

NATURAL_FREQUENCY = 30.0  # rad/s, of a joint with what it moves
DAMPING_RATIO = 1.0
GEAR_INERTIA = 0.02  # of the moved inertia; without it a light foot chatters under a stiff servo
MIN_MOVED_MASS = 1e-4  # kg m² or kg; joints that move nothing still get a servo


def holding_servos(
    model: Model,
    q: ArrayLike | None = None,
    *,
    frequency: float = NATURAL_FREQUENCY,
    damping_ratio: float = DAMPING_RATIO,
) -> dict[str, Servo]:
    """Return a position servo for every hinge and slider, by the joint's name.

    stiffness = J ω², damping = 2 ζ ω J, where J is `moved_inertia` at the posture `q` (neutral when
    None), ω the natural frequency in rad/s and ζ the damping ratio. Motor and gear add the armature
    of the joint, at least 2 % of J.
    Efforts are limited by the joints. Mimicking joints follow their source and get none.
    """
    if not 0 < frequency <= 1e3:
        raise BadField("frequency", "more than 0, at most 1000 rad/s", frequency)
    if not 0 <= damping_ratio <= 100:
        raise BadField("damping_ratio", "in 0..100", damping_ratio)
    J = moved_inertia(model, q)
    servos = {}
    for joint, dof in zip(model.joints, model.dof_start, strict=True):
        if joint.kind in ("revolute", "prismatic") and joint.mimic is None:
            moved = max(J[dof], MIN_MOVED_MASS)
            turned = moved + joint.armature
            servos[joint.name] = Servo(
                turned * frequency**2,
                2 * damping_ratio * frequency * turned,
                armature=max(joint.armature, GEAR_INERTIA * moved),
            )
    return servos


def moved_inertia(model: Model, q: ArrayLike | None = None) -> Array:
    """Return the inertia (kg m²; kg for sliders) that each joint moves, (n_dof,).

    That is the inertia about the joint's axis of all that hangs on the joint. A robot with a
    floating root may also stand on what hangs on it, as on a foot, and then the joint moves all
    the rest: the larger of both holds. Coordinates of a root are NaN.
    """
    simulation = Simulation(World(mechanisms=(Mechanism("robot", model),)), CONTROL)
    simulation.set_state("robot", model.neutral if q is None else q)
    simulation.forward()
    native, data = simulation.model, simulation.data
    floats = any(joint.kind == "floating" for joint in model.joints)
    out = np.full(model.n_dof, np.nan)
    for joint, dof in zip(model.joints, model.dof_start, strict=True):
        if joint.kind not in ("revolute", "prismatic") or joint.mimic is not None:
            continue
        k = native.joint(f"robot/{joint.name}").id
        below = _below(native, int(native.jnt_bodyid[k]))
        sides = [below]
        if floats:
            rest = np.setdiff1d(np.arange(1, native.nbody), below)
            sides.append(rest)
        turns = joint.kind == "revolute"
        anchor, axis = data.xanchor[k], data.xaxis[k]
        out[dof] = max(
            _inertia_about(native, data, side, anchor, axis) if turns
            else float(native.body_mass[side].sum())
            for side in sides
        )  # fmt: skip
    return out


def _below(native: mujoco.MjModel, body: int) -> Array:
    """Return a body and all that hang on it, as numbers of MuJoCo."""
    found = {body}
    for k in range(body + 1, native.nbody):  # parents come first
        if int(native.body_parentid[k]) in found:
            found.add(k)
    return np.array(sorted(found), dtype=int)


def _inertia_about(
    native: mujoco.MjModel, data: mujoco.MjData, bodies: Array, anchor: Array, axis: Array
) -> float:
    """Return the moment of inertia of bodies about an axis through a point, kg m²."""
    away = np.cross(data.xipos[bodies] - anchor, axis)
    along = np.einsum("kji,j->ki", data.ximat[bodies].reshape(-1, 3, 3), axis)
    moments = (native.body_mass[bodies] * (away**2).sum(1)).sum()
    moments += (native.body_inertia[bodies] * along**2).sum()
    return float(moments) if math.isfinite(moments) else 0.0
