"""The command that carries an object with a tracked hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.events.hands import Grip
from robotix.scene.graph.field_types import DeviceName, NodeName
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["Grab", "check_reach"]


@dataclass(frozen=True)
class Grab:
    """Let an object follow a hand, as if it were attached to it, for as long as this is on.

    It is taken only when the hand is within reach of it, in m (0: from anywhere), and let go where
    it is when the hand is lost or jumps; then it must be grabbed anew.
    """

    node: NodeName
    hand: DeviceName
    reach: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a reach that is none."""
        check_reach(self.reach)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Take hold when on."""
        node = scene.graph[self.node]
        return _carry(scene, node, self) if event.state else None


def check_reach(reach: float) -> None:
    """Refuse a reach that is none."""
    if not (math.isfinite(reach) and reach >= 0):
        raise ValueError(f"the reach of a hand is 0 m (anywhere) or more, got {reach}")


def _carry(scene: Scene, node: Node, grab: Grab) -> Action:
    grip = Grip.on(node, grab.hand, context=scene, reach=grab.reach)
    if grip.last is None:
        return
    hand_from_node = grip.last.inverse() @ node.world_pose
    with scene.control.claims.take(node, f"the hand {grab.hand!r}") as hold:
        while hold.is_mine and (world_from_hand := grip.follow()) is not None:
            scene.graph.set_world_pose(node, world_from_hand @ hand_from_node)
            yield
