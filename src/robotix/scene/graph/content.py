"""What nodes hold besides shapes: lights, viewpoints, sounds, regions, and how they are shown."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.meshes import Material, Rgb

__all__ = [
    "Attributes",
    "Content",
    "EllipsoidSurface",
    "Light",
    "Material",
    "Prop",
    "Region",
    "Sound",
    "Trace",
    "Viewpoint",
]


@dataclass(frozen=True)
class Attributes:
    """What can be changed about a node besides its pose; material None is that of its visuals."""

    material: Material | None = None
    visible: bool = True  # a hidden node hides its branch
    wireframe: bool = False  # applies to the branch
    pickable: bool = True
    collidable: bool = True


@dataclass(frozen=True)
class Light:
    """A light; a `sun` shines along the node's -z axis, a `point` in all directions."""

    kind: Literal["sun", "point", "ambient"] = "point"
    colour: Rgb = (1.0, 1.0, 1.0)
    strength: float = 1.0


@dataclass(frozen=True)
class Viewpoint:
    """A camera at the node, looking along its x axis with z up."""

    field_of_view: float = math.radians(60.0)  # vertical


@dataclass(frozen=True)
class Sound:
    """A sound at the node."""

    uri: str
    loop: bool = False
    volume: float = 1.0


@dataclass(frozen=True)
class Region:
    """A region of space, the node's solids, that other nodes enter and leave."""


@dataclass(frozen=True)
class EllipsoidSurface:
    """An ellipsoid drawn around the node's origin, its semi-axes along x, y and z."""

    half_lengths: tuple[float, float, float]  # m; may contain 0


@dataclass(frozen=True)
class Trace:
    """The path of a node: a line, or a strip whose points are pairs, one on either edge."""

    points: tuple[tuple[float, float, float], ...] = ()
    kind: Literal["line", "surface"] = "line"
    width: float = 0.004  # of a line, m


@dataclass(frozen=True)
class Prop:
    """A prop of a task of a person."""

    person: str


Content: TypeAlias = Light | Viewpoint | Sound | Region | EllipsoidSurface | Trace | Prop
