"""Bodies: rigid parts with mass and shapes, each held by one joint."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from robotix.errors import BadModel
from robotix.geometry import Array, Pose, Shape
from robotix.model.joint import Joint

__all__ = ["Body", "Visual"]


@dataclass(frozen=True, eq=False)
class Visual:
    """A solid that is drawn, with its colour (red, green, blue, opacity in 0..1)."""

    shape: Shape
    rgba: tuple[float, float, float, float] = (0.7, 0.7, 0.7, 1.0)
    is_stand_in: bool = False  # made from the kinematics, since nobody has drawn the link


@dataclass(frozen=True, eq=False)
class Body:
    """A rigid part. Its frame is the joint frame, moved by the joint.

    Examples:
        >>> upper = rx.Body("upper_arm", rx.Joint("shoulder", "revolute"), mass=2.0)
        >>> elbow = rx.Joint("elbow", "revolute")
        >>> forearm = rx.Body("forearm", elbow, "upper_arm", rx.Pose.at(0.3, 0, 0))
    """

    name: str
    joint: Joint
    parent: str | None = None  # None: held by the world
    placement: Pose = field(default_factory=Pose)  # parent_from_joint, with the joint at zero
    mass: float = 0.0  # kg
    com: Array = field(default_factory=lambda: np.zeros(3))  # centre of mass, m
    inertia: Array = field(default_factory=lambda: np.zeros((3, 3)))  # about the com, body axes
    collision: tuple[Shape, ...] = ()
    visuals: tuple[Visual, ...] = ()

    def __post_init__(self) -> None:
        part = f"body {self.name!r}"
        if not self.name:
            raise BadModel("body", "has an empty name")
        if not (math.isfinite(self.mass) and self.mass >= 0):
            raise BadModel(part, f"mass {self.mass} is not a non-negative number")
        com, inertia = np.array(self.com, dtype=float), np.array(self.inertia, dtype=float)
        if com.shape != (3,) or not np.isfinite(com).all():
            raise BadModel(part, f"centre of mass must be three finite numbers, got {self.com!r}")
        if inertia.shape != (3, 3) or not np.isfinite(inertia).all():
            raise BadModel(part, f"inertia must be 3×3 finite numbers, got {self.inertia!r}")
        size = abs(inertia).max()
        if abs(inertia - inertia.T).max() > 1e-9 * max(size, 1e-9):
            raise BadModel(part, "inertia is not symmetric")
        if np.linalg.eigvalsh(inertia)[0] < -1e-9 * max(size, 1e-9):
            raise BadModel(part, "inertia is not positive semidefinite")
        com.flags.writeable = inertia.flags.writeable = False
        object.__setattr__(self, "com", com)
        object.__setattr__(self, "inertia", inertia)
        object.__setattr__(self, "collision", tuple(self.collision))
        object.__setattr__(self, "visuals", tuple(self.visuals))
