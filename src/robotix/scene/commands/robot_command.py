"""The base of commands for one robot, and the action of a drive."""

from __future__ import annotations

from abc import ABC, abstractmethod

from robotix.errors import BadField
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import RobotName
from robotix.scene.robots.driven import Drive
from robotix.scene.robots.drives import MAX_TICKS, run_drive
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["RobotCommand", "check_steps", "drive_action"]


class RobotCommand(ABC):
    """A command for one robot: `apply` runs when the event triggers, not when it ends.

    `robot` is a name, or a number from 1 in the order in which robots were added; if empty, the
    active robot is meant.
    """

    robot: RobotName

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Apply the command to its robot."""
        return self.apply(scene.robot(self.robot)) if event.is_trigger else None

    @abstractmethod
    def apply(self, robot: Robot) -> Action | None:
        """Act on the robot; return the action that lasts as long as its motion."""


def check_steps(steps: int | None) -> None:
    """Raise BadField unless a duration in ticks is in range; None is the robot's own."""
    if steps is not None and not 1 <= steps <= MAX_TICKS:
        raise BadField("steps", f"1 to {MAX_TICKS} ticks", steps)


def drive_action(robot: Robot, drive: Drive) -> Action:
    """Run as long as a drive; stop the robot if the action is stopped."""
    robot.action = robot.context.actions.current
    yield from run_drive(robot, drive)
