"""A second take laid over the first: its robots and moved things, as nodes of the first scene."""

from __future__ import annotations

from robotix.scene.graph.graph import Node
from robotix.scene.recording.posing import TakePoser
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["PREFIX", "SecondTake"]

PREFIX = "2nd: "  # of the names of its nodes in the scene of the first take


class SecondTake:
    """Adds what moves in a second take to the scene of the first, and poses it.

    What stands still is left out: it would only cover the same thing of the first take.
    """

    def __init__(self, scene: Scene, poser: TakePoser, *, offset: float = 0.0) -> None:
        self.poser = poser
        self.offset = offset  # s by which it is moved to later times
        self._scene = scene
        poser.pose(poser.take.start)
        self._robots: list[tuple[Robot, Robot]] = []  # there, and here
        self._nodes: list[tuple[Node, Node]] = []
        for robot, track in poser.robots:
            if len(track.times):
                self._robots.append((robot, self._add_robot(robot)))
        for node in poser.moved:
            self._add_branch(node)

    @property
    def names(self) -> list[str]:
        """Names of the nodes that were added to the scene of the first take."""
        return [node.name for node in self._scene.graph if node.name.startswith(PREFIX)]

    def pose(self, time: float) -> None:
        """Pose it as it was at a time of the first take, s."""
        take = self.poser.take
        self.poser.pose(min(max(time - self.offset, take.start), take.end))
        there, here = self.poser.scene.graph, self._scene.graph
        there.update()
        for robot, ghost in self._robots:
            here.local[ghost.node.row] = there.world[robot.node.row]
            ghost.set_q(robot.q)
        for node, ghost_node in self._nodes:
            here.local[ghost_node.row] = there.world[node.row]
        here.mark_moved()
        here.update()

    def _add_robot(self, robot: Robot) -> Robot:
        name, person = PREFIX + robot.name, self.poser.scene.people.get(robot.name)
        if person is not None:
            return self._scene.add_person(name, person.manikin).robot
        return self._scene.add_robot(name, robot.model)

    def _add_branch(self, top: Node) -> None:
        """Add a node that moves, and all below it that are seen and no robots."""
        known = {node.name for node, _ in self._nodes}
        for node in top.branch():
            is_seen = bool(node.visuals or node.solids) and node.content is None
            if node.robot is None and is_seen and node.name not in known:
                ghost = self._scene.graph.add(
                    PREFIX + node.name, solids=node.solids, visuals=node.visuals,
                    attributes=node.attributes,
                )  # fmt: skip
                self._nodes.append((node, ghost))
