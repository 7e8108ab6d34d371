"""Hands: the pose of a tracked logical device, and the grip that follows it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robotix.collision.distance import nearest
from robotix.geometry import Array, Mesh, Pose, Sphere
from robotix.scene.events.context import HasInputs
from robotix.scene.graph.graph import Node

__all__ = ["Grip", "hand_pose"]

MAX_DISTANCE = 1e4  # m from the origin; a reading beyond this is invalid
MAX_JUMP = 0.5  # m per tick; a faster motion means that the tracker lost the hand
MAX_TURN = math.radians(60)  # per tick
PROBE_RADIUS = 1e-9  # m


@dataclass
class Grip:
    """A tracked hand that is followed; it ends when the hand is lost or jumps."""

    context: HasInputs
    device: str
    last: Pose | None

    @staticmethod
    def on(node: Node, device: str, *, context: HasInputs, reach: float) -> Grip:
        """Return the grip of a hand on a node; it has ended if the node is out of reach."""
        pose = hand_pose(context, device)
        if pose is not None and reach > 0 and _distance(pose.translation, node) > reach:
            pose = None
        return Grip(context, device, pose)

    def follow(self) -> Pose | None:
        """Return world_from_hand; None once the grip has ended."""
        pose = hand_pose(self.context, self.device)
        if pose is None or self.last is None or _jumped(self.last, pose):
            pose = None
        self.last = pose
        return pose


def hand_pose(context: HasInputs, device: str) -> Pose | None:
    """Return world_from_hand of a logical device; None if its pose is unknown."""
    reading = context.inputs.devices.get(device)
    if reading is None or not reading.live or reading.position is None:
        return None
    if max(map(abs, reading.position)) > MAX_DISTANCE or not any(reading.quaternion):
        return None
    return Pose.from_quaternion(reading.position, reading.quaternion)


def _jumped(before: Pose, after: Pose) -> bool:
    distance = float(np.linalg.norm(after.translation - before.translation))
    angle = float(np.linalg.norm((before.inverse() @ after).rotation_vector))
    return distance > MAX_JUMP or angle > MAX_TURN


def _distance(point: Array, node: Node) -> float:
    """Return the distance of a point to the nearest solid of a branch, m."""
    return min(each for part in node.branch() for each in _distances(point, part))


def _distances(point: Array, node: Node) -> Iterator[float]:
    """Yield the distance of a point to each solid of a node, or to its origin if it has none.

    For a mesh the distance to the origin is used, which is where it is gripped.
    """
    own, scale = node.world_pose.inverse().apply(point) / node.world_scale, node.world_scale
    solids = [solid for solid in node.solids if not isinstance(solid, Mesh)]
    probe = Sphere(PROBE_RADIUS, Pose(translation=own))
    for solid in solids:
        yield nearest(probe, solid).distance * scale
    if len(solids) < len(node.solids) or not solids:
        yield float(np.linalg.norm(own)) * scale
