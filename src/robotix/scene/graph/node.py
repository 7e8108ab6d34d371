"""Nodes: the places of the room, and what they hold."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from robotix.geometry import Array, Pose, Shape
from robotix.meshes import Material, Rgb
from robotix.model import Visual

if TYPE_CHECKING:
    from robotix.scene.graph.graph import Graph

__all__ = [
    "Attributes",
    "Content",
    "EllipsoidSurface",
    "Light",
    "Material",
    "Node",
    "Prop",
    "Region",
    "Sound",
    "Trace",
    "Viewpoint",
]


@dataclass(frozen=True)
class Attributes:
    """What can be changed about a node besides its place; `None` takes what it was made with."""

    material: Material | None = None
    visible: bool = True  # a hidden node hides its branch
    wireframe: bool = False  # and so does its branch
    pickable: bool = True
    collidable: bool = True


@dataclass(frozen=True)
class Light:
    """A lamp; a `sun` shines along the node's -z axis, a `point` all round, `ambient` anywhere."""

    kind: Literal["sun", "point", "ambient"] = "point"
    colour: Rgb = (1.0, 1.0, 1.0)
    strength: float = 1.0


@dataclass(frozen=True)
class Viewpoint:
    """A camera at the node, looking along its x axis with z up."""

    field_of_view: float = math.radians(60.0)  # vertical


@dataclass(frozen=True)
class Sound:
    """A sound that comes from the node."""

    uri: str
    loop: bool = False
    volume: float = 1.0


@dataclass(frozen=True)
class Region:
    """A part of space that others enter and leave: the node's solids say which."""


@dataclass(frozen=True)
class EllipsoidSurface:
    """A body drawn about the node's origin, its half axes along x, y and z."""

    half_lengths: tuple[float, float, float]  # m; a flat one has a 0


@dataclass(frozen=True)
class Trace:
    """The way something went: a line, or a strip whose points come in pairs, one on either edge."""

    points: tuple[tuple[float, float, float], ...] = ()
    kind: Literal["line", "surface"] = "line"
    width: float = 0.004  # of a line, m


@dataclass(frozen=True)
class Prop:
    """A thing that belongs to a task of a person, and comes with it."""

    person: str


Content: TypeAlias = Light | Viewpoint | Sound | Region | EllipsoidSurface | Trace | Prop


@dataclass(eq=False)
class Node:
    """A place in the room. It has one parent, and moves with it; made by `Graph.add`.

    `solids` collide and are picked, `visuals` are drawn; both in the node's own frame. Change the
    place by assigning to `pose`, the looks by `set` and the parent by `Graph.attach`.
    """

    name: str
    graph: Graph = field(repr=False)
    parent: Node | None
    solids: tuple[Shape, ...] = ()
    visuals: tuple[Visual, ...] = ()
    content: Content | None = None
    attributes: Attributes = field(default_factory=Attributes)
    robot: str | None = None  # the robot whose link this is
    children: list[Node] = field(default_factory=list, repr=False)
    row: int = -1  # in the graph's arrays
    revision: int = 0  # counts changes of anything but the place

    # -- place ------------------------------------------------------------------------------

    @property
    def pose(self) -> Pose:
        """parent_from_node."""
        return self.graph.local_pose(self)

    @pose.setter
    def pose(self, pose: Pose) -> None:
        self.graph.set_local_pose(self, pose)

    @property
    def scale(self) -> float:
        """Size of the branch in its parent: one factor for all directions."""
        return float(self.graph.local[self.row, 12])

    @property
    def world_pose(self) -> Pose:
        """world_from_node."""
        return self.graph.world_pose(self)

    @property
    def world_position(self) -> Array:
        """Origin of the node in the world, (3,)."""
        self.graph.update()
        return np.array(self.graph.world[self.row, 9:12])

    @property
    def world_scale(self) -> float:
        """Size of the branch in the world."""
        self.graph.update()
        return float(self.graph.world[self.row, 12])

    # -- looks ------------------------------------------------------------------------------

    def set(self, **changes: object) -> None:
        """Change attributes by name, such as `set(visible=False)`."""
        self.attributes = replace(self.attributes, **changes)  # type: ignore[arg-type]
        self.touch()

    def touch(self) -> None:
        """Note that something besides the place has changed."""
        self.revision += 1
        self.graph.touched()

    # -- the tree ---------------------------------------------------------------------------

    def branch(self) -> Iterator[Node]:
        """Yield the node and all below it, parents first."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def ancestors(self) -> Iterator[Node]:
        """Yield the parent, its parent, and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent
