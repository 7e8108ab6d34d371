"""Commands that move a robot, as deeds.

What takes time hands back an action that lasts as long, and stops the robot when it is stopped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

from robotix.motion import Motion, append_motion, load_motion, model_dofs
from robotix.scene.action import Action
from robotix.scene.drives import Drive, Jog, Law
from robotix.scene.events import Event
from robotix.scene.robot_lookup import robot_of
from robotix.scene.tracking import HandDrag
from robotix.scene.vocabulary import Angles, DeviceName, FileName, Measure, RobotName, Vector

if TYPE_CHECKING:
    from robotix.scene.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["Drag", "Move", "MoveP2p", "MoveXyz", "Play", "Save", "Step", "Stop"]

Goal: TypeAlias = Annotated[tuple[float | None, ...], Measure("rad")]


def _driven(robot: Robot, drive: Drive) -> Action:
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
    return Path(file) if scene.source is None else scene.source.parent / file


@dataclass(frozen=True)
class Step:
    """Move joints by increments, as a teach pendant does; every tick while a `reflect` rule is on.

    With `degrees`, the increments of angles are in degrees, and those of slides in m.
    """

    by: Angles
    robot: RobotName = ""
    degrees: bool = False

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Move once, or for as long as the rule is on."""
        if not event.is_to_do:
            return None
        robot = robot_of(scene, self.robot)
        by = _in_radians(robot, self.by) if self.degrees else self.by
        if not event.lasts:
            robot.nudge([value or 0.0 for value in by])
            return None
        drive = Jog(robot, [value or 0.0 for value in by])
        robot.drive = drive
        return _driven(robot, drive)


@dataclass(frozen=True)
class Move:
    """Go to a posture in so many ticks, or more where the joints are not that fast.

    A joint that is left out (null) stays as it is; one beyond its limit goes to the limit. With
    `degrees`, angles are in degrees, and slides in m.
    """

    to: Goal
    steps: int | None = None
    robot: RobotName = ""
    law: Law = "minimum_jerk"
    degrees: bool = False

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_to_do:
            return None
        robot = robot_of(scene, self.robot)
        goal = _in_radians(robot, self.to) if self.degrees else self.to
        return _driven(robot, robot.move(goal, steps=self.steps, law=self.law))


@dataclass(frozen=True)
class MoveXyz:
    """Bring the end-effector to a place in the world, by inverse kinematics."""

    to: Vector
    steps: int | None = None
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_to_do:
            return None
        robot = robot_of(scene, self.robot)
        return _driven(robot, robot.move_xyz(self.to, steps=self.steps))


@dataclass(frozen=True)
class MoveP2p:
    """Remember the posture and bring the end-effector to a place; when off, go back to it."""

    to: Vector | None = None
    steps: int | None = None
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out, or come back."""
        robot = robot_of(scene, self.robot)
        if not event.state:
            if robot.remembered is None:
                return None
            return _driven(robot, robot.move(robot.remembered.tolist(), steps=self.steps))
        if self.to is None:
            raise ValueError("move_p2p needs a place to go to")
        drive = robot.move_xyz(self.to, steps=self.steps)
        robot.remembered = robot.q
        return _driven(robot, drive)


@dataclass(frozen=True)
class Stop:
    """Stop a robot at once."""

    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it, whatever the state."""
        robot_of(scene, self.robot).stop()


@dataclass(frozen=True)
class Save:
    """Append the posture of a robot to a motion file, .csv or .mcap."""

    file: FileName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Write when on."""
        if not event.is_to_do:
            return
        robot = robot_of(scene, self.robot)
        posture = Motion.of(robot.model, [0.0], q=[robot.q])
        append_motion(_in_folder(scene, self.file), posture, gap=robot.steps * robot.dt)


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

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Set out when on."""
        if not event.is_to_do:
            return None
        robot = robot_of(scene, self.robot)
        path = load_motion(_in_folder(scene, self.file), model=robot.model)
        drive = robot.play(path, loop=self.loop, speed=self.speed, timed=self.timed)
        return _driven(robot, drive)


@dataclass(frozen=True)
class Drag:
    """Drag a body of a robot by a tracked hand, from where the hand is, until off."""

    body: str
    hand: DeviceName
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        if not event.state:
            return None
        robot = robot_of(scene, self.robot)
        drive = HandDrag(robot, self.body, self.hand)
        robot.drive = drive
        return _driven(robot, drive)
