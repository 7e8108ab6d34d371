"""Joint positions and velocities of a mechanism, as a `Model` and as MuJoCo order them.

A floating root has, in the model, a position and a rotation vector in the frame where it starts,
and a twist there; in MuJoCo a position and a quaternion in the world, the linear velocity of its
origin in the world and the angular velocity in its own frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.dynamics.simulation.parts import Mechanism
from robotix.geometry import (
    Array,
    Pose,
    exp_rotation,
    log_rotation,
    quaternion_from_rotation,
    rotation_from_quaternion,
)
from robotix.geometry.rotation import checked_array

__all__ = ["Coordinates", "FreeRoot", "Indices", "coordinates_of"]

Indices: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class FreeRoot:
    """The six coordinates of a floating root."""

    dof: int  # the first of six in the model's q
    qpos: int  # the first of seven in MuJoCo
    qvel: int  # the first of six in MuJoCo
    world_from_start: Pose

    def read(self, data: mujoco.MjData, q: Array, dq: Array) -> None:
        """Read position and velocity into the model's coordinates."""
        R0, d = self.world_from_start.rotation, self.dof
        pos = data.qpos[self.qpos : self.qpos + 3]
        R = rotation_from_quaternion(data.qpos[self.qpos + 3 : self.qpos + 7])
        v = data.qvel[self.qvel : self.qvel + 6]
        q[d : d + 3] = R0.T @ (pos - self.world_from_start.translation)
        q[d + 3 : d + 6] = log_rotation(R0.T @ R)
        dq[d : d + 3] = R0.T @ v[:3]
        dq[d + 3 : d + 6] = R0.T @ R @ v[3:]

    def read_acceleration(self, data: mujoco.MjData, ddq: Array) -> None:
        """Read the derivative of the twist, in the frame where the root starts."""
        R0, d = self.world_from_start.rotation, self.dof
        R = rotation_from_quaternion(data.qpos[self.qpos + 3 : self.qpos + 7])
        a = data.qacc[self.qvel : self.qvel + 6]
        ddq[d : d + 3] = R0.T @ a[:3]
        ddq[d + 3 : d + 6] = R0.T @ R @ a[3:]

    def write(self, data: mujoco.MjData, q: Array, dq: Array) -> None:
        """Write position and velocity from the model's coordinates."""
        R0, d = self.world_from_start.rotation, self.dof
        R = R0 @ exp_rotation(q[d + 3 : d + 6])
        data.qpos[self.qpos : self.qpos + 3] = self.world_from_start.apply(q[d : d + 3])
        data.qpos[self.qpos + 3 : self.qpos + 7] = quaternion_from_rotation(R)
        data.qvel[self.qvel : self.qvel + 3] = R0 @ dq[d : d + 3]
        data.qvel[self.qvel + 3 : self.qvel + 6] = R.T @ R0 @ dq[d + 3 : d + 6]


@dataclass(frozen=True, eq=False)
class Coordinates:
    """Where the coordinates of a mechanism are; a joint that was cut has none (NaN in q)."""

    n_dof: int
    dofs: Indices  # (k,), of hinges and sliders in the model's q
    qpos: Indices  # (k,), the same in MuJoCo
    qvel: Indices  # (k,)
    tied: tuple[
        tuple[int, int, int, float, float], ...
    ]  # of mimics: qpos, qvel, dof, ratio, offset
    roots: tuple[FreeRoot, ...]
    lost: Indices  # (j,), of joints that were cut in the model's q
    actuators: Indices  # (m,), of MuJoCo
    driven: Indices  # (m,), the dofs that they drive
    stiffness: Array  # (m,)
    damping: Array  # (m,)

    def read(self, data: mujoco.MjData) -> tuple[Array, Array]:
        """Return q and dq of the model."""
        q, dq = np.full(self.n_dof, np.nan), np.full(self.n_dof, np.nan)
        q[self.dofs], dq[self.dofs] = data.qpos[self.qpos], data.qvel[self.qvel]
        for root in self.roots:
            root.read(data, q, dq)
        return q, dq

    def accelerations(self, data: mujoco.MjData) -> Array:
        """Return ddq of the model in the last step, (n_dof,)."""
        ddq = np.full(self.n_dof, np.nan)
        ddq[self.dofs] = data.qacc[self.qvel]
        for root in self.roots:
            root.read_acceleration(data, ddq)
        return ddq

    def checked(self, values: ArrayLike | None, what: str) -> Array:
        """Return numbers for all coordinates, (n_dof,); zeros for None, anything where cut."""
        if values is None:
            return np.zeros(self.n_dof)
        array = np.array(values, dtype=float)
        if array.shape == (self.n_dof,):
            array[self.lost] = 0.0
        return checked_array(array, (self.n_dof,), what)

    def write(self, data: mujoco.MjData, q: Array, dq: Array) -> None:
        """Set q and dq of the model."""
        data.qpos[self.qpos], data.qvel[self.qvel] = q[self.dofs], dq[self.dofs]
        for qpos, qvel, dof, ratio, offset in self.tied:
            data.qpos[qpos], data.qvel[qvel] = ratio * q[dof] + offset, ratio * dq[dof]
        for root in self.roots:
            root.write(data, q, dq)


def coordinates_of(part: Mechanism, model: mujoco.MjModel) -> Coordinates:
    """Return where the coordinates of a mechanism are in a compiled model."""
    dofs, joints, tied, roots = [], [], [], []
    lost: list[int] = []
    world_from: dict[str, Pose] = {}
    for body, dof in zip(part.model.bodies, part.model.dof_start, strict=True):
        above = part.pose if body.parent is None else world_from[body.parent]
        world_from[body.name] = above @ body.placement
        law = body.joint.mimic
        if body.joint.name in part.cut and law is None:
            lost.extend(range(dof, dof + body.joint.n_dof))
        if body.joint.kind == "fixed" or body.joint.name in part.cut:
            continue
        joint = model.joint(f"{part.name}/{body.joint.name}").id
        qpos, qvel = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        if body.joint.kind == "floating":
            roots.append(FreeRoot(dof, qpos, qvel, world_from[body.name]))
        elif law is None:
            dofs.append(dof)
            joints.append(joint)
        elif law.source not in part.cut:
            tied.append((qpos, qvel, dof, law.ratio, law.offset))
    driven = [name for name in part.servos if name not in part.cut]
    actuators = [model.actuator(f"{part.name}/{name}").id for name in driven]
    of_joint = dict(zip((j.name for j in part.model.joints), part.model.dof_start, strict=True))
    return Coordinates(
        part.model.n_dof,
        np.array(dofs, dtype=np.intp),
        model.jnt_qposadr[joints].astype(np.intp),
        model.jnt_dofadr[joints].astype(np.intp),
        tuple(tied),
        tuple(roots),
        np.array(lost, dtype=np.intp),
        np.array(actuators, dtype=np.intp),
        np.array([of_joint[name] for name in driven], dtype=np.intp),
        np.array([part.servos[name].stiffness for name in driven]),
        np.array([part.servos[name].damping for name in driven]),
    )
