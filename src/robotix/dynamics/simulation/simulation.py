"""A simulation: what a `World` does over time.

    M(q) dv/dt + c(q, v) = τ + Jᵀ f

is integrated by MuJoCo [Todorov2012]; f are the forces of contacts, joint limits and connections.
"""

from __future__ import annotations

import logging

import mujoco
import numpy as np
from mujoco import mj_copyState, mj_step, mju_norm  # by name: looked up in every step
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.compile import MeshLoader
from robotix.dynamics.simulation.compiled import CompiledWorld, make_compiled
from robotix.dynamics.simulation.connections import Connection, Connections, LoopJoint
from robotix.dynamics.simulation.coordinates import Coordinates
from robotix.dynamics.simulation.link_table import LinkTable, make_link_table
from robotix.dynamics.simulation.parts import World
from robotix.dynamics.simulation.settings import CONTROL, Settings
from robotix.dynamics.simulation.structure import PreparedCut, compile_cut
from robotix.dynamics.simulation.totals import (
    ContactPoint,
    Energy,
    Momentum,
    contact_points,
    total_energy,
    total_momentum,
)
from robotix.errors import BadField, RobotixError, UnknownName
from robotix.geometry import Array, Pose
from robotix.geometry.rotation import checked_array

__all__ = ["Simulation", "SimulationDiverged"]

STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
STEPPED = int(mujoco.mjtState.mjSTATE_FULLPHYSICS | mujoco.mjtState.mjSTATE_WARMSTART)  # by a step
MAX_SPEED = 1e4  # m/s or rad/s; faster is a simulation that diverged

_log = logging.getLogger(__name__)
mujoco.set_mju_user_warning(_log.debug)  # else it appends to a file in the working folder


class SimulationDiverged(RobotixError, RuntimeError):
    """A state became infinite or absurd; the simulation is back at its last sound state."""

    def __init__(self, body: str, time: float) -> None:
        super().__init__(body, time)

    @property
    def body(self) -> str:
        """The body that moved fastest."""
        return str(self.args[0])

    def __str__(self) -> str:
        body, time = self.args
        return (
            f"the simulation diverged at {time:.3f} s: {body!r} moved at more than "
            f"{MAX_SPEED:g} m/s; use a shorter time step, softer servos or larger masses"
        )


