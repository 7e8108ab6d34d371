"""Commands by which a tracked hand leads a robot: by a link, or by its end-effector."""

from __future__ import annotations

from dataclasses import dataclass

from robotix.scene.commands.checking import check_robots
from robotix.scene.commands.robot_command import drive_action
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import HandName, RobotName
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.robot import Robot
from robotix.scene.robots.tracking import HandDrag
from robotix.scene.scene import Scene

__all__ = ["Drag", "DragPose"]


@dataclass(frozen=True)
class Drag:
    """Drag a body of a robot by a tracked hand, from its current position, until off."""

    body: str  # or the name of its node
    hand: HandName
    robot: RobotName = ""

    def check(self, scene: Scene) -> None:
        """Raise `UnknownName` for a body that the robot does not have."""
        if self.body not in scene.graph:
            check_robots(scene, self.robot, lambda robot: robot.model.body(self.body))

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        if not event.state:
            return None
        robot, body = _link_of(scene, self.body, robot=self.robot)
        drive = HandDrag(robot, body, self.hand)
        robot.drive = drive
        return drive_action(robot, drive)


@dataclass(frozen=True)
class DragPose:
    """Let a tracked hand hold the end-effector of a robot, position and orientation, until off."""

    body: str  # of the robot, or the name of its node
    hand: HandName
    robot: RobotName = ""

    def check(self, scene: Scene) -> None:
        """Raise `UnknownName` for a body that the robot does not have."""
        Drag(self.body, self.hand, self.robot).check(scene)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        if not event.state:
            return None
        robot, _ = _link_of(scene, self.body, robot=self.robot)
        drive = HandHold(robot, self.hand)
        robot.drive = drive
        return drive_action(robot, drive)


def _link_of(scene: Scene, name: str, *, robot: str) -> tuple[Robot, str]:
    """Return a robot and one of its bodies, given by the name of the body or of its node.

    The node of a control point stands for the body that carries it.
    """
    node = scene.graph[name] if name in scene.graph else None
    owner = scene.robots.get(node.robot or "") if node is not None else None
    while owner is not None and node is not None:
        for body, link in owner.links.items():
            if link is node:
                return owner, body
        node = node.parent
    return scene.robot(robot), name
