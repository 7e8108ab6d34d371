"""The inputs of a room in one tick: logical devices, clients, commands.

These are the only inputs, so a scene that gets the same inputs again does the same again. Physical
devices, and the handling of silent ones, are in `robotix.devices`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from robotix.errors import BadField

__all__ = ["Inputs", "Reading"]


@dataclass(frozen=True)
class Reading:
    """One logical device at one tick.

    `axes` are rates in -1..1, in the order the logical device names them; `position` (m) and
    `quaternion` (w, x, y, z) say where a tracked one is in the world. `live` is false once the
    device has been silent too long: what follows it stops.
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
    """All inputs of the room since the last tick.

    `devices` holds the present reading of every logical device, `clients` the names of those who
    watch, `commands` the console lines typed or sent since the last tick.
    """

    devices: Mapping[str, Reading] = field(default_factory=dict)
    clients: frozenset[str] = frozenset()
    commands: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Raise BadField if a value has another type."""
        if not all(isinstance(reading, Reading) for reading in self.devices.values()):
            raise BadField("devices", "a reading for every device", self.devices)
        if not all(isinstance(text, str) for text in (*self.clients, *self.commands)):
            raise BadField("", "texts as clients and commands", (self.clients, self.commands))
