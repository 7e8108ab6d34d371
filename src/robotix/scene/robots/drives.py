"""Drives: each moves a robot, tick by tick.

A drive returns the desired joint positions at the end of the tick; the robot follows them as far as
position limits, velocity limits and obstacles allow. `None` means that the drive is finished.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.tables import finite_rates, tables_of
from robotix.motion import Ended, Motion, Player, Profile, model_dofs, move_goal, profile_limits
from robotix.motion.coordinates import blended, rotation_vector_starts, step_between
from robotix.scene.events.action import Action
from robotix.scene.graph.graph import Node
from robotix.scene.robots.driven import Drive, DrivenRobot

__all__ = [
    "Brake",
    "FollowNode",
    "HoldPosture",
    "Jog",
    "JointMove",
    "Law",
    "Nudge",
    "PathPlay",
    "ProgressTimeout",
    "Reach",
    "run_drive",
]

Law: TypeAlias = Literal["minimum_jerk", "cubic", "linear"]
MAX_TICKS = 1_000_000  # of one move: more than two hours at 120 Hz
JOINT_TOLERANCE = 1e-9  # rad or m from the goal
TIP_TOLERANCE = 1e-5  # m from the target
NEAR_TARGET = 1e-4  # m, near enough where there is no progress any more
PROGRESS_TIMEOUT = 0.5  # s without progress, after which a move gives up
BRAKE_TIME = 0.1  # s from full speed to rest; longer where accelerations are limited


def run_drive(robot: DrivenRobot, drive: Drive) -> Action:
    """Run as long as a drive; stop the robot if the action is stopped."""
    try:
        while robot.drive is drive:
            yield
    finally:
        if robot.drive is drive:
            robot.stop()


class ProgressTimeout:
    """Detects that a distance has stopped shrinking."""

    def __init__(self, dt: float, *, least: float) -> None:
        """Expect progress of `least`, or of 1 % of the distance, in every `PROGRESS_TIMEOUT`."""
        self._ticks = max(2, round(PROGRESS_TIMEOUT / dt))
        self._least = least
        self._left = self._ticks
        self._before = math.inf

    def is_over(self, distance: float) -> bool:
        """Record the distance in this tick, and return whether to give up."""
        self._left -= 1
        if self._left:
            return False
        gain = self._before - distance
        self._left, self._before = self._ticks, distance
        return gain < max(self._least, 0.01 * distance)


class JointMove:
    """Moves all joints to a goal together, in `ticks` or more where velocity limits require it.

    A goal beyond a limit is clipped to it. Minimum jerk resembles human motion; `linear` starts
    and stops with a jump of velocity.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        goal: Sequence[float | None],
        *,
        ticks: int,
        law: Law = "minimum_jerk",
    ) -> None:
        _check_ticks(ticks)
        model = robot.model
        self.start = robot.q
        goal_now = np.clip(move_goal(robot.q, goal), model.lower, model.upper)
        self.goal: Array = np.where(model.velocity > 0, goal_now, robot.q)
        self._dofs = model_dofs(model)
        self._has_rotation = bool(rotation_vector_starts(self._dofs))
        self._step = step_between(self._dofs, self.start, end=self.goal)
        count = min(max(ticks, _ticks_needed(robot, self._step, law)), MAX_TICKS)
        self._parts: list[float] = _profile(law).value(np.arange(1, count + 1) / count).tolist()
        self._tick = 0
        self._timeout = ProgressTimeout(robot.dt, least=1e-6)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick further."""
        if self._tick < len(self._parts):
            part = self._parts[self._tick]
            self._tick += 1
            if part == 1.0:
                return self.goal
            if self._has_rotation:
                return blended(self._dofs, self.start, end=self.goal, part=part)
            return self.start + part * self._step
        missing = float(abs(robot.q - self.goal).max(initial=0.0))
        if missing <= JOINT_TOLERANCE:
            return None
        if self._timeout.is_over(missing):
            robot.say(
                f"stopped {missing:.3g} (rad or m) short of its goal; something is in the way"
            )
            return None
        return self.goal


def _check_ticks(ticks: int) -> None:
    if not 1 <= ticks <= MAX_TICKS:
        raise ValueError(f"a move takes 1 to {MAX_TICKS} ticks, got {ticks}")


@cache
def _profile(law: Law) -> Profile:
    return {
        "minimum_jerk": Profile.minimum_jerk,
        "cubic": Profile.cubic,
        "linear": Profile.linear,
    }[law](1.0)


def _ticks_needed(robot: DrivenRobot, step: Array, law: Law) -> int:
    """Return the number of ticks in which a move keeps velocity and acceleration limits."""
    model, profile = robot.model, _profile(law)
    acceleration = np.where(model.acceleration > 0, model.acceleration, np.inf)
    rate, gain = profile_limits(
        step, velocity=finite_rates(model.velocity, robot.dt), acceleration=acceleration
    )
    seconds = max(profile.peak_rate / rate, math.sqrt(profile.peak_acceleration / gain))
    return min(math.ceil(seconds / robot.dt - 1e-6), MAX_TICKS)


class Nudge:
    """Moves the joints by an increment, as a teach pendant does; a further nudge adds to it."""

    def __init__(self, robot: DrivenRobot, by: ArrayLike) -> None:
        before = robot.drive
        start = before.goal if isinstance(before, Nudge) else robot.q
        model, step = robot.model, robot.joint_values(by, what="an increment")
        self.goal: Array = np.clip(start + step, model.lower, model.upper)
        self._timeout = ProgressTimeout(robot.dt, least=1e-6)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the goal until it is reached."""
        missing = float(abs(robot.q - self.goal).max(initial=0.0))
        return None if missing <= JOINT_TOLERANCE or self._timeout.is_over(missing) else self.goal


