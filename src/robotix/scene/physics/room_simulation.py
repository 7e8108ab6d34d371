"""The simulation of the parts of a room, and how their poses go in and out.

Poses are rows (k, 7) in the world: position, then quaternion w, x, y, z. A driven or held part is
led from its last pose to the current one at constant velocity, so that it pushes, and carries along
by friction, what is free.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import mujoco
import numpy as np
from numpy.typing import NDArray

from robotix.dynamics.simulation import (
    ContactPoint,
    ContactSurface,
    MountedObject,
    RigidObject,
    Settings,
    Simulation,
    World,
)
from robotix.dynamics.simulation.mobility import Holding
from robotix.dynamics.simulation.parts import Mobility
from robotix.errors import RobotixError
from robotix.geometry import Array, quaternions_from_rotations
from robotix.scene.physics.calming import Calming
from robotix.scene.physics.connecting import present_joint
from robotix.scene.physics.hulls import convex_pieces
from robotix.scene.physics.parts import Part
from robotix.scene.physics.servos import SimulatedRobot, servo_mechanism
from robotix.scene.physics.settings import PhysicsSettings
from robotix.scene.physics.touches import ForceMeter, are_near, contact_points_of

__all__ = ["RoomSimulation", "SolverFailed", "pose_rows", "rotations_of"]

Flags = NDArray[np.bool_]
Index = NDArray[np.int64]

TIME_CONSTANT = 2e-3  # s, of connections; at least `MIN_STEPS` steps
CONTACT_TIME_CONSTANT = 5e-3  # s
MIN_STEPS = 2.2
NEAR = 1e-3  # m; what a rule on a collision counts as touching
MAX_JUMP = 0.25  # m per tick; a longer step is a relocation, not a motion
MAX_TURN = 0.5  # rad per tick; likewise
ROLLING_FRICTION = 5e-4  # m; that of hard things on a carpet
SLIDING, ROLLING = 3, 6  # dimensions of a contact: without and with torsion and rolling
ROUND = (
    int(mujoco.mjtGeom.mjGEOM_SPHERE),
    int(mujoco.mjtGeom.mjGEOM_CAPSULE),
    int(mujoco.mjtGeom.mjGEOM_CYLINDER),
)


class SolverFailed(RobotixError, RuntimeError):
    """The solver refused a step; the room goes on in the next tick."""


class RoomSimulation:
    """Simulates parts that are static, driven or free, and robots with servos.

    `names` are the parts that can move, in the order of all rows; `is_free` those of them that are
    free by themselves.
    """

    def __init__(
        self,
        parts: Sequence[Part],
        robots: Sequence[SimulatedRobot],
        settings: PhysicsSettings,
        tick: float,
    ) -> None:
        """Compile the parts for ticks of `tick` s; needs no graph, so a thread can do it."""
        self.steps = max(1, math.ceil(tick / settings.time_step - 1e-9))
        dt = tick / self.steps
        objects = [_rigid_object(part, settings) for part in parts if part.kind != "mounted"]
        self.robots = tuple(
            servo_mechanism(robot, _mounted(robot, parts, settings)) for robot in robots
        )
        world = World(
            tuple(objects),
            self.robots,
            np.array(settings.gravity),
        )
        self.simulation = Simulation(
            world,
            Settings(
                dt=dt,
                integrator="rk4" if settings.exact else "implicitfast",
                time_constant=max(TIME_CONSTANT, MIN_STEPS * dt),
                contact_time_constant=max(CONTACT_TIME_CONSTANT, MIN_STEPS * dt),
            ),
            meshes=convex_pieces,
        )
        moving = [part for part in parts if part.kind in ("driven", "free")]
        self.tick = tick
        self.names = [part.name for part in moving]
        self.is_free: Flags = np.array([part.kind == "free" for part in moving], dtype=bool)
        self._locate()
        self._tune()
        self._holding = Holding(self.simulation)
        self._calming = Calming(self.simulation, self.bodies[self.is_free].tolist(), tick)
        self._copy = mujoco.MjData(self.simulation.model)  # to look at, not to step
        self.led: Flags = ~self.is_free  # driven, held or frozen
        self.is_watched = False
        self.meter: ForceMeter | None = None  # of contact forces, when someone asks for them
        self._touched: set[int] = set()  # pairs of bodies, as one number each; see `watch`
        self._before = self.poses()  # where led parts were at the last tick

    def _locate(self) -> None:
        """Find the coordinates of the moving parts."""
        model = self.simulation.model
        bodies = [model.body(name).id for name in self.names]
        self.bodies: Index = np.array(bodies, dtype=np.int64)
        self._body_names = [model.body(k).name for k in range(model.nbody)]
        self.body_names = frozenset(self._body_names[1:])
        joints = model.body_jntadr[self.bodies]
        self._qpos = model.jnt_qposadr[joints][:, None] + np.arange(7)
        self._qvel = model.jnt_dofadr[joints][:, None] + np.arange(6)
        self._trees = model.body_treeid[self.bodies]

    def _tune(self) -> None:
        """Let what is at rest sleep, and spare rolling friction where nothing rolls."""
        model = self.simulation.model
        rolls = np.isin(model.geom_type, ROUND) & (model.geom_contype == 1)
        model.geom_condim[:] = np.where(rolls, ROLLING, SLIDING)
        damping = model.geom_solref[:, 1]  # negative; of two things, the one that bounces more wins
        model.geom_priority[:] = np.round(1000 * (1 - damping / damping.min(initial=-1.0)))
        if self.simulation.settings.integrator != "rk4":  # which knows no sleep
            model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
        model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        may_sleep = np.zeros(model.ntree, dtype=bool)
        may_sleep[self._trees[self.is_free]] = True
        model.tree_sleep_policy[~may_sleep] = mujoco.mjtSleepPolicy.mjSLEEP_NEVER
        self.wake()

    # -- state ------------------------------------------------------------------------------

    def poses(self) -> Array:
        """Return the poses of the moving parts, (k, 7)."""
        return np.asarray(self.simulation.data.qpos[self._qpos])

    def velocities(self) -> Array:
        """Return linear velocities in the world and angular ones in the part, (k, 6)."""
        return np.asarray(self.simulation.data.qvel[self._qvel])

    def place(self, which: Flags, poses: Array, velocities: Array | float = 0.0) -> None:
        """Put some parts somewhere."""
        if not which.any():
            return
        data = self.simulation.data
        data.qpos[self._qpos[which]] = poses[which]
        data.qvel[self._qvel[which]] = 0.0
        if not isinstance(velocities, float):
            data.qvel[self._qvel[which]] = velocities[which]
        self._before[which] = poses[which]
        self.wake()

    def wake(self) -> None:
        """Wake all that sleeps, because something changed that no contact shows."""
        state = self.simulation.snapshot()
        mujoco.mj_resetData(self.simulation.model, self.simulation.data)
        self.simulation.set_snapshot(state)

    def resume(self, other: RoomSimulation) -> None:
        """Take over the state of all that another simulation has, too."""
        theirs = {name: row for row, name in enumerate(other.names)}
        shared = [(k, theirs[name]) for k, name in enumerate(self.names) if name in theirs]
        mine = np.array([k for k, _ in shared], dtype=np.int64)
        rows = np.array([row for _, row in shared], dtype=np.int64)
        data = self.simulation.data
        data.qpos[self._qpos[mine]] = other.poses()[rows]
        data.qvel[self._qvel[mine]] = other.velocities()[rows]
        self._before[mine] = other._before[rows]
        self._resume_robots(other)
        self._resume_pushes(other)
        for each in other.simulation.connections:
            if {each.first, each.second} <= self.body_names | {"world"}:
                joint = present_joint(other.simulation, each)
                self.simulation.connect(each.first, each.second, joint, name=each.name)
        self.wake()

    def _resume_robots(self, other: RoomSimulation) -> None:
        """Take over the motion of robots, and of branches that are cut off now."""
        here, there = self.simulation, other.simulation
        known = {robot.name for robot in other.robots}
        for robot in self.robots:
            if robot.name not in known:
                continue
            here.set_state(robot.name, there.q(robot.name), there.dq(robot.name))
            for body in robot.model.bodies:
                if body.joint.name in robot.cut:
                    name = robot.body(body.name)
                    here.set_pose(name, there.pose(name), twist=there.twist(name))

    def _resume_pushes(self, other: RoomSimulation) -> None:
        """Take over the forces that push what is not held."""
        held = set(other.bodies[other.led].tolist())
        forces = other.simulation.data.xfrc_applied
        for k in np.flatnonzero(forces.any(axis=1)).tolist():
            name = other._body_names[k]
            if k not in held and name in self.body_names:
                number = self.simulation.model.body(name).id
                self.simulation.data.xfrc_applied[number] = forces[k]

    def state(self) -> bytes:
        """Return all that determines what follows."""
        data = self.simulation.data
        parts = (
            data.qpos, data.qvel, data.qacc_warmstart, data.xfrc_applied, data.tree_asleep,
            data.eq_active, self.simulation.model.eq_data[data.eq_active == 1], self.led,
        )  # fmt: skip
        return b"".join(part.tobytes() for part in parts) + self._calming.state()

    def contact_points(self) -> list[ContactPoint]:
        """Return what touches in this state, also what sleeps, without changing it."""
        model, data, copy = self.simulation.model, self.simulation.data, self._copy
        state = self.simulation.snapshot()[:-1]
        flags = model.opt.enableflags
        model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
        try:
            mujoco.mj_setState(model, copy, state, mujoco.mjtState.mjSTATE_INTEGRATION)
            copy.eq_active[:] = data.eq_active
            mujoco.mj_forward(model, copy)
        finally:
            model.opt.enableflags = flags
        return contact_points_of(model, copy, self._body_names)

    # -- running ----------------------------------------------------------------------------

    def lead(self, led: Flags, poses: Array) -> bool:
        """Lead parts to poses, at the end of this tick; return whether any of them moves."""
        if not np.array_equal(led, self.led):
            self.led = led.copy()
            self._holding.set_held(set(self.bodies[led & self.is_free].tolist()))
            self._before[led] = self.poses()[led]
            self.wake()
        data = self.simulation.data
        velocities = np.zeros((len(poses), 6))
        moved = led & (poses != self._before).any(axis=1)
        if moved.any():
            before, after = self._before[moved], poses[moved]
            rates = _velocities(before, after, self.tick)
            ways = np.linalg.norm(rates.reshape(-1, 2, 3), axis=2) * self.tick
            jumps = (ways > (MAX_JUMP, MAX_TURN)).any(axis=1)
            rates[jumps] = 0.0
            velocities[moved] = rates
            self._before[moved] = np.where(jumps[:, None], after, before)
        was_moving = bool(data.qvel[self._qvel[led]].any())
        data.qpos[self._qpos[led]] = self._before[led]
        data.qvel[self._qvel[led]] = velocities[led]
        self._before[led] = poses[led]
        return was_moving or bool(moved.any())

    def watch(self) -> None:
        """Note, from now on, what comes closer than `NEAR` to something; see `touched_names`."""
        if self.is_watched:
            return
        self.is_watched = True
        model = self.simulation.model
        model.geom_gap[:] = NEAR / 2  # of two shapes they add up; within it there is no force
        model.body_margin[:] = NEAR

    def measure_forces(self) -> ForceMeter:
        """Return the meter of contact forces, which runs from now on."""
        if self.meter is None:
            self.meter = ForceMeter(self._body_names)
        return self.meter

    def step(self) -> None:
        """Advance by one tick."""
        self._touched.clear()
        try:
            if self.is_watched or self.meter is not None:
                self._step_observed()
            else:
                self.simulation.step(self.steps)
        except mujoco.FatalError as error:
            self.wake()
            raise SolverFailed(str(error)) from error
        self._calming.update()

    def _step_observed(self) -> None:
        if self.meter is not None:
            self.meter.begin()
        for _ in range(self.steps):
            self.simulation.step()
            if self.is_watched:
                self._note_contacts()
            if self.meter is not None:
                self.meter.add(self.simulation.model, self.simulation.data)
        if self.is_watched:
            self._note_connected()

    def _note_contacts(self) -> None:
        bodies = self.simulation.model.geom_bodyid[self.simulation.data.contact.geom]
        self._touched.update((bodies[:, 0] * len(self._body_names) + bodies[:, 1]).tolist())

    def _note_connected(self) -> None:
        """Note what is connected and near, so that it is not touched again when it is cut."""
        model, count = self.simulation.model, len(self._body_names)
        for each in self.simulation.connections:
            if "world" not in (each.first, each.second):
                one, other = model.body(each.first).id, model.body(each.second).id
                if are_near(model, self.simulation.data, one, other, within=NEAR):
                    self._touched.add(one * count + other)

    def touched_names(self) -> list[tuple[str, str]]:
        """Return the names of the bodies that touched each other in the last tick."""
        names = self._body_names
        pairs = (divmod(pair, len(names)) for pair in sorted(self._touched))
        return [(names[one], names[other]) for one, other in pairs]

    @property
    def is_asleep(self) -> bool:
        """Whether all that is free sleeps."""
        if self.simulation.settings.integrator == "rk4":
            return False
        asleep = self.simulation.data.tree_asleep[self._trees[self.is_free & ~self.led]] >= 0
        return bool(asleep.all()) and not self.robots


def _rigid_object(part: Part, settings: PhysicsSettings) -> RigidObject:
    body = part.body
    friction = settings.friction if body.friction is None else body.friction
    restitution = settings.restitution if body.restitution is None else body.restitution
    mobility: Mobility = "static"
    if part.kind != "mounted":
        mobility = part.kind
    elif body.mass is not None or body.density is not None:
        mobility = "free"  # else it weighs nothing
    return RigidObject(
        part.name,
        tuple(part.shapes),
        part.pose,
        mobility,
        body.mass,
        settings.density if body.density is None else body.density,
        ContactSurface(friction=friction, rolling=ROLLING_FRICTION, restitution=restitution),
    )


def _mounted(
    robot: SimulatedRobot, parts: Sequence[Part], settings: PhysicsSettings
) -> list[MountedObject]:
    """Return what is mounted on the links of a robot."""
    bodies = {f"{robot.name}/{body.name}": body.name for body in robot.model.bodies}
    return [
        MountedObject(bodies[part.link], _rigid_object(part, settings))
        for part in parts
        if part.kind == "mounted" and part.link in bodies
    ]


def pose_rows(world: Array) -> Array:
    """Return poses (k, 7) of rows of a graph's `world`, (k, 13)."""
    rows = np.empty((len(world), 7))
    rows[:, :3] = world[:, 9:12]
    if len(world):
        rows[:, 3:] = quaternions_from_rotations(world[:, :9].reshape(-1, 3, 3))
    return rows


