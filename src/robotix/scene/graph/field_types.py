"""Types of fields in scene files: which names must exist, and which units apply.

`RobotName` is a `str` that must be the name of a robot; an `Angle` is a `float` in radians that a
file may also give in degrees, under the same key with `_deg` at its end; and a `Colour` is red,
green and blue in 0..1, which a file may also give by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from robotix.geometry.arrays import Vector

__all__ = [
    "Angle",
    "Angles",
    "BadField",
    "Colour",
    "ColourValue",
    "DeviceName",
    "FileName",
    "InUnit",
    "MaterialName",
    "Named",
    "NodeName",
    "PersonName",
    "PluginName",
    "RobotName",
    "TaskStepValue",
    "Vector",
]


@dataclass(frozen=True)
class Named:
    """The text is the name of something of this kind; empty means the default one."""

    kind: Literal["node", "robot", "person", "device", "plug-in", "material", "file"]


@dataclass(frozen=True)
class InUnit:
    """The number is in this unit."""

    unit: Literal["rad"]


@dataclass(frozen=True)
class ColourValue:
    """The numbers are red, green and blue in 0..1."""


@dataclass(frozen=True)
class TaskStepValue:
    """The value is a step of a task, such as `{wait: 1}`."""


NodeName: TypeAlias = Annotated[str, Named("node")]
RobotName: TypeAlias = Annotated[str, Named("robot")]
PersonName: TypeAlias = Annotated[str, Named("person")]
DeviceName: TypeAlias = Annotated[str, Named("device")]
PluginName: TypeAlias = Annotated[str, Named("plug-in")]
MaterialName: TypeAlias = Annotated[str, Named("material")]
FileName: TypeAlias = Annotated[str, Named("file")]  # relative to the scene's folder
Angle: TypeAlias = Annotated[float, InUnit("rad")]
Angles: TypeAlias = Annotated[tuple[float, ...], InUnit("rad")]
Colour: TypeAlias = Annotated[tuple[float, float, float], ColourValue()]


class BadField(ValueError):
    """A field has an invalid value: the name of the field, and the message."""

    def __init__(self, field: str, what: str) -> None:
        super().__init__(field, what)

    @property
    def field(self) -> str:
        """The name of the field."""
        return str(self.args[0])

    def __str__(self) -> str:
        return str(self.args[1])
