"""Commands for postures that a robot keeps by name, and for going back to where it stood."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.errors import BadField
from robotix.kinematics.criteria import ReferencePosture
from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.moves import JointGoal, check_count, check_numbers, in_radians
from robotix.scene.commands.robot_command import RobotCommand, check_steps, drive_action
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import JointsInDegrees, RobotName
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["ForgetPosture", "GoBack", "GoToPosture", "KeepPosture", "PreferPosture"]

MAX_GAIN = 100.0  # 1/s


@dataclass(frozen=True)
class GoToPosture(RobotCommand):
    """Move to a posture that the robot keeps by name."""

    posture: str
    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        check_steps(self.steps)

    def check(self, scene: Scene) -> None:
        """Raise `UnknownName` for a posture that the robot does not keep."""
        check_robots(scene, self.robot, lambda robot: robot.kept_posture(self.posture))

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        goal = robot.kept_posture(self.posture).tolist()
        return drive_action(robot, robot.move(goal, ticks=self.steps))


@dataclass(frozen=True)
class GoBack(RobotCommand):
    """Move back to where the robot stood still before its last motion; again, farther back."""

    steps: int | None = None
    robot: RobotName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        check_steps(self.steps)

    def apply(self, robot: Robot) -> Action | None:
        """Start the move."""
        return drive_action(robot, robot.go_back(ticks=self.steps))


@dataclass(frozen=True)
class KeepPosture(RobotCommand):
    """Keep the posture of a robot by name; saving the room writes it into its file."""

    posture: str
    robot: RobotName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Keep it when the event triggers; raise ValueError for people, who have tasks instead."""
        name = scene.robot(self.robot).name
        if event.is_trigger and name in scene.people:
            raise ValueError(f"{name!r} is a person: what people do is said by tasks")
        super().__call__(scene, event)

    def apply(self, robot: Robot) -> None:
        """Keep it."""
        robot.keep_posture(self.posture)


@dataclass(frozen=True)
class ForgetPosture(RobotCommand):
    """Forget a posture that the robot keeps by name."""

    posture: str
    robot: RobotName = ""

    def apply(self, robot: Robot) -> None:
        """Forget it."""
        robot.forget_posture(self.posture)


@dataclass(frozen=True)
class PreferPosture(RobotCommand):
    """Draw a robot to a posture as far as its task leaves it free, at `gain` per second.

    A joint whose value is null is free. Without values there is no preference any more. With
    `degrees`, angles are in degrees, and lengths in m.
    """

    to: JointGoal = ()
    gain: float = 1.0
    robot: RobotName = ""
    degrees: JointsInDegrees = False

    def __post_init__(self) -> None:
        """Raise ValueError unless the values are in range."""
        check_numbers("to", self.to)
        if not 0 <= self.gain <= MAX_GAIN:
            raise BadField("gain", f"0 to {MAX_GAIN:g} 1/s", self.gain)

    def check(self, scene: Scene) -> None:
        """Raise ValueError for a wrong number of joints."""
        if self.to:
            check_robots(scene, self.robot, lambda robot: check_count(robot, "to", self.to))

    def apply(self, robot: Robot) -> None:
        """Prefer the posture from now on."""
        if not self.to:
            robot.solvers.prefer(None)
            return
        check_count(robot, "to", self.to)
        values = in_radians(robot, self.to) if self.degrees else self.to
        target = [0.0 if value is None else value for value in values]
        weights = [0.0 if value is None else 1.0 for value in values]
        robot.solvers.prefer(
            ReferencePosture(target=target, weights=weights, gain=self.gain)  # type: ignore[arg-type]
        )
