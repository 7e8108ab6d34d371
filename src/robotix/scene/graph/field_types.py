"""Types of fields in scene files: which names must exist, and which units apply.

`RobotName` is a `str` that must be the name of a robot; an `Angle` is a `float` in radians that a
file may also give in degrees, under the same key with `_deg` at its end; and a `Colour` is red,
green and blue in 0..1, which a file may also give by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from robotix.files.typed.markers import ColourValue, DegreesFlag, InUnit, Named, SentSignal
from robotix.geometry.arrays import Vector

__all__ = [
    "Angle",
    "Angles",
    "Colour",
    "DeviceName",
    "FileName",
    "HandName",
    "JointsInDegrees",
    "MaterialName",
    "NodeName",
    "PersonName",
    "PluginName",
    "PosedDevice",
    "RobotName",
    "SignalName",
    "TaskStepValue",
    "Vector",
]


@dataclass(frozen=True)
class PosedDevice:
    """The device must have a pose."""


@dataclass(frozen=True)
class TaskStepValue:
    """The value is a step of a task, such as `{wait: 1}`."""


NodeName: TypeAlias = Annotated[str, Named("node")]
RobotName: TypeAlias = Annotated[str, Named("robot")]
PersonName: TypeAlias = Annotated[str, Named("person")]
DeviceName: TypeAlias = Annotated[str, Named("device")]
PluginName: TypeAlias = Annotated[str, Named("plug-in")]
MaterialName: TypeAlias = Annotated[str, Named("material")]
HandName: TypeAlias = Annotated[str, Named("device"), PosedDevice()]
FileName: TypeAlias = Annotated[str, Named("file")]  # relative to the scene's folder
SignalName: TypeAlias = Annotated[str, SentSignal()]
Angle: TypeAlias = Annotated[float, InUnit("rad")]
Angles: TypeAlias = Annotated[tuple[float, ...], InUnit("rad")]
JointsInDegrees: TypeAlias = Annotated[bool, DegreesFlag()]
Colour: TypeAlias = Annotated[tuple[float, float, float], ColourValue()]
