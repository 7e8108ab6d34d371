"""What people change by hand, and can take back: where things are, and how they look."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Pose, rotation_from_quaternion
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.handles import handling_of
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_there
from robotix.scene.events.events import Event
from robotix.scene.events.hands import hand_pose
from robotix.scene.graph.field_types import BadField, DeviceName, NodeName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.history import MoveNode, SetAttributes
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag
from robotix.scene.scene import Scene

__all__ = ["GrabNode", "LetGo", "PlaceNode", "Redo", "SetVisibility", "Undo", "end_drags"]

FARTHEST = 1e4  # m


@dataclass(frozen=True)
class PlaceNode:
    """Put a node somewhere in the world; steps that follow each other quickly are one to undo."""

    node: NodeName
    at: Vector  # m
    quaternion: tuple[float, float, float, float] | None = None  # w, x, y, z; None keeps the turn

    def __post_init__(self) -> None:
        """Refuse what is nowhere."""
        if not all(abs(part) <= FARTHEST for part in self.at):
            what = f"a place must be within {FARTHEST:g} m of the origin, got {self.at}"
            raise BadField("at", what)
        if self.quaternion is not None:
            rotation_from_quaternion(self.quaternion)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Put it there."""
        if event.is_trigger:
            node = scene.graph[self.node]
            edit = MoveNode(self.node, self._in_parent(node))
            scene.history.do(edit, group=("place", self.node), at=scene.time)

    def _in_parent(self, node: Node) -> Pose:
        """Return the place in the node's parent."""
        turn = node.world_pose.rotation
        if self.quaternion is not None:
            turn = rotation_from_quaternion(self.quaternion)
        if node.parent is None:
            return Pose(turn, np.array(self.at))
        above, size = node.parent.world_pose, node.parent.world_scale
        inside = above.rotation.T @ (np.array(self.at) - above.translation) / size
        return Pose(above.rotation.T @ turn, inside)


@dataclass(frozen=True)
class SetVisibility:
    """Show or hide a node and its branch, or draw them as lines; what is None stays."""

    node: NodeName
    visible: bool | None = None
    wireframe: bool | None = None

    def __call__(self, scene: Scene, event: Event) -> None:
        """Change it."""
        if event.is_trigger:
            now = scene.graph[self.node].attributes
            visible = now.visible if self.visible is None else self.visible
            wireframe = now.wireframe if self.wireframe is None else self.wireframe
            changed = replace(now, visible=visible, wireframe=wireframe)
            scene.history.do(SetAttributes(self.node, changed))


@dataclass(frozen=True)
class Undo:
    """Take back what was changed by hand last."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Take it back when on."""
        if event.is_trigger and not scene.history.undo():
            raise ValueError("there is nothing to take back")


@dataclass(frozen=True)
class Redo:
    """Do again what was taken back last."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Do it again when on."""
        if event.is_trigger and not scene.history.redo():
            raise ValueError("nothing was taken back")


@dataclass(frozen=True)
class GrabNode:
    """Let an object follow a hand until that lets go; then it is one step to undo.

    What rules of the room guide, such as a door, moves as they let it, whichever hand they name.
    """

    node: NodeName
    hand: DeviceName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Take hold when on."""
        if not event.state:
            return
        if hand_pose(scene, self.hand) is None:
            raise ValueError(f"device {self.hand!r} does not say where it is")
        known = handling_of(scene, scene.graph[self.node]) or Grab(self.node, self.hand)
        command = replace(known, hand=self.hand, reach=0.0)
        action = command(scene, event)
        if action is not None:
            carried = _noted(scene, scene.graph[command.node], action)
            scene.start(carried, name=_grip_of(self.hand))


def _noted(scene: Scene, node: Node, action: Action) -> Action:
    """Do an action that moves a node, and note how to take that back."""
    before = MoveNode(node.name, node.pose)
    try:
        yield from action
    finally:
        if is_there(node):
            scene.history.note(before)


@dataclass(frozen=True)
class LetGo:
    """Let a hand let go of all that it holds: things, and robots that it leads."""

    hand: DeviceName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Let go, whatever the state."""
        scene.actions.stop_named(_grip_of(self.hand))
        end_drags(scene, self.hand)


def end_drags(scene: Scene, hand: str = "") -> None:
    """Stop the robots that a hand leads; any hand, when none is named."""
    for robot in scene.robots.values():
        if isinstance(robot.drive, HandDrag | HandHold) and hand in ("", robot.drive.hand):
            robot.stop()


def _grip_of(hand: str) -> str:
    return f"grip of {hand}"
