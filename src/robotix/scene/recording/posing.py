"""Puts a scene into the state that a recording has at a time; nothing is simulated."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Pose
from robotix.geometry.rotation import rotation_from_quaternion
from robotix.scene.graph.graph import Node
from robotix.scene.recording.node_tracks import TIME_UNIT, NodePose, NodeTrack
from robotix.scene.recording.take import JointTrack, Take
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

__all__ = ["TakePoser"]


class TakePoser:
    """Poses robots by recorded joint positions, and all other nodes by recorded poses.

    The tree of the scene stays as it was loaded: a thing that was attached to something else while
    it was recorded, such as a glass in a gripper, is put where it was in the world.
    """

    def __init__(self, scene: Scene, take: Take) -> None:
        self.scene = scene
        self.take = take
        self._robots = [
            (scene.robots[name], track)
            for name, track in take.robots.items()
            if name in scene.robots and len(track.dofs) == scene.robots[name].model.n_dof
        ]
        posed = {robot.name for robot, _ in self._robots}
        graph = scene.graph
        tracks = {
            name: track
            for name, track in take.nodes.items()
            if name in graph and not _is_link(graph[name], posed)
        }
        self._moving = [
            (graph[name], track)
            for name, track in tracks.items()
            if len(track.times) > 1 or track.times[0] > take.start
        ]
        moving = {node.name for node, _ in self._moving}
        self._still = [(graph[name], t) for name, t in tracks.items() if name not in moving]
        self._is_first = True  # what never moves is placed once
        self.missing = tuple(name for name in take.nodes if name not in graph)  # not in the scene

    @property
    def moved(self) -> tuple[Node, ...]:
        """Nodes whose recorded pose changes, without links of robots."""
        return tuple(node for node, _ in self._moving)

    @property
    def robots(self) -> tuple[tuple[Robot, JointTrack], ...]:
        """Robots that are posed by joint positions, and these."""
        return tuple(self._robots)

    def pose(self, time: float) -> None:
        """Put the scene into the state at a time, s."""
        scene, take = self.scene, self.take
        k = int(np.searchsorted(take.tick_times, time + TIME_UNIT, side="right")) - 1
        scene.tick = round(float(take.tick_times[max(k, 0)]) / scene.dt)
        for robot, track in self._robots:
            q = track.at(time)
            if q is not None and not np.array_equal(q, robot.q):
                robot.set_q(q)
        tracks = [*self._still, *self._moving] if self._is_first else self._moving
        self._is_first = False
        attached = [
            (node, pose)
            for node, track in tracks
            if (pose := self._place(node, track, time)) is not None
        ]
        for node, pose in _parents_first(attached):
            self._place_in_world(node, pose)
        scene.graph.update()

    def _place(self, node: Node, track: NodeTrack, time: float) -> NodePose | None:
        """Set the pose of a node; return it instead if it was attached to another parent then."""
        found = track.at(time)
        if found is None:
            return None
        if node.parent is None or node.parent.name != found.parent:
            return found
        self._write(node, found)
        return None

    def _write(self, node: Node, pose: NodePose) -> None:
        graph = self.scene.graph
        row = graph.local[node.row]
        row[:9] = _rotation(pose).ravel()
        row[9:12] = pose.translation
        graph.mark_moved()

    def _place_in_world(self, node: Node, pose: NodePose) -> None:
        graph = self.scene.graph
        if pose.parent not in graph:
            return
        graph.update()
        above = graph.world[graph[pose.parent].row]
        R, t, s = above[:9].reshape(3, 3), above[9:12], above[12]
        place = Pose(R @ _rotation(pose), t + s * (R @ pose.translation))
        graph.set_world_pose(node, place)


def _rotation(pose: NodePose) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    x, y, z, w = pose.quaternion
    return rotation_from_quaternion(np.array([w, x, y, z]))


def _is_link(node: Node, robots: set[str]) -> bool:
    """Return whether a node is a link of a robot that is posed by its joints."""
    return node.robot in robots and node.name != node.robot


def _parents_first(attached: list[tuple[Node, NodePose]]) -> list[tuple[Node, NodePose]]:
    """Return nodes in an order in which what each was attached to is placed before it."""
    above = {node.name: pose.parent for node, pose in attached}

    def depth(name: str) -> int:
        count = 0
        while name in above and count <= len(above):
            name, count = above[name], count + 1
        return count

    return sorted(attached, key=lambda each: depth(each[0].name))
