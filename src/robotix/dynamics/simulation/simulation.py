"""A simulation: what a `World` does over time.

    M(q) dv/dt + c(q, v) = τ + Jᵀ f

is integrated by MuJoCo [Todorov2012]; f are the forces of contacts, joint limits and connections.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.compile import MeshLoader, compile_world
from robotix.dynamics.simulation.coordinates import Coordinates, coordinates_of
from robotix.dynamics.simulation.parts import World
from robotix.dynamics.simulation.settings import CONTROL, Settings
from robotix.errors import RobotixError, UnknownName
from robotix.geometry import Array, Pose
from robotix.geometry.rotation import checked_array

__all__ = ["ContactPoint", "Energy", "Momentum", "Simulation", "SimulationDiverged"]

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
MAX_SPEED = 1e4  # m/s or rad/s; faster is a simulation that diverged


class SimulationDiverged(RobotixError, RuntimeError):
    """A state became infinite or absurd; the simulation is back at its last sound state."""


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


class Simulation:
    """Steps a world; see `step`. Bodies are named as in `RigidObject` and `Mechanism`."""

    def __init__(
        self, world: World, settings: Settings = CONTROL, *, meshes: MeshLoader | None = None
    ) -> None:
        """Compile a world; every mechanism starts at its neutral posture, at rest."""
        self.world, self.settings = world, settings
        self.model = compile_world(world, settings, meshes)
        self.data = mujoco.MjData(self.model)
        self._is_stale = True  # whether poses and velocities of bodies are not those of the state
        self._mechanisms = {each.name: each for each in world.mechanisms}
        self._coordinates = {
            name: coordinates_of(each, self.model) for name, each in self._mechanisms.items()
        }
        self._driven = {each.name for each in world.objects if each.mobility == "driven"}
        for name, part in self._mechanisms.items():
            self.set_state(name, part.model.neutral)
            if len(self._coordinates[name].actuators):
                self.command(name, q=part.model.neutral)
        self._sound = self.snapshot()  # of before the last call of `step`

    # -- time -------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """Seconds since the start."""
        return float(self.data.time)

    def step(self, count: int = 1) -> None:
        """Advance by `count` steps of `settings.dt`.

        If the state becomes infinite or absurd, raise `SimulationDiverged` and return to the state
        before this call.
        """
        mujoco.mj_getState(self.model, self.data, self._sound, STATE)
        mujoco.mj_step(self.model, self.data, nstep=count)
        self._is_stale = True
        if not abs(self.data.qvel).max(initial=0.0) < MAX_SPEED:  # nor NaN
            body = self._fastest_body()
            self.set_snapshot(self._sound)
            raise SimulationDiverged(
                f"the simulation diverged at {self.time:.3f} s: {body!r} moved at more than "
                f"{MAX_SPEED:g} m/s; use a shorter time step, softer servos or larger masses"
            )

    def forward(self) -> None:
        """Compute accelerations, contacts and forces of the present state, without a step."""
        mujoco.mj_forward(self.model, self.data)

    def snapshot(self) -> Array:
        """Return the state that determines all that follows; see `set_snapshot`."""
        state = np.empty(mujoco.mj_stateSize(self.model, STATE))
        mujoco.mj_getState(self.model, self.data, state, STATE)
        return state

    def set_snapshot(self, state: Array) -> None:
        """Return to a state of `snapshot`."""
        mujoco.mj_setState(self.model, self.data, state, STATE)
        self._is_stale = True

    # -- bodies -----------------------------------------------------------------------------

    def pose(self, body: str) -> Pose:
        """Return world_from_body."""
        k = self._body(body)
        self._refresh()
        return Pose(self.data.xmat[k].reshape(3, 3), self.data.xpos[k])

    def twist(self, body: str) -> Array:
        """Return linear (of the origin) and angular velocity of a body in the world, (6,)."""
        self._refresh()
        v = np.empty(6)
        mujoco.mj_objectVelocity(
            self.model, self.data, mujoco.mjtObj.mjOBJ_XBODY, self._body(body), v, 0
        )
        return np.array([*v[3:], *v[:3]])

    def set_pose(self, name: str, pose: Pose, *, twist: ArrayLike = (0, 0, 0, 0, 0, 0)) -> None:
        """Put a free or driven object somewhere, with a twist (linear, angular) in the world."""
        joint = self._free_joint(name)
        v = checked_array(twist, (6,), "twist")
        qpos, qvel = int(self.model.jnt_qposadr[joint]), int(self.model.jnt_dofadr[joint])
        self.data.qpos[qpos : qpos + 3] = pose.translation
        self.data.qpos[qpos + 3 : qpos + 7] = pose.quaternion
        self.data.qvel[qvel : qvel + 3] = v[:3]
        self.data.qvel[qvel + 3 : qvel + 6] = pose.rotation.T @ v[3:]
        self._is_stale = True

    def push(
        self,
        body: str,
        force: ArrayLike,
        *,
        torque: ArrayLike = (0, 0, 0),
        at: ArrayLike | None = None,
    ) -> None:
        """Apply a force (N) and a torque (N m), in the world, until they are changed.

        The force acts at a point in the world (`at`), or at the centre of mass.
        """
        self._refresh()
        k = self._body(body)
        f, moment = checked_array(force, (3,), "force"), checked_array(torque, (3,), "torque")
        if at is not None:
            moment = moment + np.cross(np.asarray(at, dtype=float) - self.data.xipos[k], f)
        self.data.xfrc_applied[k] = (*f, *moment)

    # -- mechanisms -------------------------------------------------------------------------

    def q(self, name: str) -> Array:
        """Joint positions of a mechanism, (n_dof,), as its model orders them; NaN where cut."""
        return self._coords(name).read(self.data)[0]

    def dq(self, name: str) -> Array:
        """Joint velocities of a mechanism, (n_dof,)."""
        return self._coords(name).read(self.data)[1]

    def set_state(self, name: str, q: ArrayLike, dq: ArrayLike | None = None) -> None:
        """Set joint positions and velocities (zero when None) of a mechanism."""
        coordinates = self._coords(name)
        positions = checked_array(q, (coordinates.n_dof,), "q")
        rates = (
            np.zeros(coordinates.n_dof)
            if dq is None
            else checked_array(dq, (coordinates.n_dof,), "dq")
        )
        coordinates.write(self.data, positions, rates)
        self._is_stale = True

    def command(
        self,
        name: str,
        *,
        q: ArrayLike | None = None,
        dq: ArrayLike | None = None,
        effort: ArrayLike | None = None,
    ) -> None:
        """Set what the servos of a mechanism track, (n_dof,) each, until changed; see `Servo`.

        What is None counts as the present position, as zero velocity and as zero effort.
        """
        c = self._coords(name)
        target = self.q(name) if q is None else checked_array(q, (c.n_dof,), "q")
        control = c.stiffness * target[c.driven]
        if dq is not None:
            control += c.damping * checked_array(dq, (c.n_dof,), "dq")[c.driven]
        if effort is not None:
            control += checked_array(effort, (c.n_dof,), "effort")[c.driven]
        self.data.ctrl[c.actuators] = control

    def efforts(self, name: str) -> Array:
        """Efforts of the servos in the last step, (n_dof,), N m or N; zero where there is none."""
        c = self._coords(name)
        out = np.zeros(c.n_dof)
        out[c.dofs] = self.data.qfrc_actuator[c.qvel]
        return out

    def accelerations(self, name: str) -> Array:
        """Accelerations of hinges and sliders in the last step, (n_dof,); NaN for a root."""
        c = self._coords(name)
        out = np.full(c.n_dof, np.nan)
        out[c.dofs] = self.data.qacc[c.qvel]
        return out

    # -- totals -----------------------------------------------------------------------------

    def energy(self) -> Energy:
        """Return the energy of the present state, without springs."""
        self._refresh()
        mass, v = self.model.body_mass[self._moving], self._velocities()
        moments, axes = self._inertias()
        spin = np.einsum("kji,kj->ki", axes, v[:, :3])  # about the principal axes
        translation = (mass * (v[:, 3:] ** 2).sum(1)).sum() / 2
        rotation = (moments * spin**2).sum() / 2
        rotors = (self.model.dof_armature * self.data.qvel**2).sum() / 2
        potential = -(mass * (self.data.xipos[self._moving] @ self.world.gravity)).sum()
        return Energy(float(translation + rotation + rotors), float(potential))

    def momentum(self) -> Momentum:
        """Return mass, centre of mass and momentum of all that is not static or driven."""
        self._refresh()
        v = self._velocities()
        mass, at = self.model.body_mass[self._moving], self.data.xipos[self._moving]
        linear = mass[:, None] * v[:, 3:]
        whole = float(mass.sum())
        com = (mass[:, None] * at).sum(0) / whole if whole else np.zeros(3)
        moments, axes = self._inertias()
        spin = np.einsum("kij,kj,klj,kl->ki", axes, moments, axes, v[:, :3])
        angular = (np.cross(at - com, linear) + spin).sum(0)
        return Momentum(whole, com, linear.sum(0), angular)

    def contacts(self) -> list[ContactPoint]:
        """Return what touches, with the forces of the last step."""
        found, wrench = [], np.empty(6)
        for k in range(self.data.ncon):
            contact = self.data.contact[k]
            mujoco.mj_contactForce(self.model, self.data, k, wrench)
            frame = contact.frame.reshape(3, 3)
            one, other = (int(self.model.geom_bodyid[g]) for g in contact.geom)
            found.append(
                ContactPoint(
                    self.model.body(one).name,
                    self.model.body(other).name,
                    contact.pos.copy(),
                    frame[0].copy(),
                    -float(contact.dist),
                    frame.T @ wrench[:3],
                )
            )
        return found

    # -- inside -----------------------------------------------------------------------------

    def _coords(self, name: str) -> Coordinates:
        try:
            return self._coordinates[name]
        except KeyError:
            raise UnknownName("mechanism", name, self._coordinates) from None

    def _body(self, name: str) -> int:
        k = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name)
        if k < 0:
            names = [self.model.body(i).name for i in range(1, self.model.nbody)]
            raise UnknownName("body", name, names)
        return int(k)

    def _free_joint(self, name: str) -> int:
        body = self._body(name)
        joint = int(self.model.body_jntadr[body])
        if joint < 0 or self.model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
            raise ValueError(f"{name!r} is not free or driven, so it cannot be put anywhere")
        return joint

    def _refresh(self) -> None:
        """Compute poses and velocities of bodies from the state: a step leaves those before it."""
        if not self._is_stale:
            return
        self._is_stale = False
        mujoco.mj_kinematics(self.model, self.data)
        mujoco.mj_comPos(self.model, self.data)
        mujoco.mj_comVel(self.model, self.data)

    @cached_property
    def _moving(self) -> Array:
        driven = {self._body(name) for name in self._driven}
        ids = [
            k for k in range(1, self.model.nbody) if self.model.body_weldid[k] and k not in driven
        ]
        return np.array(ids, dtype=int)

    def _inertias(self) -> tuple[Array, Array]:
        """Return principal moments and axes of the moving bodies, (k, 3) and (k, 3, 3)."""
        axes = self.data.ximat[self._moving].reshape(-1, 3, 3)
        return self.model.body_inertia[self._moving], axes

    def _velocities(self) -> Array:
        """Return angular velocities and velocities of the centres of mass, (k, 6)."""
        v, kind = np.empty((len(self._moving), 6)), mujoco.mjtObj.mjOBJ_BODY
        for row, k in enumerate(self._moving):
            mujoco.mj_objectVelocity(self.model, self.data, kind, k, v[row], 0)
        return v

    def _fastest_body(self) -> str:
        dof = int(np.argmax(np.nan_to_num(abs(self.data.qvel), nan=np.inf)))
        return str(self.model.body(int(self.model.dof_bodyid[dof])).name)
