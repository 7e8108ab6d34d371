"""What the wizard that builds robots sends over HTTP, and what it gets back."""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from robotix.server.wire.messages import (
    BoxShape,
    CapsuleShape,
    CylinderShape,
    Quaternion,
    SphereShape,
    Vector,
    Wire,
    WirePart,
)

__all__ = [
    "FileShape",
    "OverHttp",
    "WizardJoint",
    "WizardPart",
    "WizardPoint",
    "WizardRobot",
    "WizardSaved",
    "WizardSolid",
]


class FileShape(Wire, frozen=True, tag="file"):
    """Triangles from a file that comes along, in its own unit of length."""

    file: str  # a key of `WizardRobot.files`
    scale: float = 1.0  # m per unit of the file


class WizardSolid(WirePart, frozen=True):
    """A shape where it is while all joints are at zero, in the frame of the robot."""

    shape: BoxShape | SphereShape | CylinderShape | CapsuleShape | FileShape
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)
    colour: Vector = (0.7, 0.7, 0.7)


class WizardJoint(WirePart, frozen=True):
    """How a part is held by another: about or along an axis through a point, both of the robot."""

    parent: str
    joint: str
    type: Literal["revolute", "prismatic", "fixed"] = "revolute"
    point: Vector = (0.0, 0.0, 0.0)
    axis: Vector = (0.0, 0.0, 1.0)
    lower: float | None = None  # rad or m; None: without end
    upper: float | None = None
    velocity: float | None = None  # rad/s or m/s


class WizardPart(WirePart, frozen=True):
    """A rigid part; the one that nothing holds is the base."""

    name: str
    solids: list[WizardSolid] = msgspec.field(default_factory=list)
    held: WizardJoint | None = None


class WizardPoint(WirePart, frozen=True):
    """A point on a part, in the frame of the robot."""

    part: str
    point: Vector


class WizardRobot(WirePart, frozen=True):
    """A robot as the wizard describes it, with the files of its meshes."""

    name: str
    parts: list[WizardPart]
    tip: WizardPoint | None = None  # its end-effector; the last part's joint without one
    files: dict[str, bytes] = msgspec.field(default_factory=dict)  # base64 in JSON


class WizardSaved(WirePart, frozen=True):
    """Where the robot was saved."""

    name: str
    file: str  # for the command `init`
    path: str  # for `robotix.load`
    n_joints: int  # that move


OverHttp: TypeAlias = WizardRobot | WizardSaved
