"""Commands that move a robot.

Each returns an action that lasts as long as the motion, and stops the robot when it is stopped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Annotated, TypeAlias

from robotix.errors import BadField, BadFile, UnknownName
from robotix.files.typed.markers import InUnit
from robotix.motion import Motion, model_dofs
from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.robot_command import RobotCommand, check_steps, drive_action
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import (
    Angle,
    Angles,
    FileName,
    JointsInDegrees,
    NodeName,
    RobotName,
    Vector,
)
from robotix.scene.robots.drives import FollowNode, Jog, Law, Nudge
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = [
    "Follow",
    "Home",
    "JogJoints",
    "JointGoal",
    "JointTo",
    "Move",
    "MoveP2p",
    "MoveXyz",
    "Play",
    "Save",
    "Stop",
    "check_count",
    "check_numbers",
    "in_radians",
]

JointGoal: TypeAlias = Annotated[tuple[float | None, ...], InUnit("rad")]

READABLE_MOTION = "a motion of this robot that can be read"
MOTION_SUFFIXES = (".csv", ".mcap")  # the first is the default
MAX_COORDINATE = 1e4  # m
MIN_SPEED, MAX_SPEED = 1e-3, 1e3  # of playback


def in_radians(robot: Robot, values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Convert the values of angles from degrees; those of lengths stay."""
    dofs = model_dofs(robot.model)
    if len(values) != len(dofs):
        return values  # is rejected later, with a better message
    return tuple(
        value if value is None or dof.unit == "m" else math.radians(value)
        for value, dof in zip(values, dofs, strict=True)
    )


def check_numbers(field: str, numbers: Iterable[float | None]) -> None:
    """Raise BadField unless all numbers that are there are finite."""
    if not all(number is None or math.isfinite(number) for number in numbers):
        raise BadField(field, "finite numbers", numbers)


def _check_position(position: Vector | None) -> None:
    if position is not None and not all(abs(part) <= MAX_COORDINATE for part in position):
        raise BadField("to", f"within {MAX_COORDINATE:g} m of the origin", position)


def check_count(robot: Robot, field: str, values: Sequence[float | None]) -> None:
    """Raise BadField unless there is one value for every joint of a robot."""
    names = [dof.name for dof in model_dofs(robot.model)]
    if len(values) != len(names):
        expected = f"{len(names)} numbers for {robot.name!r}, one each for {', '.join(names)}"
        found = f"{len(values)} number{'s' * (len(values) != 1)}"
        raise BadField(field, expected, found)


def _motion_file(file: str) -> str:
    """Return the name of a motion file with its suffix; raise ValueError for another kind."""
    suffix = PurePath(file).suffix
    if suffix.lower() not in ("", *MOTION_SUFFIXES):
        known = " or ".join(MOTION_SUFFIXES)
        raise BadField("file", f"a motion file, called {known}", repr(file))
    return file if suffix else file + MOTION_SUFFIXES[0]


@dataclass(frozen=True)
class JogJoints:
    """Move joints by increments, as a teach pendant does; repeatedly while a `reflect` rule is on.

    With `degrees`, increments of angles are in degrees, and those of lengths in m.
    """

    by: Angles
    robot: RobotName = ""
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Raise ValueError unless the increments are finite."""
        check_numbers("by", self.by)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a wrong number of joints."""
        check_robots(scene, self.robot, lambda robot: check_count(robot, "by", self.by))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Move once, or in every tick while the rule is on."""
        if not event.is_trigger:
            return None
        robot = scene.robot(self.robot)
        by = in_radians(robot, self.by) if self.degrees else self.by
        if not event.lasts:
            robot.nudge([value or 0.0 for value in by])
            return None
        drive = Jog(robot, [value or 0.0 for value in by])
        robot.drive = drive
        return drive_action(robot, drive)


@dataclass(frozen=True)
class Move(RobotCommand):
    """Move to a posture in `steps` ticks, or more where velocity limits require it.

    A joint whose value is null stays; a value beyond a limit is clipped. With `degrees`, angles are
    in degrees, and lengths in m.
    """

    to: JointGoal
    steps: int | None = None
    robot: RobotName = ""
    law: Law = "minimum_jerk"
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        check_numbers("to", self.to)
        check_steps(self.steps)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a wrong number of joints."""
        check_robots(scene, self.robot, lambda robot: check_count(robot, "to", self.to))

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        goal = in_radians(robot, self.to) if self.degrees else self.to
        return drive_action(robot, robot.move(goal, ticks=self.steps, law=self.law))


def _dof_of(robot: Robot, joint: str) -> int:
    """Return the coordinate of a joint, given by its name or its number from 1."""
    names = [dof.name for dof in model_dofs(robot.model)]
    if joint in names:
        return names.index(joint)
    if joint.isdecimal() and 1 <= int(joint) <= len(names):
        return int(joint) - 1
    raise UnknownName(f"joint of {robot.name!r} called", joint, names)