class Jog:
    """Moves the joints by an increment in every tick, until stopped."""

    def __init__(self, robot: DrivenRobot, by: ArrayLike) -> None:
        self._by = robot.joint_values(by, what="an increment")

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the current joint positions plus the increment."""
        return robot.q + self._by


class HoldPosture:
    """Holds the joint positions; gives way to moving obstacles, and then returns."""

    def __init__(self, robot: DrivenRobot) -> None:
        self._q = robot.q

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions to hold."""
        return self._q


class Reach:
    """Moves the end-effector to a position in the world, along a line, by inverse kinematics.

    It ends within 0.01 mm of the target, or without progress; if that is more than 0.1 mm away, the
    robot reports the distance.
    """

    def __init__(self, robot: DrivenRobot, target: ArrayLike, *, ticks: int) -> None:
        _check_ticks(ticks)
        goal = np.array(target, dtype=float)
        if goal.shape != (3,) or not np.isfinite(goal).all() or abs(goal).max() > 1e6:
            raise BadField("target", "three numbers in m", repr(target))
        self.target = goal
        self._start = robot.tip_position()
        parts = _profile("minimum_jerk").value(np.arange(1, ticks + 1) / ticks)
        self._parts: list[float] = parts.tolist()
        self._tick = 0
        self._timeout = ProgressTimeout(robot.dt, least=1e-7)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick nearer to the target."""
        if self._tick < len(self._parts):
            part = self._parts[self._tick]
            self._tick += 1
            goal = self._start + part * (self.target - self._start)
        else:
            goal = self.target
            missing = math.dist(robot.tip_position(), goal)
            if missing <= TIP_TOLERANCE:
                return None
            if self._timeout.is_over(missing):
                if missing <= NEAR_TARGET:
                    return None
                robot.say(
                    f"cannot reach {tuple(goal.tolist())}: {missing:.3f} m are missing; "
                    "it is out of reach, or something is in the way"
                )
                return None
        solver = robot.solver("point")
        solver.positions[0] = robot.in_base(goal)
        return robot.solve(solver)


class FollowNode:
    """Moves the end-effector with a node, at the offset that it has at the beginning; endless."""

    def __init__(self, robot: DrivenRobot, node: Node) -> None:
        self._node = node
        self._offset = robot.tip_position() - np.array(node.world_position)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick nearer to where the node is."""
        solver = robot.solver("point")
        solver.positions[0] = robot.in_base(self._target())
        return robot.solve(solver)

    def gap(self, robot: DrivenRobot) -> float:
        """Return how far the end-effector is from where it should be, m."""
        return math.dist(robot.tip_position(), self._target())

    def _target(self) -> Array:
        return np.array(self._node.world_position) + self._offset


class PathPlay:
    """Plays the postures of a motion, each segment in the same number of ticks.

    `timed` uses the motion's own times instead. Both start with a move to its first posture.
    """

    def __init__(
        self,
        robot: DrivenRobot,
        motion: Motion,
        *,
        ticks: int,
        loop: bool = False,
        speed: float = 1.0,
        timed: bool = False,
    ) -> None:
        motion.check_model(robot.model)
        if not (math.isfinite(speed) and 1e-3 <= speed <= 1e3):
            raise BadField("speed", "between 0.001 and 1000", speed)
        self._rows = motion.q
        self._ticks = max(1, round(ticks / speed))
        self._loop = loop
        self._index = 0
        self._player = Player(motion, speed=speed, loop=loop) if timed else None
        self._segment: JointMove | None = JointMove(
            robot, self._rows[0].tolist(), ticks=self._ticks
        )

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick further."""
        if self._segment is not None:
            desired = self._segment.next(robot)
            if desired is not None:
                return desired
            self._segment = self._next_segment(robot)
            if self._segment is not None:
                return self._segment.next(robot)
        return self._timed(robot)

    def _next_segment(self, robot: DrivenRobot) -> JointMove | None:
        if self._player is not None:
            self._player.play()
            return None
        self._index += 1
        if self._index == len(self._rows):
            if not self._loop:
                return None
            self._index = 0
        return JointMove(robot, self._rows[self._index].tolist(), ticks=self._ticks)

    def _timed(self, robot: DrivenRobot) -> Array | None:
        player = self._player
        if player is None or not player.playing:
            return None
        desired = player.advance(robot.dt)
        if desired is not None and Ended() in player.events:  # make sure that it is reached
            self._player, self._index = None, len(self._rows) - 1
            self._segment = JointMove(robot, self._rows[-1].tolist(), ticks=1)
        return desired


class Brake:
    """Brings the joints to rest within `BRAKE_TIME`, with linearly falling velocity."""

    def __init__(self, robot: DrivenRobot) -> None:
        acceleration = np.where(robot.model.acceleration > 0, robot.model.acceleration, np.inf)
        seconds = max(BRAKE_TIME, float((abs(robot.dq) / acceleration).max(initial=0.0)))
        self._dq = robot.dq
        self._ticks = math.ceil(seconds / robot.dt)
        self._left = self._ticks if self._dq.any() else 0
        self._links = tables_of(robot.model).link_ints

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions one tick further, at a lower velocity."""
        self._left -= 1
        if self._left <= 0:
            return None
        desired = np.empty_like(robot.q)
        kernels.integrate(
            self._links, robot.q, self._dq, robot.dt * self._left / self._ticks, desired
        )
        return desired
