"""Finding robots by name or number, and taking them out of the room."""

from __future__ import annotations

from typing import TYPE_CHECKING

from robotix.errors import UnknownName

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["link_of", "remove_robot", "robot_of"]


def robot_of(scene: Scene, name: str) -> Robot:
    """Return a robot by name or number; the active one when empty."""
    if name.isdecimal() and name not in scene.robots:
        number = int(name)
        if not 1 <= number <= len(scene.robots):
            raise UnknownName("robot", name, map(str, range(1, len(scene.robots) + 1)))
        return list(scene.robots.values())[number - 1]
    return scene.robot(name)


def link_of(scene: Scene, name: str, *, robot: str = "") -> tuple[Robot, str]:
    """Return a body of a robot, by its own name or that of its node, with the robot.

    The node of a control point stands for the body that carries it.
    """
    node = scene.graph[name] if name in scene.graph else None
    owner = scene.robots.get(node.robot or "") if node is not None else None
    while owner is not None and node is not None:
        for body, link in owner.links.items():
            if link is node:
                return owner, body
        node = node.parent
    return robot_of(scene, robot), name


def remove_robot(scene: Scene, name: str) -> None:
    """Take a robot out of the room; what hangs on it, and is not part of it, is left in place."""
    robot = scene.robots.pop(name)
    scene.people.pop(name, None)
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
