"""The inputs of a scene in one tick: logical devices, clients, console commands.

They are the only external influence on a scene, so that the same inputs give the same results.
Physical devices and their timeouts belong to `robotix.devices`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from robotix.errors import BadField

__all__ = ["ALL_ROBOTS", "MAX_COMMANDS_PER_TICK", "Inputs", "Reading"]

ALL_ROBOTS = "all"  # in place of the name of a robot, in stops
MAX_COMMANDS_PER_TICK = 32  # further ones are queued


@dataclass(frozen=True)
class Reading:
    """The state of one logical device in one tick.

    `axes` are rates in -1..1, in the order of the kind of the device; `position` (m) and
    `quaternion` (w, x, y, z) are the pose of a tracked device in the world. `live` is False after
    a timeout: followers must stop.
    """

    axes: tuple[float, ...] = ()
    buttons: frozenset[str] = frozenset()
    position: tuple[float, float, float] | None = None
    quaternion: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    live: bool = True

    def __post_init__(self) -> None:
        """Raise BadField unless all numbers are finite."""
        numbers = (*self.axes, *(self.position or ()), *self.quaternion)
        if not all(map(math.isfinite, numbers)):
            raise BadField("", "finite numbers", self)


@dataclass(frozen=True)
class Inputs:
    """All inputs of a tick.

    `devices` holds the current reading of every logical device, `clients` the names of the
    connected clients, `commands` the console lines since the last tick. `stops` are requests that
    came while the tick ran: each names a robot, or all (`ALL_ROBOTS`), that stops before the robots
    move.
    """

    devices: Mapping[str, Reading] = field(default_factory=dict)
    clients: frozenset[str] = frozenset()
    commands: tuple[str, ...] = ()
    stops: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise BadField for values of a wrong type."""
        if not all(isinstance(reading, Reading) for reading in self.devices.values()):
            raise BadField("devices", "a reading for every device", self.devices)
        texts = (*self.clients, *self.commands, *self.stops)
        if not all(isinstance(text, str) for text in texts):
            raise BadField("", "texts as clients, commands and stops", texts)
