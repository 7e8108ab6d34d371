"""Robots that a drive moves: inverse kinematics, obstacle avoidance, and one tick of motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics import Damping, PointTask, PoseTask, SelfCollision, Solver
from robotix.kinematics.criteria import ReferencePosture
from robotix.kinematics.kernels.tables import finite_rates
from robotix.kinematics.obstacles.self_collision import known_pairs
from robotix.kinematics.solver import DampingLaw, Method
from robotix.model import ControlPoint, Model
from robotix.scene.events.context import RobotContext
from robotix.scene.events.events import EndOfStroke, Event, RobotMoves, Signal
from robotix.scene.graph.graph import Node
from robotix.scene.robots.ellipsoid import EllipsoidView
from robotix.scene.robots.joint_faults import JointFaults
from robotix.scene.robots.obstacles import MAX_GAPS, ObstacleAvoidance, SelfAvoidance
from robotix.scene.robots.rests import Rests
from robotix.scene.robots.robot_kernels import (
    INVALID,
    MOVED,
    STOPS_CHANGED,
    is_at_stop,
    step_joints,
)
from robotix.scene.robots.state import KinematicState, owned_array

__all__ = ["Drive", "DrivenRobot", "MotionMonitor", "MoveGuard", "RobotSolvers"]

TRACKING_GAIN = 20.0  # 1/s, of the end-effector towards its moving target
DEFAULT_MOVE_TICKS = 100
SELF_DISTANCE = 0.01  # m between bodies of a robot that may collide

TargetKind: TypeAlias = Literal["point", "pose"]


class Drive(Protocol):
    """Moves a robot: called in every tick for the joint positions at its end."""

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the desired joint positions at the end of this tick; None when finished."""


class MoveGuard(Protocol):
    """Shortens motions that would go into something."""

    def find_depths(self, robot: DrivenRobot) -> Mapping[tuple[str, str], float]:
        """Return where a part of the robot overlaps something that stops it, and by how much."""

    def limit(self, robot: DrivenRobot, before: Array) -> bool:
        """Place the robot as far from `before` as it may go; return whether it was stopped."""


class MotionMonitor(Protocol):
    """Slows motions down that would endanger people."""

    def ask(self, drive: Drive) -> Array | None:
        """Return the joint positions that a drive asks for; None when it has finished."""

    def limit(self, desired: Array) -> Array:
        """Return joint positions towards the desired ones, as far as they may be reached."""

    def check(self, asked: Array, *, measured: Array) -> None:
        """Compare the motion that was asked for in a tick with the measured one, (n_dof,)."""

    def idle(self) -> None:
        """Take note of a tick without motion."""


class RobotSolvers:
    """Solvers that bring the end-effector of a robot to a point or a pose, made on demand."""

    def __init__(self, robot: KinematicState) -> None:
        self.damping = Damping()
        self.method: Method = "dls"
        self.preferred: ReferencePosture | None = None
        self.weights: Array | None = None  # cost of the motion of each joint, (n_dof,)
        self._robot = robot
        self._cache: dict[str, Solver] = {}

    def set_damping(self, k: float, *, law: DampingLaw = "smallest") -> None:
        """Set the damping factor and its law."""
        self.damping = Damping(k, law)
        self.clear()

    def set_method(self, method: Method) -> None:
        """Choose how redundancy is resolved."""
        if method not in get_args(Method):
            raise ValueError(f"a method is one of {', '.join(get_args(Method))}, not {method!r}")
        self.method = method
        self.clear()

    def prefer(self, posture: ReferencePosture | None) -> None:
        """Draw the joints to a posture as far as the target leaves them free; None: no longer."""
        self.preferred = posture
        self.clear()

    def clear(self) -> None:
        """Drop all solvers, because something that they were made from has changed."""
        self._cache.clear()

    def get(self, kind: TargetKind, *, accelerate: bool) -> Solver:
        """Return a solver; write its target before using it.

        `accelerate` enforces acceleration limits; with obstacles around it must be False, so that
        the robot may brake as hard as it needs to.
        """
        if kind not in self._cache:
            robot = self._robot
            gain = min(TRACKING_GAIN, 0.5 / robot.dt)
            task = (
                PointTask(robot.chain.point, np.zeros(3), gain=gain)
                if kind == "point"
                else PoseTask(robot.chain.point, Pose(), gain=gain)
            )
            self._cache[kind] = Solver(
                robot.model,
                [task],
                dt=robot.dt,
                method=self.method,
                damping=self.damping,
                limits=robot.chain.limits(robot.model, accelerate=accelerate),
                weights=self.weights,
                criterion=self.preferred,
                max_inequalities=MAX_GAPS,
            )
        return self._cache[kind]


