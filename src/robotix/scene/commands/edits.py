"""Edits by users, which can be undone: poses and visibility of nodes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Pose, rotation_from_quaternion
from robotix.scene.commands.grabbing import Grab
from robotix.scene.commands.handles import hand_command_of
from robotix.scene.events.action import Action
from robotix.scene.events.claims import is_in_graph
from robotix.scene.events.events import Event
from robotix.scene.events.hands import hand_pose
from robotix.scene.graph.field_types import HandName, NodeName, RobotName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.history import MoveNode, SetAttributes
from robotix.scene.robots.hand_drives import HandHold
from robotix.scene.robots.tracking import HandDrag
from robotix.scene.room_copy import copy_of_room
from robotix.scene.scene import RoomSaver, Scene

__all__ = [
    "GrabNode",
    "LetGo",
    "PlaceNode",
    "Redo",
    "SaveRobot",
    "SaveRoom",
    "SetVisibility",
    "Undo",
    "end_drags",
]

MAX_COORDINATE = 1e4  # m


@dataclass(frozen=True)
class PlaceNode:
    """Set the pose of a node in the world; quick successive edits are undone together."""

    node: NodeName
    at: Vector  # m
    quaternion: tuple[float, float, float, float] | None = (
        None  # w, x, y, z; None keeps the rotation
    )

    def __post_init__(self) -> None:
        """Raise BadField for a position that is too far away or an invalid quaternion."""
        if not all(abs(part) <= MAX_COORDINATE for part in self.at):
            raise BadField("at", f"within {MAX_COORDINATE:g} m of the origin", self.at)
        if self.quaternion is not None:
            rotation_from_quaternion(self.quaternion)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when the event triggers."""
        if event.is_trigger:
            node = scene.graph[self.node]
            edit = MoveNode(self.node, self._in_parent(node))
            scene.history.do(edit, group=("place", self.node), at=scene.time)

    def _in_parent(self, node: Node) -> Pose:
        """Return the pose in the node's parent."""
        rotation = node.world_pose.rotation
        if self.quaternion is not None:
            rotation = rotation_from_quaternion(self.quaternion)
        if node.parent is None:
            return Pose(rotation, np.array(self.at))
        above, size = node.parent.world_pose, node.parent.world_scale
        inside = above.rotation.T @ (np.array(self.at) - above.translation) / size
        return Pose(above.rotation.T @ rotation, inside)


@dataclass(frozen=True)
class SetVisibility:
    """Show or hide a node and its branch, or draw them as wireframe; None leaves it unchanged."""

    node: NodeName
    visible: bool | None = None
    wireframe: bool | None = None

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set it when the event triggers."""
        if event.is_trigger:
            now = scene.graph[self.node].attributes
            visible = now.visible if self.visible is None else self.visible
            wireframe = now.wireframe if self.wireframe is None else self.wireframe
            changed = replace(now, visible=visible, wireframe=wireframe)
            scene.history.do(SetAttributes(self.node, changed))


@dataclass(frozen=True)
class Undo:
    """Undo the last edit."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Undo it when the event triggers."""
        if event.is_trigger and not scene.history.undo():
            raise ValueError("there is nothing to take back")


@dataclass(frozen=True)
class SaveRoom:
    """Write the room as it is now into its file, or into another of its folder."""

    file: str = ""  # empty: the file that it was read from

    def __call__(self, scene: Scene, event: Event) -> None:
        """Write it when the event triggers."""
        if not event.is_trigger:
            return
        saver = _saver(scene)
        _write(
            scene,
            "save_room",
            lambda room: f"The room is saved in {saver(room, self.file).name}.",
        )


@dataclass(frozen=True)
class SaveRobot:
    """Write a robot into the file of the room, and nothing else of the room."""

    robot: RobotName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Write it when the event triggers."""
        if event.is_trigger:
            saver, name = _saver(scene), scene.robot(self.robot).name
            _write(
                scene,
                "save_robot",
                lambda room: f"{name} is written into {saver(room, '', robot=name).name}.",
            )


def _write(scene: Scene, who: str, save: Callable[[Scene], str]) -> None:
    """Save a room now or, where no tick may wait, a copy of it in another thread."""
    writes = scene.files.writes
    if writes is None:
        scene.say(save(scene))
        return
    room = copy_of_room(scene)
    writes.add(who, lambda: save(room))


def _saver(scene: Scene) -> RoomSaver:
    if scene.saver is None:
        raise ValueError("this room cannot be saved here; use save_scene from Python")
    return scene.saver


@dataclass(frozen=True)
class Redo:
    """Redo the edit that was undone last."""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Redo it when the event triggers."""
        if event.is_trigger and not scene.history.redo():
            raise ValueError("nothing was taken back")


@dataclass(frozen=True)
class GrabNode:
    """Let a node follow a hand until it is released; the whole motion is one edit.

    A node that rules guide, such as a door, follows its guide, whichever hand they name.
    """

    node: NodeName
    hand: HandName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Grip when the event is on."""
        if not event.state:
            return
        if hand_pose(scene, self.hand) is None:
            raise ValueError(f"device {self.hand!r} does not say where it is")
        known = hand_command_of(scene, scene.graph[self.node]) or Grab(self.node, self.hand)
        command = replace(known, hand=self.hand, reach=0.0)
        action = command(scene, event)
        if action is not None:
            carried = _undoable(scene, scene.graph[command.node], action)
            scene.start(carried, name=_action_name(self.hand))


def _undoable(scene: Scene, node: Node, action: Action) -> Action:
    """Run an action that moves a node, and record how to undo it."""
    before = MoveNode(node.name, node.pose)
    try:
        yield from action
    finally:
        if is_in_graph(node):
            scene.history.record(before)


@dataclass(frozen=True)
class LetGo:
    """Release all that a hand holds: nodes, and robots that it leads."""

    hand: HandName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Release for both states."""
        scene.actions.stop_named(_action_name(self.hand))
        end_drags(scene, self.hand)


def end_drags(scene: Scene, hand: str = "") -> None:
    """Stop the robots that a hand leads; any hand if none is named."""
    for robot in scene.robots.values():
        if isinstance(robot.drive, HandDrag | HandHold) and hand in ("", robot.drive.hand):
            robot.stop()


def _action_name(hand: str) -> str:
    return f"grip of {hand}"
