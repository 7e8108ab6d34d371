"""Commands that move a robot, as commands.

What takes time hands back an action that lasts as long, and stops the robot when it is stopped.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Annotated, TypeAlias

from robotix.errors import BadField, BadFile, UnknownName
from robotix.files.typed.markers import InUnit
from robotix.motion import Motion, append_motion, load_motion, model_dofs
from robotix.scene.commands.checking import check_robots
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import (
    Angle,
    Angles,
    FileName,
    JointsInDegrees,
    RobotName,
    Vector,
)
from robotix.scene.robots.drives import MAX_TICKS, Drive, Jog, Law, Nudge
from robotix.scene.robots.lookup import robot_of

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = [
    "Home",
    "JogJoints",
    "JointTo",
    "Move",
    "MoveP2p",
    "MoveXyz",
    "Play",
    "Save",
    "Stop",
    "driven",
]

JointGoal: TypeAlias = Annotated[tuple[float | None, ...], InUnit("rad")]

MOTION = "a motion of this robot that can be read"
MOTION_FILES = (".csv", ".mcap")  # the first is meant when a name has no suffix
FARTHEST = 1e4  # m
SLOWEST, FASTEST = 1e-3, 1e3  # speeds of what is played


def driven(robot: Robot, drive: Drive) -> Action:
    """Last as long as a drive; stop the robot when stopped."""
    try:
        while robot.drive is drive:
            yield
    finally:
        if robot.drive is drive:
            robot.stop()


def _in_radians(robot: Robot, values: tuple[float | None, ...]) -> tuple[float | None, ...]:
    """Return numbers of which those of angles were in degrees."""
    dofs = model_dofs(robot.model)
    if len(values) != len(dofs):
        return values  # is refused later, with the right words
    return tuple(
        value if value is None or dof.unit == "m" else math.radians(value)
        for value, dof in zip(values, dofs, strict=True)
    )


def _in_folder(scene: Scene, file: str) -> Path:
    """Return the path of a file, relative to the scene's folder."""
    beside = Path() if scene.source is None else scene.source.parent
    return (scene.folder or beside) / file


def _check_steps(steps: int | None) -> None:
    if steps is not None and not 1 <= steps <= MAX_TICKS:
        raise BadField("steps", f"1 to {MAX_TICKS} ticks", steps)


def _check_numbers(field: str, numbers: Iterable[float | None]) -> None:
    if not all(number is None or math.isfinite(number) for number in numbers):
        raise BadField(field, "finite numbers", numbers)


def _check_place(place: Vector | None) -> None:
    if place is not None and not all(abs(part) <= FARTHEST for part in place):
        raise BadField("to", f"within {FARTHEST:g} m of the origin", place)


def _check_count(robot: Robot, field: str, values: Sequence[float | None]) -> None:
    names = [dof.name for dof in model_dofs(robot.model)]
    if len(values) != len(names):
        expected = f"{len(names)} numbers for {robot.name!r}, one each for {', '.join(names)}"
        found = f"{len(values)} number{'s' * (len(values) != 1)}"
        raise BadField(field, expected, found)


def _motion_file(file: str) -> str:
    """Return the name of a motion file with its suffix; refuse what is none."""
    suffix = PurePath(file).suffix
    if suffix.lower() not in ("", *MOTION_FILES):
        known = " or ".join(MOTION_FILES)
        raise BadField("file", f"a motion file, called {known}", repr(file))
    return file if suffix else file + MOTION_FILES[0]


@dataclass(frozen=True)
class JogJoints:
    """Move joints by increments, as a teach pendant does; every tick while a `reflect` rule is on.

    With `degrees`, the increments of angles are in degrees, and those of slides in m.
    """

    by: Angles
    robot: RobotName = ""
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Refuse what is no increment."""
        _check_numbers("by", self.by)

    def check(self, scene: Scene) -> None:
        """Refuse another number of joints than the robot has."""
        check_robots(scene, self.robot, lambda robot: _check_count(robot, "by", self.by))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Move once, or for as long as the rule is on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        by = _in_radians(robot, self.by) if self.degrees else self.by
        if not event.lasts:
            robot.nudge([value or 0.0 for value in by])
            return None
        drive = Jog(robot, [value or 0.0 for value in by])
        robot.drive = drive
        return driven(robot, drive)


@dataclass(frozen=True)
class Move:
    """Go to a posture in so many ticks, or more where the joints are not that fast.

    A joint that is left out (null) stays as it is; one beyond its limit goes to the limit. With
    `degrees`, angles are in degrees, and slides in m.
    """

    to: JointGoal
    steps: int | None = None
    robot: RobotName = ""
    law: Law = "minimum_jerk"
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Refuse what takes no time, or for ever."""
        _check_numbers("to", self.to)
        _check_steps(self.steps)

    def check(self, scene: Scene) -> None:
        """Refuse another number of joints than the robot has."""
        check_robots(scene, self.robot, lambda robot: _check_count(robot, "to", self.to))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        goal = _in_radians(robot, self.to) if self.degrees else self.to
        return driven(robot, robot.move(goal, steps=self.steps, law=self.law))