class _JointStops:
    """Which joints are at an end of their range, and which of these were reported."""

    def __init__(self, robot: KinematicState) -> None:
        self._robot = robot
        self._joints = tuple(j.name for j in robot.model.joints for _ in j.dof_names)
        self.now = np.zeros(robot.model.n_dof, dtype=np.bool_)
        self._reported = self.now.copy()
        self._initial = self.now.copy()  # placed at an end, not driven there

    def reset(self, lower: Array, upper: Array) -> None:
        """Take the current joint positions as initial ones, which are not reported."""
        for j in range(len(self.now)):
            self.now[j] = is_at_stop(self._robot.q[j], lower[j], upper[j])
        self._reported[:] = self._initial[:] = self.now

    def events(self, signal: str) -> list[Event]:
        """Return which joints reached or left an end of their range, and the same for any joint.

        A joint that was placed at its end counts only after it has left it.
        """
        name = self._robot.name
        changed = np.flatnonzero(self.now != self._reported).tolist()
        events = [Event(EndOfStroke(name, self._joints[j]), bool(self.now[j])) for j in changed]
        was_any = bool((self._reported & ~self._initial).any())
        self._reported[:] = self.now
        self._initial &= self.now
        is_any = bool((self.now & ~self._initial).any())
        if is_any != was_any:
            events.append(Event(EndOfStroke(name), is_any))
            if signal:
                events.append(Event(Signal(signal), is_any))
        return events


