"""Drives: what moves a robot, tick by tick.

A drive says where the joints should be at the end of the tick; the robot goes there as far as
limits, rates and obstacles let it. `None` means that there is no more to do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.kernels.tables import finite_rates, tables_of
from robotix.motion import Ended, Motion, Player, Profile, model_dofs, move_goal, profile_limits
from robotix.motion.coordinates import blended, step_between, turn_starts

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot

__all__ = [
    "Brake",
    "Drive",
    "HoldPosture",
    "Jog",
    "JointMove",
    "Law",
    "Nudge",
    "PathPlay",
    "ProgressTimeout",
    "Reach",
]

Law: TypeAlias = Literal["minimum_jerk", "cubic", "linear"]
MAX_TICKS = 1_000_000  # of one move: more than two hours at 120 Hz
REACHED = 1e-9  # rad or m
CLOSE = 1e-4  # m: an end-effector is there
GAIN = 20.0  # 1/s, of the end-effector towards its moving target
PATIENCE = 0.5  # s without getting nearer, after which a move gives up
BRAKING = 0.1  # s from full speed to rest; longer where accelerations are limited


class Drive(Protocol):
    """What moves a robot: asked every tick where the joints should be next."""

    def next(self, robot: Robot) -> Array | None:
        """Return the posture wanted at the end of this tick; None when there is no more to do."""


class ProgressTimeout:
    """Tells when something has come no nearer for a while."""

    def __init__(self, dt: float, *, least: float) -> None:
        """Ask for a gain of `least`, or of a hundredth of what is missing, in every while."""
        self._ticks = max(2, round(PATIENCE / dt))
        self._least = least
        self._left = self._ticks
        self._before = math.inf

    def is_over(self, distance: float) -> bool:
        """Take note of what is missing now, and tell whether to give up."""
        self._left -= 1
        if self._left:
            return False
        gain = self._before - distance
        self._left, self._before = self._ticks, distance
        return gain < max(self._least, 0.01 * distance)


class JointMove:
    """Brings the joints to a goal, all together, in so many ticks or as many as their rates need.

    A goal beyond a limit is one at the limit. Minimum jerk is how people move, and pleasant to
    watch; `linear` starts and stops with a jump.
    """

    def __init__(
        self,
        robot: Robot,
        goal: Sequence[float | None],
        *,
        steps: int,
        law: Law = "minimum_jerk",
    ) -> None:
        if not 1 <= steps <= MAX_TICKS:
            raise BadField("steps", f"1 to {MAX_TICKS} ticks", steps)
        model = robot.model
        self.start = robot.q
        goal_now = np.clip(move_goal(robot.q, goal), model.lower, model.upper)
        self.goal: Array = np.where(model.velocity > 0, goal_now, robot.q)
        self._dofs = model_dofs(model)
        self._turns = bool(turn_starts(self._dofs))
        self._step = step_between(self._dofs, self.start, end=self.goal)
        ticks = min(max(steps, _ticks_needed(robot, self._step, law)), MAX_TICKS)
        self._parts: list[float] = _profile(law).value(np.arange(1, ticks + 1) / ticks).tolist()
        self._tick = 0
        self._patience = ProgressTimeout(robot.dt, least=1e-6)

    def next(self, robot: Robot) -> Array | None:
        """Return the posture a tick further."""
        if self._tick < len(self._parts):
            part = self._parts[self._tick]
            self._tick += 1
            if part == 1.0:
                return self.goal
            if self._turns:
                return blended(self._dofs, self.start, end=self.goal, part=part)
            return self.start + part * self._step
        missing = float(abs(robot.q - self.goal).max(initial=0.0))
        if missing <= REACHED:
            return None
        if self._patience.is_over(missing):
            robot.say(
                f"stopped {missing:.3g} (rad or m) short of its goal; something is in the way"
            )
            return None
        return self.goal


@cache
def _profile(law: Law) -> Profile:
    return {
        "minimum_jerk": Profile.minimum_jerk,
        "cubic": Profile.cubic,
        "linear": Profile.linear,
    }[law](1.0)


def _ticks_needed(robot: Robot, step: Array, law: Law) -> int:
    """Return how many ticks a move takes that keeps all rates and accelerations."""
    model, profile = robot.model, _profile(law)
    acceleration = np.where(model.acceleration > 0, model.acceleration, np.inf)
    rate, gain = profile_limits(
        step, velocity=finite_rates(model.velocity, robot.dt), acceleration=acceleration
    )
    seconds = max(profile.peak_rate / rate, math.sqrt(profile.peak_acceleration / gain))
    return min(math.ceil(seconds / robot.dt - 1e-6), MAX_TICKS)


class Nudge:
    """Moves the joints by an increment, as a teach pendant does; another one adds to it."""

    def __init__(self, robot: Robot, by: ArrayLike) -> None:
        before = robot.drive
        start = before.goal if isinstance(before, Nudge) else robot.q
        model, step = robot.model, robot.checked(by, what="an increment")
        self.goal: Array = np.clip(start + step, model.lower, model.upper)
        self._patience = ProgressTimeout(robot.dt, least=1e-6)

    def next(self, robot: Robot) -> Array | None:
        """Return the goal until it is reached."""
        missing = float(abs(robot.q - self.goal).max(initial=0.0))
        return None if missing <= REACHED or self._patience.is_over(missing) else self.goal


class Jog:
    """Moves the joints by an increment every tick, until stopped."""

    def __init__(self, robot: Robot, by: ArrayLike) -> None:
        self._by = robot.checked(by, what="an increment")

    def next(self, robot: Robot) -> Array | None:
        """Return where the joints are, and the increment further."""
        return robot.q + self._by


class HoldPosture:
    """Keeps the joints where they are; gives way to an obstacle that comes, and then returns."""

    def __init__(self, robot: Robot) -> None:
        self._q = robot.q

    def next(self, robot: Robot) -> Array | None:
        """Return the posture that is held."""
        return self._q


class Reach:
    """Brings the end-effector to a place in the world, along a line, by inverse kinematics.

    It is over within 0.1 mm, or when it comes no nearer: then the robot says what is missing.
    """

    def __init__(self, robot: Robot, target: ArrayLike, *, steps: int) -> None:
        if not 1 <= steps <= MAX_TICKS:
            raise BadField("steps", f"1 to {MAX_TICKS} ticks", steps)
        goal = np.array(target, dtype=float)
        if goal.shape != (3,) or not np.isfinite(goal).all() or abs(goal).max() > 1e6:
            raise BadField("target", "three numbers in m", repr(target))
        self.target = goal
        self._start = robot.tip_in_world()
        parts = _profile("minimum_jerk").value(np.arange(1, steps + 1) / steps)
        self._parts: list[float] = parts.tolist()
        self._tick = 0
        self._patience = ProgressTimeout(robot.dt, least=1e-5)

    def next(self, robot: Robot) -> Array | None:
        """Return the posture a tick nearer."""
        if self._tick < len(self._parts):
            part = self._parts[self._tick]
            self._tick += 1
            goal = self._start + part * (self.target - self._start)
        else:
            goal = self.target
            missing = math.dist(robot.tip_in_world(), goal)
            if missing <= CLOSE:
                return None
            if self._patience.is_over(missing):
                robot.say(
                    f"cannot reach {tuple(goal.tolist())}: {missing:.3f} m are missing; "
                    "it is out of reach, or something is in the way"
                )
                return None
        solver = robot.solver("point")
        solver.positions[0] = robot.in_base(goal)
        return robot.solve(solver)


class PathPlay:
    """Goes through the postures of a motion, each leg in the same number of ticks.

    `timed` keeps the motion's own times instead. Both begin with a move to its first posture.
    """

    def __init__(
        self,
        robot: Robot,
        motion: Motion,
        *,
        steps: int,
        loop: bool = False,
        speed: float = 1.0,
        timed: bool = False,
    ) -> None:
        motion.check_model(robot.model)
        if not (math.isfinite(speed) and 1e-3 <= speed <= 1e3):
            raise BadField("speed", "between 0.001 and 1000", speed)
        self._rows = [row.tolist() for row in motion.q]
        self._steps = max(1, round(steps / speed))
        self._loop = loop
        self._index = 0
        self._player = Player(motion, speed=speed, loop=loop) if timed else None
        self._leg: JointMove | None = JointMove(robot, self._rows[0], steps=self._steps)

    def next(self, robot: Robot) -> Array | None:
        """Return the posture a tick further."""
        if self._leg is not None:
            wish = self._leg.next(robot)
            if wish is not None:
                return wish
            self._leg = self._next_leg(robot)
            if self._leg is not None:
                return self._leg.next(robot)
        return self._timed(robot)

    def _next_leg(self, robot: Robot) -> JointMove | None:
        if self._player is not None:
            self._player.play()
            return None
        self._index += 1
        if self._index == len(self._rows):
            if not self._loop:
                return None
            self._index = 0
        return JointMove(robot, self._rows[self._index], steps=self._steps)

    def _timed(self, robot: Robot) -> Array | None:
        player = self._player
        if player is None or not player.playing:
            return None
        wish = player.advance(robot.dt)
        if wish is not None and Ended() in player.events:  # then see that it gets there
            self._player, self._index = None, len(self._rows) - 1
            self._leg = JointMove(robot, self._rows[-1], steps=1)
        return wish


class Brake:
    """Brings the joints to rest, quickly but not with a jerk."""

    def __init__(self, robot: Robot) -> None:
        slow = np.where(robot.model.acceleration > 0, robot.model.acceleration, np.inf)
        seconds = max(BRAKING, float((abs(robot.dq) / slow).max(initial=0.0)))
        self._dq = robot.dq
        self._ticks = math.ceil(seconds / robot.dt)
        self._left = self._ticks if self._dq.any() else 0
        self._links = tables_of(robot.model).link_ints

    def next(self, robot: Robot) -> Array | None:
        """Return the posture a tick further, slower than the tick before."""
        self._left -= 1
        if self._left <= 0:
            return None
        wish = np.empty_like(robot.q)
        kernels.integrate(self._links, robot.q, self._dq, robot.dt * self._left / self._ticks, wish)
        return wish