def _dof_of(robot: Robot, joint: str) -> int:
    """Return which coordinate a joint is, by its name or its number from 1."""
    names = [dof.name for dof in model_dofs(robot.model)]
    if joint in names:
        return names.index(joint)
    if joint.isdecimal() and 1 <= int(joint) <= len(names):
        return int(joint) - 1
    raise UnknownName(f"joint of {robot.name!r} called", joint, names)


@dataclass(frozen=True)
class JointTo:
    """Bring one joint to a position, as fast as it may go; others go on to where they were sent.

    A position beyond a limit is one at the limit. With `degrees`, angles are in degrees.
    """

    joint: str
    to: Angle
    robot: RobotName = ""
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Refuse what is no position."""
        _check_numbers("to", [self.to])

    def check(self, scene: Scene) -> None:
        """Refuse a joint that the robot has not got."""
        check_robots(scene, self.robot, lambda robot: _dof_of(robot, self.joint))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        dof = _dof_of(robot, self.joint)
        is_angle = model_dofs(robot.model)[dof].unit != "m"
        goal = math.radians(self.to) if self.degrees and is_angle else self.to
        start = robot.drive.goal if isinstance(robot.drive, Nudge) else robot.q
        by = [0.0] * robot.model.n_dof
        by[dof] = goal - float(start[dof])
        return driven(robot, robot.nudge(by))


@dataclass(frozen=True)
class Home:
    """Go to the posture that the robot had when the room was set up."""

    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what takes no time, or for ever."""
        _check_steps(self.steps)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        return driven(robot, robot.move(robot.home.tolist(), steps=self.steps))


@dataclass(frozen=True)
class MoveXyz:
    """Bring the end-effector to a place in the world, by inverse kinematics."""

    to: Vector
    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what is nowhere, or takes no time."""
        _check_place(self.to)
        _check_steps(self.steps)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        return driven(robot, robot.move_xyz(self.to, steps=self.steps))


@dataclass(frozen=True)
class MoveP2p:
    """Remember the posture and bring the end-effector to a place; when off, go back to it."""

    to: Vector | None = None
    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse what is nowhere, or takes no time."""
        _check_place(self.to)
        _check_steps(self.steps)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out, or come back."""
        robot = robot_of(scene, self.robot)
        if not event.state:
            if robot.remembered is None:
                return None
            return driven(robot, robot.move(robot.remembered.tolist(), steps=self.steps))
        if self.to is None:
            raise ValueError("move_p2p needs a place to go to")
        drive = robot.move_xyz(self.to, steps=self.steps)
        robot.remembered = robot.q
        return driven(robot, drive)


@dataclass(frozen=True)
class Stop:
    """Stop a robot at once."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it, whatever the state."""
        robot_of(scene, self.robot).stop()


@dataclass(frozen=True)
class Save:
    """Append the posture of a robot to a motion file, .csv (the usual) or .mcap."""

    file: FileName
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse other files; one without a suffix gets the usual."""
        object.__setattr__(self, "file", _motion_file(self.file))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Write when on."""
        if not event.is_trigger:
            return
        robot = robot_of(scene, self.robot)
        posture = Motion.of(robot.model, [0.0], q=[robot.q])
        append_motion(_in_folder(scene, self.file), posture, gap=robot.steps * robot.dt)


def _check_motion(robot: Robot, motion: Motion) -> None:
    try:
        motion.check_model(robot.model)
    except ValueError as error:
        raise BadField("file", MOTION, error) from None


@dataclass(frozen=True)
class Play:
    """Go through the postures of a motion file, each leg in the robot's default number of ticks.

    `timed` keeps the file's own times, as for a recording.
    """

    file: FileName
    loop: bool = False
    speed: float = 1.0
    timed: bool = False
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Refuse other files, and what stands still; a file without a suffix gets the usual."""
        object.__setattr__(self, "file", _motion_file(self.file))
        if not SLOWEST <= self.speed <= FASTEST:
            raise BadField("speed", f"from {SLOWEST:g} to {FASTEST:g}", self.speed)

    def check(self, scene: Scene) -> None:
        """Refuse a motion of another robot; a file that is not there yet may be written first."""
        path = _in_folder(scene, self.file)
        if not path.is_file():
            return
        try:
            motion = load_motion(path)
        except BadFile as error:
            raise BadField("file", MOTION, error) from None
        check_robots(scene, self.robot, lambda robot: _check_motion(robot, motion))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_trigger:
            return None
        robot = robot_of(scene, self.robot)
        path = load_motion(_in_folder(scene, self.file), model=robot.model)
        drive = robot.play(path, loop=self.loop, speed=self.speed, timed=self.timed)
        return driven(robot, drive)