class DrivenRobot(KinematicState):
    """A robot that moves only while it has a drive.

    Whatever the drive returns, joints stay within their position and velocity limits, numbers stay
    finite, and the robot avoids its obstacles. Acceleration limits are kept by the drives
    themselves; stopping and obstacle avoidance take precedence.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        context: RobotContext,
        *,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> None:
        """Add the robot to the graph at its neutral posture."""
        super().__init__(name, model, context, pose=pose, parent=parent)
        self.home = self.q  # joint positions before the first tick
        self.drive: Drive | None = None
        self.move_ticks = DEFAULT_MOVE_TICKS  # default duration of a move
        self.stroke_signal = ""  # follows whether any joint is at an end of its range
        self.motion_signal = ""  # follows whether the robot moves
        self.avoidance: ObstacleAvoidance | None = None
        self.guard: MoveGuard | None = None
        self.is_held_back = False  # by its guard, in the last tick
        self.monitor: MotionMonitor | None = None
        self.faults: JointFaults | None = None
        self.self_avoidance: SelfAvoidance | None = None
        self.rests = Rests(self.dt)
        self.ellipsoid = EllipsoidView(self)
        self.solvers = RobotSolvers(self)
        self._lower, self._upper = np.array(model.lower), np.array(model.upper)
        self._max_step = finite_rates(model.velocity, self.dt) * self.dt  # rad or m per tick
        self._stops = _JointStops(self)
        self._is_moving = False
        self.set_q(model.neutral)

    # -- setting up -------------------------------------------------------------------------

    def set_q(self, q: ArrayLike) -> None:
        """Set the joint positions at once, within their limits; for setting up, not for moving."""
        desired = self.joint_values(q, what="q")
        self.q = np.clip(desired, self._lower, self._upper)
        if not self.context.tick:
            self.home = self.q
        self.stop()
        self._stops.reset(self._lower, self._upper)
        self.update_nodes()

    def set_chain(
        self,
        *,
        first: int | None = None,
        last: int | None = None,
        point: ControlPoint | None = None,
    ) -> None:
        """Choose the joints that inverse kinematics may move, counted from 1; all for None.

        A moving robot stops, because its drive was for another end-effector.
        """
        super().set_chain(first=first, last=last, point=point)
        self.solvers.clear()
        self.stop()
        self.ellipsoid.update()

    def add_obstacle(self, node: Node | str, distance: float) -> None:
        """Keep a distance, in m, from a node and all below it, whatever drives the robot."""
        own = None if self.self_avoidance is None else self.self_avoidance.own
        avoidance = self.avoidance or ObstacleAvoidance(self, own)
        avoidance.add(node if isinstance(node, str) else node.name, distance)
        self.avoidance = avoidance
        self.solvers.clear()

    def place(self, q: Array) -> None:
        """Set the joint positions within a tick; for guards."""
        self.q = q
        self.update_nodes()

    def avoid_self(self, distance: float | None = SELF_DISTANCE) -> None:
        """Keep bodies of the robot, in m, apart whatever drives it; None: no longer.

        Which pairs can collide is found by `collision_pairs`.
        """
        if self.drive is not None or self.avoidance is not None:
            raise ValueError("choose self-avoidance before the robot moves and has obstacles")
        pairs = () if distance is None else known_pairs(self.model)
        self.self_avoidance = None
        if distance is not None and pairs:
            own = SelfCollision(self.model, pairs, distance=distance)
            self.self_avoidance = SelfAvoidance(self, own)

    def check_obstacle(self, node: str) -> None:
        """Raise an error if the robot could not keep a distance from a node."""
        ObstacleAvoidance(self).add(node, 0.0)

    def stop(self) -> None:
        """Stop at once."""
        self.drive = None
        self.dq = np.zeros(self.model.n_dof)

    def update_nodes(self) -> None:
        """Write the poses of the bodies at `q`, and the ellipsoid, into the graph."""
        super().update_nodes()
        self.ellipsoid.update()

    # -- reading ----------------------------------------------------------------------------

    @property
    def is_moving(self) -> bool:
        """Whether it moved in the last tick."""
        return self._is_moving

    @property
    def at_stop(self) -> NDArray[np.bool_]:
        """Which joints are at an end of their range, (n_dof,)."""
        return self._stops.now

    # -- inverse kinematics, for drives -----------------------------------------------------

    def solver(self, kind: TargetKind) -> Solver:
        """Return the solver that brings the end-effector to a point or pose; write its target."""
        return self.solvers.get(kind, accelerate=self.avoidance is None)

    def solve(self, solver: Solver) -> Array:
        """Return the solver's next joint positions from the current ones, clear of obstacles."""
        if self.avoidance is not None:
            return self.avoidance.step(solver)
        solver.q[:] = self.q
        solver.dq[:] = self.dq
        solver.tick()
        return solver.q

    # -- running ----------------------------------------------------------------------------

    def step(self) -> Sequence[Event]:
        """Move by one tick; return the events of the joints."""
        if self.drive is None and not self._is_moving:
            if self.monitor is not None:
                self.monitor.idle()
            return ()
        desired, before = self._desired(), self.q
        changes = 0
        if desired is not None:
            asked, desired = desired, self._followed(desired)
            next_q, dq = np.empty_like(self.q), np.empty_like(self.q)
            changes = step_joints(
                self.q, desired, self._lower, self._upper, self._max_step, self.dt,
                self._tables.link_ints, next_q, dq, self._stops.now,
            )  # fmt: skip
            self.q, self.dq = next_q, dq
        if changes & MOVED:
            self.update_nodes()
            self.is_held_back = self.guard is not None and self.guard.limit(self, before)
            if self.is_held_back:
                self.dq, asked = (self.q - before) / self.dt, self.q
        if self.monitor is not None:
            if desired is None:
                self.monitor.idle()
            else:
                self._check(before, asked)
        events = self._stops.events(self.stroke_signal) if changes & STOPS_CHANGED else []
        if changes & INVALID:
            self._fail(ValueError("its drive returned joint positions that are not finite"))
        if bool(changes & MOVED) != self._is_moving:
            self._is_moving = not self._is_moving
            if self._is_moving:
                self.rests.begin_motion(before, self.context.tick)
            else:
                self.rests.end_motion(self.context.tick)
            events.append(Event(RobotMoves(self.name), self._is_moving))
            if self.motion_signal:
                events.append(Event(Signal(self.motion_signal), self._is_moving))
        return events

    def _clear(self, desired: Array) -> Array:
        """Return joint positions near the desired ones, clear of obstacles and of the robot."""
        if self.avoidance is not None:
            desired = self.avoidance.project(desired)
            if self.avoidance.is_active:  # keeps the bodies apart, too
                return desired
        return desired if self.self_avoidance is None else self.self_avoidance.project(desired)

    def _desired(self) -> Array | None:
        """Return the joint positions that the drive asks for, clear of obstacles; None to stop."""
        drive = self.drive
        try:
            if self.avoidance is not None:
                self.avoidance.update()
            desired = None if drive is None else self._ask(drive)
            if desired is None:
                if self.drive is drive:  # it may have set another drive
                    self.stop()
                return None
            desired = owned_array(desired)
            if desired.shape != self.q.shape:
                raise ValueError(f"{self.model.n_dof} joints, but a posture of {desired.shape}")
            clear = self._clear(desired)
            return clear if self.monitor is None else self.monitor.limit(clear)
        except Exception as error:  # an error in a drive must not stop the scene
            self._fail(error)
            return None

    def _ask(self, drive: Drive) -> Array | None:
        """Return what a drive asks for, which knows of the joints what their encoders report."""
        actual = self.q
        self.q = seen = actual if self.faults is None else self.faults.measured(actual)
        try:
            desired = drive.next(self) if self.monitor is None else self.monitor.ask(drive)
        finally:
            self.q = actual
        return desired if desired is None or seen is actual else actual + (desired - seen)

    def _followed(self, desired: Array) -> Array:
        return desired if self.faults is None else self.faults.followed(self.q, desired)

    def _check(self, before: Array, asked: Array) -> None:
        """Tell the monitor how the joints have followed, as far as their limits let them."""
        assert self.monitor is not None
        seen = [q if self.faults is None else self.faults.measured(q) for q in (before, self.q)]
        step = np.clip(asked - before, -self._max_step, self._max_step)
        step = np.clip(before + step, self._lower, self._upper) - before
        self.monitor.check(step, measured=seen[1] - seen[0])

    def _fail(self, error: Exception) -> None:
        self.stop()
        self.context.fail(f"robot {self.name}", error)