def rotations_of(quaternions: Array) -> Array:
    """Return the rotation matrices of unit quaternions, row-major, (k, 9)."""
    w, x, y, z = quaternions.T
    return np.stack(
        [
            1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
            2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
            2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y),
        ],
        axis=1,
    )  # fmt: skip


def _velocities(before: Array, after: Array, time: float) -> Array:
    """Return the constant velocities, linear in the world and angular in the part, (k, 6)."""
    w0, x0, y0, z0 = before[:, 3:].T
    w1, x1, y1, z1 = after[:, 3:].T
    w = w0 * w1 + x0 * x1 + y0 * y1 + z0 * z1  # of before⁻¹ · after
    v = np.stack(
        [
            w0 * x1 - x0 * w1 - y0 * z1 + z0 * y1,
            w0 * y1 + x0 * z1 - y0 * w1 - z0 * x1,
            w0 * z1 - x0 * y1 + y0 * x1 - z0 * w1,
        ],
        axis=1,
    )
    v *= np.where(w < 0, -1.0, 1.0)[:, None]  # the shorter way
    length = np.linalg.norm(v, axis=1)
    angle = 2 * np.arctan2(length, np.abs(w))
    factor = np.where(length > 1e-12, angle / np.maximum(length, 1e-12), 2.0)
    return np.hstack([after[:, :3] - before[:, :3], v * factor[:, None]]) / time
