"""The base of commands for one robot, and the action of a drive."""

from __future__ import annotations

from abc import ABC, abstractmethod

from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import RobotName
from robotix.scene.robots.driven import Drive
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["RobotCommand", "drive_action"]


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


def drive_action(robot: Robot, drive: Drive) -> Action:
    """Run as long as a drive; stop the robot if the action is stopped."""
    robot.action = robot.context.actions.current
    try:
        while robot.drive is drive:
            yield
    finally:
        if robot.drive is drive:
            robot.stop()
