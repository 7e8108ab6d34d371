"""Events: a source has switched on or off.

A source describes what can happen, such as `Collision("hand", "cup")`; rules refer to sources, and
an event says that a source has switched.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias

from robotix.errors import BadField
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.graph.field_types import DeviceName, NodeName, RobotName

__all__ = [
    "Axis",
    "Button",
    "ButtonHeld",
    "ClientConnected",
    "Collision",
    "DeviceLink",
    "EndOfStroke",
    "Event",
    "Mode",
    "RegionEntry",
    "RobotMoves",
    "Signal",
    "Source",
    "Timer",
]


@dataclass(frozen=True)
class Button:
    """A button of a logical device is down; keys are buttons of the `keyboard`.

    A key has one name, whether Shift is down or not: `l` is `L`.
    """

    device: DeviceName
    button: str

    def __post_init__(self) -> None:
        if self.device == KEYBOARD and len(self.button) == 1:
            object.__setattr__(self, "button", self.button.upper())


@dataclass(frozen=True)
class ButtonHeld:
    """A button has been down for a number of seconds."""

    device: DeviceName
    button: str
    seconds: float

    @property
    def pressed(self) -> Button:
        """The button."""
        return Button(self.device, self.button)


@dataclass(frozen=True)
class Axis:
    """An axis (from 0) of a logical device is beyond a threshold, on its far side from zero."""

    device: DeviceName
    axis: int  # from 0
    threshold: float  # its sign selects the side of zero

    def __post_init__(self) -> None:
        if self.axis < 0:
            raise BadField("axis", "0 or more", self.axis)
        if not math.isfinite(self.threshold) or self.threshold == 0:
            expected = "a number above or below 0, whose sign is the side"
            raise BadField("threshold", expected, self.threshold)


@dataclass(frozen=True)
class Collision:
    """Two nodes or their branches touch; `*` stands for all other nodes."""

    first: NodeName
    second: NodeName


@dataclass(frozen=True)
class RegionEntry:
    """The origin of a node is inside a region."""

    region: NodeName
    node: NodeName


@dataclass(frozen=True)
class Timer:
    """A timer expired; its events are all on."""

    name: str


@dataclass(frozen=True)
class Signal:
    """A named event, sent by a rule, a plug-in, a robot or a program."""

    name: str


@dataclass(frozen=True)
class ClientConnected:
    """A client is connected; an empty name stands for any."""

    name: str = ""


@dataclass(frozen=True)
class EndOfStroke:
    """A joint of a robot is at its limit; an empty name stands for any joint."""

    robot: RobotName
    joint: str = ""


@dataclass(frozen=True)
class RobotMoves:
    """A robot moves."""

    robot: RobotName


@dataclass(frozen=True)
class DeviceLink:
    """A logical device is live."""

    device: DeviceName


Source: TypeAlias = (
    Button | ButtonHeld | Axis | Collision | RegionEntry | Timer | Signal | ClientConnected
    | EndOfStroke | RobotMoves | DeviceLink
)  # fmt: skip
# Sources that are not emitted: the detector evaluates them in every tick.
POLLED = (ButtonHeld, Axis, Collision, RegionEntry, DeviceLink)
Mode: TypeAlias = Literal["on", "off", "change", "reflect"]


@dataclass(frozen=True)
class Event:
    """The source switched on or off.

    `lasts` is set by rules in mode `reflect`: a second event follows when the source switches off.
    """

    source: Source
    state: bool = True
    lasts: bool = False

    @property
    def is_trigger(self) -> bool:
        """Whether one-shot commands run: False only for the end of an event that lasted."""
        return self.state or not self.lasts
