"""Sensors of a simulated robot: what its controller may know.

Each is a small value with `read(simulation, rng=None)`. Readings are exact unless a sensor has a
`noise` and `read` gets a random generator, so that a run is repeated by its seed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache

import mujoco
import numpy as np

from robotix.dynamics.simulation.parts import Mechanism
from robotix.dynamics.simulation.simulation import Simulation
from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose, exp_rotation
from robotix.geometry.vectors import cross

__all__ = [
    "AttitudeSensor",
    "CameraPose",
    "ContactSensor",
    "FootForce",
    "FootForceSensor",
    "Gyroscope",
    "JointEncoders",
]


@dataclass(frozen=True)
class AttitudeSensor:
    """Rotation of a body in the world; the noise is a rotation vector with this deviation."""

    body: str
    noise: float = 0.0  # rad

    def __post_init__(self) -> None:
        _check_noise(self.noise)

    def read(self, simulation: Simulation, rng: np.random.Generator | None = None) -> Array:
        """Return the rotation world_from_body, (3, 3)."""
        rotation = simulation.pose(self.body).rotation
        if rng is None or not self.noise:
            return rotation
        return rotation @ exp_rotation(rng.normal(0.0, self.noise, 3))


@dataclass(frozen=True)
class Gyroscope:
    """Angular velocity of a body, in its own frame."""

    body: str
    noise: float = 0.0  # rad/s

    def __post_init__(self) -> None:
        _check_noise(self.noise)

    def read(self, simulation: Simulation, rng: np.random.Generator | None = None) -> Array:
        """Return the angular velocity, (3,), rad/s."""
        rotation = simulation.pose(self.body).rotation
        return _noisy(rotation.T @ simulation.twist(self.body)[3:], self.noise, rng)


@dataclass(frozen=True)
class JointEncoders:
    """Positions and velocities of the hinges and sliders of a mechanism.

    With a `resolution` both are rounded: positions to it, velocities to `velocity_resolution`.
    Coordinates of a floating root, which has no encoder, are NaN.
    """

    mechanism: str
    resolution: float = 0.0  # rad or m; 0: exact
    velocity_resolution: float = 0.0  # rad/s or m/s
    noise: float = 0.0  # rad or m, of positions

    def __post_init__(self) -> None:
        _check_noise(self.noise)
        for name in ("resolution", "velocity_resolution"):
            if not 0 <= getattr(self, name) < math.inf:
                raise BadField(name, "0 or more", getattr(self, name))

    def read(
        self, simulation: Simulation, rng: np.random.Generator | None = None
    ) -> tuple[Array, Array]:
        """Return positions and velocities, (n_dof,) each, as the model orders them."""
        part = self._part(simulation)
        dofs, qpos, qvel = _hinges(simulation.model, part)
        q, dq = np.full(part.model.n_dof, np.nan), np.full(part.model.n_dof, np.nan)
        positions = _noisy(simulation.data.qpos[qpos], self.noise, rng)
        q[dofs] = _rounded(positions, self.resolution)
        dq[dofs] = _rounded(simulation.data.qvel[qvel], self.velocity_resolution)
        return q, dq

    def _part(self, simulation: Simulation) -> Mechanism:
        for part in simulation.world.mechanisms:
            if part.name == self.mechanism:
                return part
        known = [part.name for part in simulation.world.mechanisms]
        raise UnknownName("mechanism", self.mechanism, known)


@dataclass(frozen=True, eq=False)
class FootForce:
    """What a foot's sensor measures: force and moment on the foot, of the ground above all."""

    force: Array  # (3,), N
    moment: Array  # (3,), N m, about the origin of the sensor's frame
    centre_of_pressure: Array  # (2,), m, in the sensor's xy plane; NaN without load


@dataclass(frozen=True, eq=False)
class FootForceSensor:
    """All that acts on a body from outside, in a frame on it: at the ankle, or in the sole."""

    body: str
    pose: Pose = field(default_factory=Pose)  # body_from_sensor
    noise: float = 0.0  # N, of forces
    moment_noise: float = 0.0  # N m
    min_load: float = 0.5  # N, below which there is no centre of pressure

    def __post_init__(self) -> None:
        _check_noise(self.noise)
        _check_noise(self.moment_noise)

    def read(self, simulation: Simulation, rng: np.random.Generator | None = None) -> FootForce:
        """Return force, moment and centre of pressure, as of the last step."""
        world_from_sensor = simulation.pose(self.body) @ self.pose
        force, moment, about = outer_wrench(simulation, self.body)
        R, at = world_from_sensor.rotation, world_from_sensor.translation
        f = _noisy(R.T @ force, self.noise, rng)
        m = _noisy(R.T @ (moment + cross(about - at, force)), self.moment_noise, rng)
        loaded = f[2] > self.min_load
        pressure = np.array([-m[1], m[0]]) / f[2] if loaded else np.full(2, np.nan)
        return FootForce(f, m, pressure)


@dataclass(frozen=True)
class ContactSensor:
    """Tells whether a body touches anything, or a named other body."""

    body: str
    other: str | None = None

    def read(self, simulation: Simulation) -> bool:
        """Return whether it touched in the last step."""
        for contact in simulation.contacts():
            pair = {contact.first, contact.second}
            if self.body in pair and (self.other is None or self.other in pair):
                return True
        return False


@dataclass(frozen=True, eq=False)
class CameraPose:
    """Where a camera on a body is; x to the right of the picture, y down, z into it."""

    body: str
    pose: Pose = field(default_factory=Pose)  # body_from_camera

    def read(self, simulation: Simulation) -> Pose:
        """Return world_from_camera."""
        return simulation.pose(self.body) @ self.pose


def outer_wrench(simulation: Simulation, body: str) -> tuple[Array, Array, Array]:
    """Return force, moment and the point it is about, of all that acts on a body from outside.

    These are the contacts, connections and pushes of the last step, but not gravity.
    """
    model, data = simulation.model, simulation.data
    mujoco.mj_rnePostConstraint(model, data)
    k = body_id(simulation, body)
    wrench = data.cfrc_ext[k]  # torque, then force
    return wrench[3:].copy(), wrench[:3].copy(), data.subtree_com[model.body_rootid[k]].copy()


def body_id(simulation: Simulation, body: str) -> int:
    """Return MuJoCo's number of a body."""
    k = mujoco.mj_name2id(simulation.model, mujoco.mjtObj.mjOBJ_BODY, body)
    if k < 0:
        names = [simulation.model.body(i).name for i in range(1, simulation.model.nbody)]
        raise UnknownName("body", body, names)
    return int(k)


@lru_cache(maxsize=64)
def _hinges(native: mujoco.MjModel, part: Mechanism) -> tuple[Array, Array, Array]:
    """Return the hinges and sliders of a mechanism: dofs of its model, and qpos, qvel."""
    names = [
        joint.name
        for joint in part.model.joints
        if joint.kind in ("revolute", "prismatic")
        and joint.mimic is None
        and joint.name not in part.cut
    ]
    ids = [native.joint(f"{part.name}/{name}").id for name in names]
    dofs = np.array([part.model.dof_index(name) for name in names], dtype=int)
    return dofs, native.jnt_qposadr[ids], native.jnt_dofadr[ids]


def _check_noise(value: float) -> None:
    if not 0 <= value < math.inf:
        raise BadField("noise", "0 or more", value)


def _noisy(values: Array, deviation: float, rng: np.random.Generator | None) -> Array:
    if rng is None or not deviation:
        return values
    return values + rng.normal(0.0, deviation, values.shape)


def _rounded(values: Array, step: float) -> Array:
    return values if not step else np.round(values / step) * step
