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
    """The hand as it is followed: gone for good once it is lost, or jumps."""

    context: HasInputs
    device: str
    last: Pose | None

    @staticmethod
    def on(node: Node, device: str, *, context: HasInputs, reach: float) -> Grip:
        """Return the grip of a hand on a node; it is gone already when that is out of reach."""
        pose = hand_pose(context, device)
        if pose is not None and reach > 0 and _distance(pose.translation, node) > reach:
            pose = None
        return Grip(context, device, pose)

    def follow(self) -> Pose | None:
        """Return world_from_hand now, None once the hand is gone."""
        pose = hand_pose(self.context, self.device)
        if pose is None or self.last is None or _jumped(self.last, pose):
            pose = None
        self.last = pose
        return pose


def hand_pose(context: HasInputs, device: str) -> Pose | None:
    """Return world_from_hand of a logical device; None when nobody knows where it is."""
    reading = context.inputs.devices.get(device)
    if reading is None or not reading.live or reading.position is None:
        return None
    if max(map(abs, reading.position)) > MAX_DISTANCE or not any(reading.quaternion):
        return None
    return Pose.from_quaternion(reading.position, reading.quaternion)


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
    probe = Sphere(PROBE_RADIUS, Pose(translation=own))
    for solid in solids:
        yield nearest(probe, solid).distance * scale
    if len(solids) < len(node.solids) or not solids:
        yield float(np.linalg.norm(own)) * scale
