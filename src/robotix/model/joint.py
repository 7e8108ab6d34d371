"""Joints: how a body may move against its parent, and how far and how fast."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

import numpy as np

from robotix.errors import BadModel
from robotix.geometry.rotation import Array
from robotix.model.path import PlanarPath

__all__ = ["Joint", "JointKind", "Mimic"]

JointKind: TypeAlias = Literal["fixed", "revolute", "prismatic", "path", "floating"]
_DOF = {"fixed": 0, "revolute": 1, "prismatic": 1, "path": 1, "floating": 6}


@dataclass(frozen=True)
class Mimic:
    """Couples a joint to another: `q = ratio * q_source + offset`."""

    source: str
    ratio: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, eq=False)
class Joint:
    """One joint; angles in rad, lengths in m. Unlimited means infinite.

    A floating joint has six coordinates: the root's position and its rotation vector, both in
    the parent frame. Its velocity is the twist there: linear, then angular.

    Examples:
        >>> rx.Joint("elbow", "revolute", np.array([0.0, 1.0, 0.0]), lower=0.0, upper=2.6).upper
        2.6
    """

    name: str
    kind: JointKind = "fixed"
    axis: Array = field(default_factory=lambda: np.array([0.0, 0.0, 1.0]))  # in the joint frame
    lower: float = -math.inf
    upper: float = math.inf
    velocity: float = math.inf  # largest |dq|
    acceleration: float = math.inf  # largest |ddq|
    effort: float = math.inf  # largest |tau|
    armature: float = 0.0  # inertia of the drive at the joint, kg m² or kg; of each coordinate
    path: PlanarPath | None = None
    mimic: Mimic | None = None

    def __post_init__(self) -> None:
        part = f"joint {self.name!r}"
        if not self.name:
            raise BadModel("joint", "has an empty name")
        if self.kind not in get_args(JointKind):
            raise BadModel(part, f"unknown kind {self.kind!r}; one of {', '.join(_DOF)}")
        object.__setattr__(self, "axis", _unit(self.axis, part))
        if math.isnan(self.lower) or math.isnan(self.upper) or self.lower > self.upper:
            raise BadModel(part, f"limits [{self.lower}, {self.upper}] are not an interval")
        if self.lower == math.inf or self.upper == -math.inf:
            raise BadModel(part, f"limits [{self.lower}, {self.upper}] leave no position")
        for what in ("velocity", "acceleration", "effort"):
            value = getattr(self, what)
            if math.isnan(value) or value < 0:
                raise BadModel(part, f"{what} limit {value} is not a positive number")
        if not 0 <= self.armature < math.inf:
            raise BadModel(part, f"armature {self.armature} is not a finite number of at least 0")
        if (self.kind == "path") != (self.path is not None):
            raise BadModel(part, "a path joint needs a path, and no other joint has one")
        if self.mimic and self.kind not in ("revolute", "prismatic"):
            raise BadModel(part, f"a {self.kind} joint cannot mimic another")
        if self.mimic and not (
            math.isfinite(self.mimic.ratio) and math.isfinite(self.mimic.offset)
        ):
            raise BadModel(part, f"mimic ratio and offset must be finite, got {self.mimic}")

    @property
    def n_dof(self) -> int:
        """Number of coordinates the joint adds to `q` (a mimicking joint adds none)."""
        return 0 if self.mimic else _DOF[self.kind]

    @property
    def dof_names(self) -> tuple[str, ...]:
        """Names of those coordinates."""
        if self.n_dof == 6:
            return tuple(f"{self.name}_{part}" for part in ("x", "y", "z", "rx", "ry", "rz"))
        return (self.name,) * self.n_dof


def _unit(axis: Array, part: str) -> Array:
    vector = np.array(axis, dtype=float)
    if vector.shape != (3,) or not np.isfinite(vector).all():
        raise BadModel(part, f"axis must be three finite numbers, got {axis!r}")
    length = float(np.linalg.norm(vector))
    if not 1e-9 < length < 1e9:
        raise BadModel(part, f"axis {axis!r} has no direction")
    unit = vector / length
    unit.flags.writeable = False
    return unit
