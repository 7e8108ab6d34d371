"""Edits by users, which can be undone: things are added, copied, deleted and coloured."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, is_dataclass, replace
from itertools import count

import numpy as np

from robotix.errors import BadField
from robotix.files.typed.fields import all_markers_of, field_specs
from robotix.files.typed.markers import Named
from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere
from robotix.model import Visual
from robotix.scene.commands.checking import parts_of
from robotix.scene.commands.edits import MAX_COORDINATE
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Material
from robotix.scene.graph.field_types import Colour, NodeName, Vector
from robotix.scene.graph.graph import Node
from robotix.scene.history import AddNode, Edits, RemoveNode, SetAttributes
from robotix.scene.scene import Scene

__all__ = ["AddShape", "ColourNode", "CopyNode", "DeleteNode", "users_of"]

MAX_SIZE = 100.0  # m, of a shape that is added
MESH_HALF_LENGTH = 0.2  # m; meshes are not measured for a copy's place
GAP = 0.05  # m between a copy and what it was copied from
_WORD = re.compile(r"[\w/.-]+")
_NUMBER_AT_END = re.compile(r"_\d+$", re.ASCII)


@dataclass(frozen=True)
class AddShape:
    """Add a thing of one shape, with its middle at a position in the world."""

    node: str
    shape: Shape
    at: Vector = (0.0, 0.0, 0.0)  # m

    def __post_init__(self) -> None:
        """Raise BadField for a position that is too far away or a shape that is too large."""
        if not all(abs(part) <= MAX_COORDINATE for part in self.at):
            raise BadField("at", f"within {MAX_COORDINATE:g} m of the origin", self.at)
        if _half_lengths(self.shape).max() > MAX_SIZE / 2:
            raise BadField("shape", f"at most {MAX_SIZE:g} m long", self.shape)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Add it when the event triggers."""
        if event.is_trigger:
            shapes = (self.shape,)
            edit = AddNode(
                self.node,
                pose=Pose.at(*self.at),
                solids=shapes,
                visuals=tuple(map(Visual, shapes)),
            )
            scene.history.do(edit)


@dataclass(frozen=True)
class CopyNode:
    """Copy a thing with all that stands on it, beside itself; its name gets the next number."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Copy it when the event triggers."""
        if not event.is_trigger:
            return
        node = _thing(scene, self.node, "copied")
        names: dict[str, str] = {}
        for each in node.branch():
            names[each.name] = _free_name(each.name, {*scene.graph.names, *names.values()})
        edits = tuple(_copied(each, names) for each in node.branch())
        beside = node.pose.translation + np.array([0.0, _width(node) + GAP, 0.0])
        first = replace(edits[0], pose=Pose(node.pose.rotation, beside))
        scene.history.do(Edits((first, *edits[1:])))
        scene.say(f"{names[node.name]} is a copy of {node.name}.")


@dataclass(frozen=True)
class DeleteNode:
    """Delete a thing with all that stands on it, unless something needs it."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Delete it when the event triggers."""
        if not event.is_trigger:
            return
        node = _thing(scene, self.node, "deleted")
        names = {each.name for each in node.branch()}
        user = next(users_of(scene, names), None)
        if user is not None:
            raise ValueError(f"{node.name!r} cannot be deleted: {user} needs it; hide it instead")
        scene.history.do(RemoveNode(node.name))


