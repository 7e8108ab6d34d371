"""Requests and responses of the robot wizard, over HTTP."""

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
    """Triangles from an attached file, in its own unit of length."""

    file: str  # a key of `WizardRobot.files`
    scale: float = 1.0  # m per unit of the file


class WizardSolid(WirePart, frozen=True):
    """A shape; its pose is that at q = 0, in the frame of the robot."""

    shape: BoxShape | SphereShape | CylinderShape | CapsuleShape | FileShape
    position: Vector = (0.0, 0.0, 0.0)
    quaternion: Quaternion = (0.0, 0.0, 0.0, 1.0)
    colour: Vector = (0.7, 0.7, 0.7)


class WizardJoint(WirePart, frozen=True):
    """The joint that connects a part to its parent; point and axis in the frame of the robot."""

    parent: str
    joint: str
    type: Literal["revolute", "prismatic", "fixed"] = "revolute"
    point: Vector = (0.0, 0.0, 0.0)
    axis: Vector = (0.0, 0.0, 1.0)
    lower: float | None = None  # rad or m; None: unlimited
    upper: float | None = None
    velocity: float | None = None  # rad/s or m/s


class WizardPart(WirePart, frozen=True):
    """A rigid part; the one without a joint (`held`) is the base."""

    name: str
    solids: list[WizardSolid] = msgspec.field(default_factory=list)
    held: WizardJoint | None = None


class WizardPoint(WirePart, frozen=True):
    """A point on a part, in the frame of the robot."""

    part: str
    point: Vector


class WizardRobot(WirePart, frozen=True):
    """A robot described by the wizard, with its mesh files."""

    name: str
    parts: list[WizardPart]
    tip: WizardPoint | None = None  # end-effector; None: the joint of the last part
    files: dict[str, bytes] = msgspec.field(default_factory=dict)  # base64 in JSON


class WizardSaved(WirePart, frozen=True):
    """Result of saving a robot."""

    name: str
    file: str  # for the command `init`
    path: str  # for `robotix.load`
    n_joints: int  # movable ones


OverHttp: TypeAlias = WizardRobot | WizardSaved
