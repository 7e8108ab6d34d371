"""The command that carries an object with a tracked hand."""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.errors import BadField
from robotix.scene.events.action import Action
from robotix.scene.events.events import Event
from robotix.scene.events.hands import Grip
from robotix.scene.graph.field_types import HandName, NodeName
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["Grab", "check_reach"]


@dataclass(frozen=True)
class Grab:
    """Let a node follow a hand, as if attached to it, while this is on.

    It is gripped only if the hand is within `reach`, in m (0: from anywhere), and released when the
    hand is lost or jumps; then it must be gripped again.
    """

    node: NodeName
    hand: HandName
    reach: float = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError unless reach >= 0."""
        check_reach(self.reach)

    def __call__(self, scene: Scene, event: Event) -> Action | None:
        """Grip when the event is on."""
        node = scene.graph[self.node]
        return _carry(scene, node, self) if event.state else None


def check_reach(reach: float) -> None:
    """Raise ValueError unless reach >= 0."""
    if not (math.isfinite(reach) and reach >= 0):
        raise BadField("reach", "0 m (anywhere) or more", reach)


def _carry(scene: Scene, node: Node, grab: Grab) -> Action:
    grip = Grip.on(node, grab.hand, context=scene, reach=grab.reach)
    if grip.last is None:
        return
    hand_from_node = grip.last.inverse() @ node.world_pose
    with scene.control.claims.claim(node, f"the hand {grab.hand!r}") as claim:
        while claim.is_active and (world_from_hand := grip.follow()) is not None:
            scene.graph.set_world_pose(node, world_from_hand @ hand_from_node)
            yield
