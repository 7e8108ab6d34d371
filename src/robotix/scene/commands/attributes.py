"""Commands that change the attributes and the pose of a node."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Pose, rotation_from_rpy
from robotix.scene.events.claims import check_movable
from robotix.scene.events.events import Event
from robotix.scene.graph.content import Material
from robotix.scene.graph.field_types import Angles, MaterialName, NodeName, Vector
from robotix.scene.graph.field_types import Colour as ColourValue
from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["Hide", "SetAttribute", "SetColour", "Show", "Wireframe"]

MATERIAL_FIELDS = ("colour", "opacity", "metalness", "roughness")  # fields of a material
NODE_FLAGS = ("visible", "wireframe")  # apply to the branch
BRANCH_FLAGS = ("pickable", "collidable")  # are set on every node of the branch


@dataclass(frozen=True)
class SetAttribute:
    """Change the given attributes of a node; when off, restore them.

    A material is one of the scene's, by name; colour, opacity, metalness and roughness (all in
    0..1) change a part of it. These apply to the whole branch. The pose is that in the parent.
    """

    node: NodeName
    material: MaterialName = ""
    colour: ColourValue | None = None
    opacity: float | None = None
    metalness: float | None = None
    roughness: float | None = None
    visible: bool | None = None
    wireframe: bool | None = None
    pickable: bool | None = None
    collidable: bool | None = None
    at: Vector | None = None
    rpy: Angles | None = None

    def __post_init__(self) -> None:
        """Raise ValueError for values out of range, or if there is nothing to set."""
        replace(Material(), **self._looks)  # raises for numbers outside 0..1
        for what, values in (("at", self.at), ("rpy", self.rpy)):
            if values is not None and not (len(values) == 3 and all(map(math.isfinite, values))):
                raise BadField(what, "three finite numbers", values)
        if not (self.material or self._looks or self._flags or self._moves):
            raise BadField("", "what to set, such as `visible: false`", f"only {self.node!r}")

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set when the event is on, restore when off."""
        node = scene.graph[self.node]
        changes = list(self._changes(scene, node))  # all or nothing: this may raise
        for each, what, value in changes:
            if event.state:
                scene.control.layers.set(each, what, key=self, value=value)
            else:
                scene.control.layers.remove(each, what, key=self)

    @property
    def _looks(self) -> dict[str, Any]:
        return {
            name: value for name in MATERIAL_FIELDS if (value := getattr(self, name)) is not None
        }

    @property
    def _flags(self) -> dict[str, bool]:
        names = (*NODE_FLAGS, *BRANCH_FLAGS)
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    @property
    def _moves(self) -> bool:
        return self.at is not None or self.rpy is not None

    def _changes(self, scene: Scene, node: Node) -> Iterator[tuple[Node, str, object]]:
        if self.material or self._looks:
            for each in node.branch():
                yield each, "material", self._material(scene, each)
        for name, flag in self._flags.items():
            for each in node.branch() if name in BRANCH_FLAGS else (node,):
                yield each, name, flag
        if self._moves:
            check_movable(node)
            yield node, "pose", self._place(node)

    def _material(self, scene: Scene, node: Node) -> Material:
        if not self.material:
            return replace(node.attributes.material or _own_material(node), **self._looks)
        try:
            return replace(scene.assets.materials[self.material], **self._looks)
        except KeyError:
            raise UnknownName("material", self.material, scene.assets.materials) from None

    def _place(self, node: Node) -> tuple[float, ...]:
        now = node.pose
        there = Pose(
            rotation_from_rpy(*self.rpy) if self.rpy is not None else now.rotation,
            np.array(self.at) if self.at is not None else now.translation,
        )
        return (*there.rotation.ravel().tolist(), *there.translation.tolist())


@dataclass(frozen=True)
class SetColour:
    """Colour a node and its branch (red, green, blue in 0..1); when off, restore them."""

    node: NodeName
    colour: ColourValue

    def __post_init__(self) -> None:
        """Raise ValueError for an invalid colour."""
        Material(colour=self.colour)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Set when the event is on, restore when off."""
        SetAttribute(self.node, colour=self.colour)(scene, event)


@dataclass(frozen=True)
class Wireframe:
    """Draw a node and its branch as wireframe; when off, as solid."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the state of the event."""
        scene.graph[self.node].set(wireframe=event.state)


@dataclass(frozen=True)
class Show:
    """Show a node and its branch; when off, hide them."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the state of the event."""
        scene.graph[self.node].set(visible=event.state)


@dataclass(frozen=True)
class Hide:
    """Hide a node and its branch; when off, show them."""

    node: NodeName

    def __call__(self, scene: Scene, event: Event) -> None:
        """Follow the inverted state of the event."""
        scene.graph[self.node].set(visible=not event.state)


def _own_material(node: Node) -> Material:
    """Return the material of the first visual of a node."""
    if not node.visuals:
        return Material()
    *colour, opacity = node.visuals[0].rgba
    red, green, blue = colour
    return Material((red, green, blue), opacity)