class Simulation:
    """Steps a world; see `step`. Bodies are named as in `RigidObject` and `Mechanism`.

    Examples:
        >>> from robotix.geometry import Sphere
        >>> ball = rx.RigidObject("ball", (Sphere(0.1),), rx.Pose.at(0, 0, 2))
        >>> simulation = rx.Simulation(rx.World((ball,)))
        >>> simulation.step(100)  # 0.1 s
        >>> round(float(simulation.pose("ball").translation[2]), 2)
        1.95
    """

    def __init__(
        self, world: World, settings: Settings = CONTROL, *, meshes: MeshLoader | None = None
    ) -> None:
        """Compile a world; every mechanism starts at its neutral posture, at rest."""
        self.settings, self._meshes = settings, meshes
        driven = {each.name for each in world.objects if each.mobility == "driven"}
        self._connections = Connections(settings, driven)
        self._revision = 0
        self._use(make_compiled(world, settings, meshes))
        for part in world.mechanisms:
            self.set_state(part.name, part.model.neutral)
            if len(self._coordinates[part.name].actuators):
                self.command(part.name, q=part.model.neutral)

    def _use(self, compiled: CompiledWorld) -> None:
        self._compiled = compiled
        self.world, self.model, self.data = compiled.world, compiled.model, compiled.data
        self._coordinates, self._moving = compiled.coordinates, compiled.moving
        self._is_stale = True  # whether poses and velocities of bodies are not those of the state
        self._sound = mujoco.MjData(self.model)  # has the state before the last `step`
        self._stepped = (self.model, self.data, self._sound, self.data.qvel)

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
        model, data, sound, qvel = self._stepped
        mj_copyState(model, data, sound, STEPPED)
        mj_step(model, data, count)
        self._is_stale = True
        # The quick way to see that none is too fast, nor NaN; NumPy would warn of overflows.
        if mju_norm(qvel) < MAX_SPEED:
            return
        if not abs(qvel).max(initial=0.0) < MAX_SPEED:
            body = self._fastest_body()
            self._restore()
            raise SimulationDiverged(body, self.time)

    def _restore(self) -> None:
        """Return to the state before the last call of `step`, with its contacts and forces."""
        mj_copyState(self.model, self._sound, self.data, STEPPED)
        self.forward()
        mj_copyState(self.model, self._sound, self.data, STEPPED)  # where the solver starts, too

    def forward(self) -> None:
        """Compute accelerations, contacts and forces of the present state, without a step."""
        mujoco.mj_forward(self.model, self.data)

    def snapshot(self) -> Array:
        """Return the state that determines all that follows; see `set_snapshot`."""
        state = np.empty(mujoco.mj_stateSize(self.model, STATE) + 1)
        mujoco.mj_getState(self.model, self.data, state[:-1], STATE)
        state[-1] = self._revision
        return state

    def set_snapshot(self, state: Array) -> None:
        """Return to a state of `snapshot`; raise ValueError if the structure has changed since."""
        if state[-1] != self._revision:
            raise ValueError(
                "the snapshot is of another structure: something was connected or cut since"
            )
        mujoco.mj_setState(self.model, self.data, state[:-1], STATE)
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
        c = self._coords(name)
        c.write(self.data, c.checked(q, "q"), c.checked(dq, "dq"))
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
        target = self.q(name) if q is None else c.checked(q, "q")
        control = c.stiffness * target[c.driven]
        if dq is not None:
            control += c.damping * c.checked(dq, "dq")[c.driven]
        if effort is not None:
            control += c.checked(effort, "effort")[c.driven]
        self.data.ctrl[c.actuators] = control

    def efforts(self, name: str) -> Array:
        """Efforts of the servos in the last step, (n_dof,), N m or N; zero where there is none."""
        c = self._coords(name)
        out = np.zeros(c.n_dof)
        out[c.dofs] = self.data.qfrc_actuator[c.qvel]
        return out

    def accelerations(self, name: str) -> Array:
        """Accelerations of the coordinates in the last step, (n_dof,); NaN where cut.

        Of a floating root, the derivative of its twist, as `inverse_dynamics` takes it.
        """
        return self._coords(name).accelerations(self.data)

    # -- structure --------------------------------------------------------------------------

    def connect(self, a: str, b: str, joint: LoopJoint, *, name: str | None = None) -> Connection:
        """Connect two bodies by a joint, now; one of them may be "world".

        Positions are continuous; the velocities that the joint does not allow vanish by the
        impulses of a plastic impact, which all connections and mimics transmit, but not contacts.
        The two bodies do not touch each other until they are cut.
        """
        if name is not None and name in self.joint_names:
            raise BadField("name", "not that of a joint", repr(name))
        self._refresh()
        made = self._connections.close(self.model, self.data, a, b, joint, name=name)
        self._restructured()
        return made

    def cut(self, what: Connection | str) -> None:
        """Open a connection, or cut a joint of a mechanism ("mechanism/joint"), now.

        The state is continuous. Opening a connection takes microseconds, cutting a joint
        milliseconds to some tens of them, for compiling; see `prepare_cut`.
        """
        name = what if isinstance(what, str) else what.name
        if not isinstance(what, str) and name not in self._connections:
            raise BadField("connection", "one that is not cut yet", repr(name))
        if name not in self._connections:
            self.swap(self.prepare_cut(name))
            return
        self._connections.open(self.model, self.data, name)
        self._restructured()

    def prepare_cut(self, *joints: str) -> PreparedCut:
        """Compile what `cut` needs for joints of mechanisms, all cut at once.

        This may run in a thread while the simulation is stepped, pushed, connected; `swap` then
        takes less than a millisecond. Until it is called the joints hold.
        """
        return compile_cut(self._compiled, joints, self.settings, self._meshes)

    def swap(self, prepared: PreparedCut) -> None:
        """Go on with a world that was prepared; `model` and `data` are other objects then."""
        if prepared.before is not self._compiled:
            raise BadField(
                "prepared", "prepared after the last cut of a joint", ", ".join(prepared.joints)
            )
        self._refresh()
        prepared.take_state()
        self._use(prepared.after)
        self._connections.exclude_again(self.model)
        self._restructured()

    @property
    def connections(self) -> tuple[Connection, ...]:
        """The connections there are, in the order they were made."""
        return tuple(self._connections)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Joints of mechanisms, as "mechanism/joint", but for those that were cut."""
        return tuple(
            f"{part.name}/{joint.name}"
            for part in self.world.mechanisms
            for joint in part.model.joints
            if joint.name not in part.cut
        )

    def link_table(self) -> LinkTable:
        """Return all links with parent, child, brother and, for connections, real."""
        return make_link_table(self.model, self.settings, self._connections)

    def _restructured(self) -> None:
        self._revision += 1
        self._is_stale = True

    # -- totals -----------------------------------------------------------------------------

    def energy(self) -> Energy:
        """Return the energy of the present state, without springs."""
        self._refresh()
        return total_energy(self.model, self.data, self._moving)

    def momentum(self) -> Momentum:
        """Return mass, centre of mass and momentum of all that is not static or driven."""
        self._refresh()
        return total_momentum(self.model, self.data, self._moving)

    def contacts(self) -> list[ContactPoint]:
        """Return what touches, with the forces of the last step."""
        return contact_points(self.model, self.data)

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

    def _fastest_body(self) -> str:
        dof = int(np.argmax(np.nan_to_num(abs(self.data.qvel), nan=np.inf)))
        name = str(self.model.body(int(self.model.dof_bodyid[dof])).name)
        return self._connections.owner(self.model, name)
