"""What messages are made of: shapes and looks, and what is in the room.

Lengths in m, angles in rad, quaternions as three.js has them: (x, y, z, w).
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec

from robotix.geometry.arrays import Quaternion, Vector

__all__ = [
    "BoxShape",
    "CapsuleShape",
    "CylinderShape",
    "EllipsoidShape",
    "JointInfo",
    "KeyHint",
    "LightInfo",
    "MeshShape",
    "NodeInfo",
    "PlaneShape",
    "Quaternion",
    "RobotInfo",
    "ShapeInfo",
    "SkinInfo",
    "SphereShape",
    "SurfaceInfo",
    "TraceShape",
    "Vector",
    "VisualInfo",
    "Wire",
    "WirePart",
]


class Wire(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A value with a `kind`."""


class WirePart(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a message, known by its place in it."""


# -- looks ------------------------------------------------------------------------------------


class SurfaceInfo(WirePart, frozen=True):
    """How a surface looks; all numbers in 0..1."""

    colour: Vector
    opacity: float
    metalness: float
    roughness: float
    pattern: str = ""  # such as wood, tiles, cloth, carpet, brushed; empty is plain


class BoxShape(Wire, frozen=True, tag="box"):
    """A box about its middle."""

    size: Vector


class SphereShape(Wire, frozen=True, tag="sphere"):
    """A ball."""

    radius: float


class CylinderShape(Wire, frozen=True, tag="cylinder"):
    """A cylinder along z, about its middle."""

    radius: float
    length: float


class CapsuleShape(Wire, frozen=True, tag="capsule"):
    """A cylinder along z with round ends, `length` between their centres."""

    radius: float
    length: float


class PlaneShape(Wire, frozen=True, tag="plane"):
    """The surface z = 0, without end."""


class MeshShape(Wire, frozen=True, tag="mesh"):
    """Triangles to be fetched from `/mesh/{key}`, of one look; `key` changes with the contents."""

    key: str
    scale: Vector = (1.0, 1.0, 1.0)


class EllipsoidShape(Wire, frozen=True, tag="ellipsoid"):
    """An ellipsoid about the origin."""

    half_lengths: Vector


class TraceShape(Wire, frozen=True, tag="trace"):
    """The way something went: a line of so many points, or a strip with points in pairs."""

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
    """A shape in the frame of its node, and how it looks."""

    shape: ShapeInfo
    surface: SurfaceInfo
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)


class LightInfo(WirePart, frozen=True):
    """A lamp at a node: `sun` shines along its -z axis, `point` all round, `ambient` anywhere."""

    sort: str
    colour: Vector
    strength: float


# -- what is in the room ----------------------------------------------------------------------


class NodeInfo(WirePart, frozen=True):
    """A node of the scene graph. Its row is its place in `Room.nodes` and in frames."""

    row: int
    name: str
    parent: int  # a row; -1 for the root
    robot: str = ""  # whose link it is
    visuals: list[VisualInfo] = []
    visible: bool = True
    wireframe: bool = False
    pickable: bool = True
    light: LightInfo | None = None
    field_of_view: float = 0.0  # vertical, rad, of a viewpoint; 0 for what is none
    is_region: bool = False
    is_guided: bool = False  # rules let hands move it: a door, a drawer


class JointInfo(WirePart, frozen=True):
    """One degree of freedom of a robot."""

    name: str
    unit: str  # rad or m
    lower: float | None  # None: without end
    upper: float | None
    velocity: float | None
    body: str  # node that it moves


class RobotInfo(WirePart, frozen=True):
    """A robot: its node, its joints, the nodes that can be control points."""

    name: str
    row: int
    joints: list[JointInfo]
    points: list[str]  # nodes of its control points
    tip: str  # node of its end-effector, or the nearest there is
    first: int  # joints that inverse kinematics may use, counted from 1
    last: int
    damping: float
    method: str
    home: list[float]
    steps: int = 100  # ticks of a move when nobody says otherwise


class SkinInfo(WirePart, frozen=True):
    """The skinned body of a person: triangles from `/skin/{key}`, moved by `bones`."""

    name: str
    key: str
    bones: list[int]  # rows of frames, beyond those of the nodes: world_from_rest of each bone


class KeyHint(WirePart, frozen=True):
    """What a key does in this room, in words."""

    key: str
    does: str
