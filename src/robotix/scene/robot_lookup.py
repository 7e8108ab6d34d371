"""Finding robots by name or number, and taking them out of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robotix.errors import UnknownName

if TYPE_CHECKING:
    from robotix.scene.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["remove_robot", "robot_of"]


def robot_of(scene: Scene, name: str) -> Robot:
    """Return a robot by name or number; the active one when empty."""
    if name.isdecimal() and name not in scene.robots:
        number = int(name)
        if not 1 <= number <= len(scene.robots):
            raise UnknownName("robot", name, map(str, range(1, len(scene.robots) + 1)))
        return list(scene.robots.values())[number - 1]
    return scene.robot(name)


def remove_robot(scene: Scene, name: str) -> None:
    """Take a robot out of the room; what hangs on it, and is not part of it, is left in place."""
    robot = scene.robots.pop(name)
    robot.stop()
    robot.ellipsoid.hide()
    above = robot.node.parent or scene.graph.root
    for node in list(robot.node.branch()):
        is_foreign = node.robot != name and (node.parent is None or node.parent.robot == name)
        if is_foreign:
            scene.graph.attach(node, above)
    scene.graph.remove(robot.node, with_robots=True)
    if scene.active == name:
        scene.active = ""
