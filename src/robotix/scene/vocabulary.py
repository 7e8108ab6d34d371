"""The types of what scene files say: they tell a reader which names must exist, and which units.

`RobotName` is a `str` that must be the name of a robot; an `Angle` is a `float` in radians that a
file may also give in degrees, under the same key with `_deg` at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

__all__ = [
    "Angle",
    "Angles",
    "DeviceName",
    "FileName",
    "Measure",
    "Named",
    "NodeName",
    "PluginName",
    "RobotName",
    "Vector",
]


@dataclass(frozen=True)
class Named:
    """The text is the name of one of these; an empty text stands for the obvious one."""

    kind: Literal["node", "robot", "device", "plug-in", "file"]


@dataclass(frozen=True)
class Measure:
    """The number is in this unit."""

    unit: Literal["rad"]


NodeName: TypeAlias = Annotated[str, Named("node")]
RobotName: TypeAlias = Annotated[str, Named("robot")]
DeviceName: TypeAlias = Annotated[str, Named("device")]
PluginName: TypeAlias = Annotated[str, Named("plug-in")]
FileName: TypeAlias = Annotated[str, Named("file")]  # relative to the scene's folder
Angle: TypeAlias = Annotated[float, Measure("rad")]
Angles: TypeAlias = Annotated[tuple[float, ...], Measure("rad")]
Vector: TypeAlias = tuple[float, float, float]