@dataclass(frozen=True)
class ColourNode:
    """Colour a thing and all that stands on it (red, green, blue in 0..1)."""

    node: NodeName
    colour: Colour

    def __post_init__(self) -> None:
        """Raise BadField for an invalid colour."""
        Material(colour=self.colour)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Colour it when the event triggers."""
        if not event.is_trigger:
            return
        node = scene.graph[self.node]
        _check_free_of_robots(node, "coloured")
        edits = tuple(self._edit(each) for each in node.branch() if each.visuals or each is node)
        scene.history.do(Edits(edits))

    def _edit(self, node: Node) -> SetAttributes:
        material = node.attributes.material or Material()
        painted = replace(material, colour=self.colour, name="")
        return SetAttributes(node.name, replace(node.attributes, material=painted))


def users_of(scene: Scene, names: Collection[str]) -> Iterator[str]:
    """Yield in words what would fail without these nodes."""
    for rule in scene.rules:
        parts = (rule.source, *parts_of(rule.command))
        if any(name in names for part in parts for name in _nodes_of(part)):
            yield f"the rule {rule.name!r}"
    for plugin in scene.plugins:
        if any(word in names for word in _WORD.findall(plugin.args)):
            yield f"the plug-in {plugin.name!r}"
    for robot in scene.robots.values():
        if robot.avoidance is not None and any(name in names for name in robot.avoidance.distances):
            yield f"the robot {robot.name!r}, which keeps clear of it,"
    for task, steps in scene.assets.tasks.items():
        if any(name in names for step in steps for name in _nodes_of(step)):
            yield f"the task {task!r}"
    for node in scene.control.claims.claimed():
        if node.name in names:
            yield "what moves it now"


def _nodes_of(value: object) -> Iterator[str]:
    """Yield the names of nodes that a source, command or step of a task has in its fields."""
    if not is_dataclass(value):
        return
    for field in field_specs(type(value)):
        if Named("node") in all_markers_of(field.hint):
            found = getattr(value, field.name)
            yield from (
                (found,)
                if isinstance(found, str)
                else (each for each in found or () if isinstance(each, str))
            )


def _thing(scene: Scene, name: str, verb: str) -> Node:
    """Return a node; raise ValueError if it is the root, or part of a robot."""
    node = scene.graph[name]
    if node.parent is None:
        raise ValueError(f"the root 'world' cannot be {verb}")
    _check_free_of_robots(node, verb)
    return node


def _check_free_of_robots(node: Node, what: str) -> None:
    """Raise ValueError for robots, people, and what carries them."""
    robot = next((each.robot for each in node.branch() if each.robot is not None), None)
    if robot is not None:
        raise ValueError(
            f"{node.name!r} holds {robot!r}, or is a part of it; only things can be {what}"
        )


def _free_name(name: str, taken: Collection[str]) -> str:
    stem = _NUMBER_AT_END.sub("", name)
    return next(each for k in count(2) if (each := f"{stem}_{k}") not in taken)


def _copied(node: Node, names: dict[str, str]) -> AddNode:
    assert node.parent is not None
    return AddNode(
        names[node.name], names.get(node.parent.name, node.parent.name), node.pose, node.scale,
        node.solids, node.visuals, node.content, node.attributes, node.body,
    )  # fmt: skip


def _width(node: Node) -> float:
    """Return how wide a branch is along the y axis of its parent, m."""
    assert node.parent is not None
    parent_from_world = node.parent.world_pose.inverse()
    low, high = np.inf, -np.inf
    for each in node.branch():
        for shape in each.solids or [visual.shape for visual in each.visuals]:
            if isinstance(shape, Halfspace):
                continue
            scaled = Pose(shape.pose.rotation, each.world_scale * shape.pose.translation)
            pose = parent_from_world @ each.world_pose @ scaled
            half = each.world_scale * float(abs(pose.rotation[1]) @ _half_lengths(shape))
            middle = float(pose.translation[1])
            low, high = min(low, middle - half), max(high, middle + half)
    return high - low if high > low else 2 * GAP


def _half_lengths(shape: Shape) -> Array:
    """Return half the lengths of a shape along its axes, (3,), m."""
    match shape:
        case Box(size=size):
            return np.asarray(size, dtype=float) / 2
        case Sphere(radius=radius):
            return np.full(3, radius)
        case Cylinder(radius=radius, length=length):
            return np.array([radius, radius, length / 2])
        case Capsule(radius=radius, length=length):
            return np.array([radius, radius, length / 2 + radius])
    return np.full(3, MESH_HALF_LENGTH)
