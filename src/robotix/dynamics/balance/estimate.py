"""Centre of mass and angular momentum about an ankle, from a robot's own sensors.

Nothing but attitude, gyroscope and encoders is used: relative to an ankle that does not move, they
determine all positions and velocities.
"""

from __future__ import annotations

from dataclasses import dataclass

import mujoco
import numpy as np

from robotix.dynamics.simulation import Mechanism, Simulation, World
from robotix.errors import BadModel
from robotix.geometry import Array, quaternion_from_rotation
from robotix.geometry.vectors import cross
from robotix.model import Model

__all__ = ["BodyState", "MomentumEstimator"]


@dataclass(frozen=True, eq=False)
class BodyState:
    """Where the mass of a robot is and how it moves, about one of its points; z is up."""

    com: Array  # (3,), m
    momentum: Array  # (3,), kg m²/s: the angular momentum
    rotation: Array  # (3, 3), of the body that carries the point


class MomentumEstimator:
    """Computes `BodyState` from the readings of sensors on the root."""

    def __init__(self, model: Model, *, root: str) -> None:
        """`root` is the body that floats, to which the attitude sensor is fixed."""
        if model.body(root).joint.kind != "floating":
            raise BadModel(f"body {root!r}", "does not float, so it needs no balance")
        self.mass = model.mass
        self._model = model
        self._simulation = Simulation(World(mechanisms=(Mechanism("robot", model),)))
        native = self._native = self._simulation.model
        self._data = self._simulation.data
        joint = native.body(f"robot/{root}").jntadr[0]
        self._root = int(native.joint(joint).bodyid[0])
        self._qpos, self._qvel = int(native.jnt_qposadr[joint]), int(native.jnt_dofadr[joint])
        joints = [each for each in model.joints if each.kind in ("revolute", "prismatic")]
        ids = [native.joint(f"robot/{each.name}").id for each in joints]
        self._dofs = np.array([model.dof_index(each.name) for each in joints], dtype=int)
        self._hinge_qpos, self._hinge_qvel = native.jnt_qposadr[ids], native.jnt_dofadr[ids]
        self._ids = {each.name: native.body(f"robot/{each.name}").id for each in model.bodies}

    def update(self, attitude: Array, rates: Array, q: Array, dq: Array) -> None:
        """Take readings: rotation (3, 3), angular velocity (3,) in the root, and (n_dof,) each."""
        data = self._data
        data.qpos[self._qpos : self._qpos + 3] = 0.0
        data.qpos[self._qpos + 3 : self._qpos + 7] = quaternion_from_rotation(attitude)
        data.qvel[self._qvel : self._qvel + 3] = 0.0
        data.qvel[self._qvel + 3 : self._qvel + 6] = rates
        data.qpos[self._hinge_qpos], data.qvel[self._hinge_qvel] = q[self._dofs], dq[self._dofs]
        mujoco.mj_kinematics(self._native, data)
        mujoco.mj_comPos(self._native, data)
        mujoco.mj_comVel(self._native, data)
        mujoco.mj_subtreeVel(self._native, data)

    def about(self, body: str) -> BodyState:
        """Return the state about the origin of a body, taken as standing still."""
        data, k = self._data, self._ids[body]
        velocity = np.empty(6)
        mujoco.mj_objectVelocity(self._native, data, mujoco.mjtObj.mjOBJ_XBODY, k, velocity, 0)
        com = data.subtree_com[self._root] - data.xpos[k]
        speed = data.subtree_linvel[self._root] - velocity[3:]
        spin = data.subtree_angmom[self._root] + self.mass * cross(com, speed)
        return BodyState(com, spin, data.xmat[k].reshape(3, 3).copy())
