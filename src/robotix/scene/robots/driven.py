"""Robots that a drive moves: inverse kinematics, obstacle avoidance, and one tick of motion."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics import Damping, PointTask, PoseTask, SelfCollision, Solver
from robotix.kinematics.kernels.tables import finite_rates
from robotix.kinematics.obstacles.self_collision import known_pairs
from robotix.kinematics.solver import DampingLaw, Method
from robotix.model import Model
from robotix.scene.events.context import RobotContext
from robotix.scene.events.events import EndOfStroke, Event, RobotMoves, Signal
from robotix.scene.graph.graph import Node
from robotix.scene.robots.ellipsoid import EllipsoidView
from robotix.scene.robots.obstacles import MAX_GAPS, ObstacleAvoidance, SelfAvoidance
from robotix.scene.robots.robot_kernels import (
    INVALID,
    MOVED,
    STOPS_CHANGED,
    is_at_stop,
    step_joints,
)
from robotix.scene.robots.state import KinematicState

__all__ = ["Drive", "DrivenRobot", "MoveGuard", "RobotSolvers"]

TRACKING_GAIN = 20.0  # 1/s, of the end-effector towards its moving target
DEFAULT_MOVE_TICKS = 100
SELF_DISTANCE = 0.01  # m between bodies of a robot that may collide
MIN_REST = 0.25  # s of standing still after which a posture can be gone back to
MAX_RESTS = 50  # postures that are remembered
SAME_POSTURE = 1e-6  # rad or m

TargetKind: TypeAlias = Literal["point", "pose"]
_FLOAT = np.dtype(float)


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


class RobotSolvers:
    """Solvers that bring the end-effector of a robot to a point or a pose, made on demand."""

    def __init__(self, robot: KinematicState) -> None:
        self.damping = Damping()
        self.method: Method = "dls"
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


class _Rests:
    """Postures in which a robot stood still before it moved, so that it can go back to them."""

    def __init__(self, dt: float) -> None:
        self._min_ticks = MIN_REST / dt
        self._postures: deque[Array] = deque(maxlen=MAX_RESTS)
        self._since = -self._min_ticks  # the tick since which it has stood still
        self._is_going_back = False

    def begin_motion(self, q: Array, tick: int) -> None:
        """Remember the posture in which it stood, unless it now goes back to an earlier one."""
        if not self._is_going_back and tick - self._since >= self._min_ticks:
            self._postures.append(q)
        self._is_going_back = False

    def end_motion(self, tick: int) -> None:
        """Remember since when it stands still."""
        self._since = tick

    def take_last(self, q: Array) -> Array:
        """Return the last posture that differs from `q`, and forget it."""
        while self._postures:
            last = self._postures.pop()
            if np.abs(last - q).max(initial=0.0) > SAME_POSTURE:
                self._is_going_back = True
                return last
        raise ValueError("it has not moved yet, or has gone back all the way")


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
        self.self_avoidance: SelfAvoidance | None = None
        self.rests = _Rests(self.dt)
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

    def set_chain(self, *, first: int | None = None, last: int | None = None) -> None:
        """Choose the joints that inverse kinematics may move, counted from 1; all for None.

        A moving robot stops, because its drive was for another end-effector.
        """
        super().set_chain(first=first, last=last)
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
            return ()
        desired, before = self._desired(), self.q
        changes = 0
        if desired is not None:
            next_q, dq = np.empty_like(self.q), np.empty_like(self.q)
            changes = step_joints(
                self.q, desired, self._lower, self._upper, self._max_step, self.dt,
                self._tables.link_ints, next_q, dq, self._stops.now,
            )  # fmt: skip
            self.q, self.dq = next_q, dq
        if changes & MOVED:
            self.update_nodes()
            if self.guard is not None and self.guard.limit(self, before):
                self.dq = (self.q - before) / self.dt
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
            desired = None if drive is None else drive.next(self)
            if desired is None:
                if self.drive is drive:  # it may have set another drive
                    self.stop()
                return None
            desired = _owned(desired)
            if desired.shape != self.q.shape:
                raise ValueError(f"{self.model.n_dof} joints, but a posture of {desired.shape}")
            return self._clear(desired)
        except Exception as error:  # an error in a drive must not stop the scene
            self._fail(error)
            return None

    def _fail(self, error: Exception) -> None:
        self.stop()
        self.context.fail(f"robot {self.name}", error)


def _owned(values: ArrayLike) -> Array:
    """Return an array that is contiguous and writable: kernels are compiled for no other kind."""
    if type(values) is np.ndarray and values.dtype == _FLOAT and values.flags.carray:
        return values  # the usual case; `require` takes ten times as long to see it
    return np.require(values, float, ["C", "A", "W"])
