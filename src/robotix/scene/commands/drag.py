"""Commands by which a hand leads a robot: by one of its links, or by its end-effector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.moves import driven
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import HandName, RobotName
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.lookup import link_of
from robotix.scene.robots.tracking import HandDrag

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Drag", "DragPose"]


@dataclass(frozen=True)
class Drag:
    """Drag a body of a robot by a tracked hand, from where the hand is, until off."""

    body: str  # or the node of one
    hand: HandName
    robot: RobotName = ""

    def check(self, scene: Scene) -> None:
        """Refuse a body that the robot has not got."""
        if self.body not in scene.graph:
            check_robots(scene, self.robot, lambda robot: robot.model.body(self.body))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        if not event.state:
            return None
        robot, body = link_of(scene, self.body, robot=self.robot)
        drive = HandDrag(robot, body, self.hand)
        robot.drive = drive
        return driven(robot, drive)


@dataclass(frozen=True)
class DragPose:
    """Let a tracked hand hold the end-effector of a robot, place and turn, until off."""

    body: str  # of the robot that is meant, or the node of one
    hand: HandName
    robot: RobotName = ""

    def check(self, scene: Scene) -> None:
        """Refuse a body that the robot has not got."""
        Drag(self.body, self.hand, self.robot).check(scene)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        if not event.state:
            return None
        robot, _ = link_of(scene, self.body, robot=self.robot)
        drive = HandHold(robot, self.hand)
        robot.drive = drive
        return driven(robot, drive)
