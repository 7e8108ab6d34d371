"""Hands: the pose of a logical device, and the command that carries an object with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from robotix.collision.distance import nearest
from robotix.errors import BadField
from robotix.geometry import Array, Mesh, Pose, Sphere
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.graph.field_types import HandName, NodeName
from robotix.scene.graph.node import Node

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Grab", "Grip", "hand_pose"]

FAR = 1e4  # m; what claims to be farther away is no place in the room
MAX_JUMP = 0.5  # m in a tick: no hand moves like that, a tracker that lost it does
PROBE = 1e-9  # m, radius of a point
MAX_TURN = math.radians(60)  # in a tick


@dataclass(frozen=True)
class Grab:
    """Let an object follow a hand, as if it were attached to it, for as long as this is on.

    It is taken only when the hand is within reach of it, in m (0: from anywhere), and let go where
    it is when the hand is lost or jumps; then it must be grabbed anew.
    """

    node: NodeName
    hand: HandName
    reach: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a reach that is none."""
        check_reach(self.reach)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        node = scene.graph[self.node]
        return _carry(scene, node, self) if event.state else None


@dataclass
class Grip:
    """The hand as it is followed: gone for good once it is lost, or jumps."""

    scene: Scene
    device: str
    last: Pose | None

    @staticmethod
    def on(node: Node, device: str, *, scene: Scene, reach: float) -> Grip:
        """Return the grip of a hand on a node; it is gone already when that is out of reach."""
        pose = hand_pose(scene, device)
        if pose is not None and reach > 0 and _distance(pose.translation, node) > reach:
            pose = None
        return Grip(scene, device, pose)

    def follow(self) -> Pose | None:
        """Return world_from_hand now, None once the hand is gone."""
        pose = hand_pose(self.scene, self.device)
        if pose is None or self.last is None or _jumped(self.last, pose):
            pose = None
        self.last = pose
        return pose


def hand_pose(scene: Scene, device: str) -> Pose | None:
    """Return world_from_hand of a logical device; None when nobody knows where it is."""
    reading = scene.inputs.devices.get(device)
    if reading is None or not reading.live or reading.position is None:
        return None
    if max(map(abs, reading.position)) > FAR or not any(reading.quaternion):
        return None
    return Pose.from_quaternion(reading.position, reading.quaternion)


def check_reach(reach: float) -> None:
    """Refuse a reach that is none."""
    if not (math.isfinite(reach) and reach >= 0):
        raise BadField("reach", "0 m (anywhere) or more", reach)


def _carry(scene: Scene, node: Node, grab: Grab) -> Action:
    grip = Grip.on(node, grab.hand, scene=scene, reach=grab.reach)
    if grip.last is None:
        return
    hand_from_node = grip.last.inverse() @ node.world_pose
    with scene.holds.take(node, f"the hand {grab.hand!r}") as hold:
        while hold.is_mine and (world_from_hand := grip.follow()) is not None:
            scene.graph.set_world_pose(node, world_from_hand @ hand_from_node)
            yield


def _jumped(before: Pose, after: Pose) -> bool:
    way = float(np.linalg.norm(after.translation - before.translation))
    turn = float(np.linalg.norm((before.inverse() @ after).rotation_vector))
    return way > MAX_JUMP or turn > MAX_TURN


def _distance(point: Array, node: Node) -> float:
    """Return how far a point is from the nearest of a branch."""
    return min(each for part in node.branch() for each in _distances(point, part))


def _distances(point: Array, node: Node) -> Iterator[float]:
    """Yield how far a point is from each solid of a node; from its origin, if it has none.

    Of a mesh, too, it is the origin that counts: it lies where one would take hold.
    """
    own, scale = node.world_pose.inverse().apply(point) / node.world_scale, node.world_scale
    solids = [solid for solid in node.solids if not isinstance(solid, Mesh)]
    probe = Sphere(PROBE, Pose(translation=own))
    for solid in solids:
        yield nearest(probe, solid).distance * scale
    if len(solids) < len(node.solids) or not solids:
        yield float(np.linalg.norm(own)) * scale
