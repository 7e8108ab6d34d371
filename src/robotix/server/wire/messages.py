"""Parts of messages: shapes, materials, nodes and robots.

Lengths in m, angles in rad, quaternions in the order of three.js: (x, y, z, w).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from robotix.geometry.arrays import Quaternion, Vector

__all__ = [
    "BoxShape",
    "CapsuleShape",
    "ControlInfo",
    "CylinderShape",
    "EllipsoidShape",
    "JointInfo",
    "KeyHint",
    "LightInfo",
    "MeshShape",
    "NodeInfo",
    "PlaneShape",
    "PostureInfo",
    "Quaternion",
    "RobotInfo",
    "ShapeInfo",
    "SkinInfo",
    "SphereShape",
    "SurfaceInfo",
    "TaskInfo",
    "TraceShape",
    "Vector",
    "VisualInfo",
    "Wire",
    "WirePart",
]


class Wire(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A message or variant, tagged by the field `kind`."""


class WirePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An untagged part of a message."""


# -- shapes and materials ---------------------------------------------------------------------


class SurfaceInfo(WirePart, frozen=True):
    """Material of a surface; all numbers in [0, 1]."""

    colour: Vector
    opacity: float
    metalness: float
    roughness: float
    pattern: str = ""  # such as wood, tiles, cloth, carpet, brushed; empty is plain


class BoxShape(Wire, frozen=True, tag="box"):
    """A box centred at the origin; `size` holds its edge lengths."""

    size: Vector


class SphereShape(Wire, frozen=True, tag="sphere"):
    """A sphere centred at the origin."""

    radius: float


class CylinderShape(Wire, frozen=True, tag="cylinder"):
    """A cylinder along z, centred at the origin."""

    radius: float
    length: float


class CapsuleShape(Wire, frozen=True, tag="capsule"):
    """A capsule along z; `length` is the distance between the centres of its caps."""

    radius: float
    length: float


class PlaneShape(Wire, frozen=True, tag="plane"):
    """The infinite plane z = 0."""


class MeshShape(Wire, frozen=True, tag="mesh"):
    """Triangles of one material, at `/mesh/{key}`; `key` is a hash of the contents."""

    key: str
    scale: Vector = (1.0, 1.0, 1.0)


class EllipsoidShape(Wire, frozen=True, tag="ellipsoid"):
    """An ellipsoid centred at the origin."""

    half_lengths: Vector


class TraceShape(Wire, frozen=True, tag="trace"):
    """The path of a node: a polyline, or a strip whose points come in pairs."""

    points: list[Vector]
    is_surface: bool
    width: float


ShapeInfo: TypeAlias = (
    BoxShape
    | SphereShape
    | CylinderShape
    | CapsuleShape
    | PlaneShape
    | MeshShape
    | EllipsoidShape
    | TraceShape
)


class VisualInfo(WirePart, frozen=True):
    """A shape in the frame of its node, and its material."""

    shape: ShapeInfo
    surface: SurfaceInfo
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)


class LightInfo(WirePart, frozen=True):
    """A light at a node: `sun` (along -z of the node), `point` or `ambient`."""

    sort: str
    colour: Vector
    strength: float


# -- nodes and robots --------------------------------------------------------------------------


class NodeInfo(WirePart, frozen=True):
    """A node of the scene graph; `row` is its index in `RoomContents.nodes` and in frames."""

    row: int
    name: str
    parent: int  # a row; -1 for the root
    robot: str = ""  # the robot that it is a link of
    visuals: list[VisualInfo] = []
    visible: bool = True
    wireframe: bool = False
    pickable: bool = True
    light: LightInfo | None = None
    field_of_view: float = 0.0  # vertical, rad, of a viewpoint; 0 for other nodes
    is_region: bool = False
    is_guided: bool = False  # rules let hands move it, such as a door or drawer
    slides_along: Vector | None = None  # the line of a drawer, in the frame of the node
    turns_about: Vector | None = None  # the axis of a door, in the frame of the node
    hinge: Vector | None = None  # a point on that axis, in the frame of the node


class JointInfo(WirePart, frozen=True):
    """One degree of freedom of a robot."""

    name: str
    unit: str  # rad or m
    lower: float | None  # None: unlimited
    upper: float | None
    velocity: float | None
    body: str  # node that the joint moves


class PostureInfo(WirePart, frozen=True):
    """Joint positions that a robot keeps by name."""

    name: str
    q: list[float]


class RobotInfo(WirePart, frozen=True):
    """A robot: its node, joints and control points."""

    name: str
    row: int
    joints: list[JointInfo]
    points: list[str]  # nodes of its control points
    tip: str  # node of its end-effector, or the body that carries it
    first: int  # joints that inverse kinematics may use, counted from 1
    last: int
    damping: float
    method: str
    home: list[float]
    steps: int = 100  # default duration of a move, ticks
    postures: list[PostureInfo] = []
    is_person: bool = False  # whose skin may come later


class SkinInfo(WirePart, frozen=True):
    """The skinned mesh of a person: triangles from `/skin/{key}`, deformed by `bones`."""

    name: str
    key: str
    bones: list[int]  # rows of frames, after those of the nodes: world_from_rest of each bone


class ControlInfo(WirePart, frozen=True):
    """A slider or a button that a program added; pages use it by the console line `use`."""

    name: str
    control: Literal["slider", "button"]
    lower: float
    upper: float
    step: float
    value: float


class TaskInfo(WirePart, frozen=True):
    """What to do now, what was wrong, what is left."""

    now: str
    wrong: str
    left: int
    total: int
    is_stopped: bool  # by the experimenter


class KeyHint(WirePart, frozen=True):
    """What a key does in this scene, as a short text."""

    key: str
    does: str