@dataclass(frozen=True)
class JointTo(RobotCommand):
    """Move one joint to a position at its highest speed; other joints continue to their goals.

    A position beyond a limit is clipped. With `degrees`, angles are in degrees.
    """

    joint: str
    to: Angle
    robot: RobotName = ""
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Raise ValueError unless the position is finite."""
        check_numbers("to", [self.to])

    def check(self, scene: Scene) -> None:
        """Raise `UnknownName` for a joint that the robot does not have."""
        check_robots(scene, self.robot, lambda robot: _dof_of(robot, self.joint))

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        dof = _dof_of(robot, self.joint)
        is_angle = model_dofs(robot.model)[dof].unit != "m"
        goal = math.radians(self.to) if self.degrees and is_angle else self.to
        start = robot.drive.goal if isinstance(robot.drive, Nudge) else robot.q
        by = [0.0] * robot.model.n_dof
        by[dof] = goal - float(start[dof])
        return drive_action(robot, robot.nudge(by))


@dataclass(frozen=True)
class Home(RobotCommand):
    """Move to the posture that the robot had before the first tick."""

    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        check_steps(self.steps)

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        return drive_action(robot, robot.move(robot.home.tolist(), ticks=self.steps))


@dataclass(frozen=True)
class MoveXyz(RobotCommand):
    """Move the end-effector to a position in the world, by inverse kinematics."""

    to: Vector
    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        _check_position(self.to)
        check_steps(self.steps)

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        return drive_action(robot, robot.move_xyz(self.to, ticks=self.steps))


@dataclass(frozen=True)
class Follow:
    """Let the end-effector move with a node, as if both held one thing; when off, stop."""

    node: NodeName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Follow until stopped, or until the event ends."""
        robot = scene.robot(self.robot)
        if not event.state:
            robot.stop()
            return None
        robot.drive = drive = FollowNode(robot, scene.graph[self.node])
        return drive_action(robot, drive)


@dataclass(frozen=True)
class MoveP2p:
    """Move the end-effector to a position; when off, return to the posture before."""

    to: Vector | None = None
    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        _check_position(self.to)
        check_steps(self.steps)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Start the move, or the return."""
        robot = scene.robot(self.robot)
        if not event.state:
            if robot.return_q is None:
                return None
            return drive_action(robot, robot.move(robot.return_q.tolist(), ticks=self.steps))
        if self.to is None:
            raise ValueError("move_p2p needs a position to go to")
        drive = robot.move_xyz(self.to, ticks=self.steps)
        robot.return_q = robot.q
        return drive_action(robot, drive)


@dataclass(frozen=True)
class Stop:
    """Stop a robot at once, and the commands in turn that move it."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it for both states."""
        scene.stop_robots(scene.robot(self.robot).name)


@dataclass(frozen=True)
class Save(RobotCommand):
    """Append the posture of a robot to a motion file, .csv (default) or .mcap."""

    file: FileName
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for other files; add the default suffix where there is none."""
        object.__setattr__(self, "file", _motion_file(self.file))

    def apply(self, robot: Robot) -> None:
        """Append the posture."""
        posture = Motion.of(robot.model, [0.0], q=[robot.q])
        files = robot.context.files
        path = files.motion_path(self.file)
        files.use(self.file, path)
        files.append_motion(path, posture, gap=robot.move_ticks * robot.dt)


def _check_motion(robot: Robot, motion: Motion) -> None:
    try:
        motion.check_model(robot.model)
    except ValueError as error:
        raise BadField("file", READABLE_MOTION, error) from None


@dataclass(frozen=True)
class Play(RobotCommand):
    """Play the postures of a motion file, each segment in the robot's default number of ticks.

    `timed` uses the times of the file instead, as for a recording.
    """

    file: FileName
    loop: bool = False
    speed: float = 1.0
    timed: bool = False
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError for other files or speeds; add the default suffix if there is none."""
        object.__setattr__(self, "file", _motion_file(self.file))
        if not MIN_SPEED <= self.speed <= MAX_SPEED:
            raise BadField("speed", f"from {MIN_SPEED:g} to {MAX_SPEED:g}", self.speed)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a motion of another robot; a missing file may be written later."""
        path = scene.files.motion_path(self.file)
        if not path.is_file():
            return
        try:
            motion = scene.files.motions.load(path)
        except BadFile as error:
            raise BadField("file", READABLE_MOTION, error) from None
        check_robots(scene, self.robot, lambda robot: _check_motion(robot, motion))

    def apply(self, robot: Robot) -> Action | None:
        """Start to play."""
        files = robot.context.files
        path = files.motion_path(self.file)
        files.use(self.file, path)
        motion = files.motions.load(path, model=robot.model)
        drive = robot.play(motion, loop=self.loop, speed=self.speed, timed=self.timed)
        return drive_action(robot, drive)
