"""Watching: which sources of events switched since the last tick.

Only what some rule waits for is looked at; what nobody asked for costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from robotix.errors import BadField, RobotixError
from robotix.inputs.readings import Inputs
from robotix.scene.events.events import (
    Axis,
    Button,
    ButtonHeld,
    ClientConnected,
    Collision,
    DeviceLink,
    Event,
    RegionEntry,
    Source,
    Timer,
)

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["EventDetector", "Timers"]

NOBODY = frozenset[str]()


class Timers:
    """Timers by name: each rings after so many seconds, once or again and again."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._left: dict[str, tuple[int, int]] = {}  # ticks to go, ticks of a round (0: once)

    def __contains__(self, name: object) -> bool:
        return name in self._left

    def start(self, name: str, seconds: float, *, again: bool = False) -> None:
        """Let a timer ring in `seconds`; one of that name that is running starts anew."""
        if not (math.isfinite(seconds) and seconds >= 0):
            raise BadField("seconds", f"0 s or more for the timer {name!r}", seconds)
        ticks = max(1, round(seconds / self._dt))
        self._left[name] = ticks, ticks if again else 0

    def stop(self, name: str) -> None:
        """Stop a timer; one that does not run stays as it is."""
        self._left.pop(name, None)

    def advance(self) -> list[str]:
        """Let one tick pass and return the names of those that ring."""
        rang = []
        for name, (left, again) in list(self._left.items()):
            if left > 1:
                self._left[name] = left - 1, again
                continue
            rang.append(name)
            if again:
                self._left[name] = again, again
            else:
                del self._left[name]
        return rang

    def state(self) -> list[tuple[str, int, int]]:
        """Return what the state of the room depends on."""
        return [(name, left, again) for name, (left, again) in self._left.items()]


@dataclass
class EventDetector:
    """Remembers what was on at the last tick, and tells what switched."""

    is_on: dict[Source, bool] = field(default_factory=dict)
    down_since: dict[Button, int] = field(default_factory=dict)  # tick
    clients: frozenset[str] = NOBODY
    blind: set[Source] = field(default_factory=set)  # reported as impossible to look at

    def look(self, scene: Scene, inputs: Inputs) -> Iterator[Event]:
        """Yield the events of this tick, in an order that depends on nothing but the rules."""
        yield from self._buttons(scene, inputs)
        yield from self._clients(inputs)
        for source in scene.rules.polled:
            try:
                is_on = self._is_on(source, scene, inputs)
            except (RobotixError, ValueError) as error:  # its node is gone, say
                is_on = False
                if source not in self.blind:
                    scene.fail(f"rules on {source}", error)
                    self.blind.add(source)
            else:
                self.blind.discard(source)
            if is_on != self.is_on.get(source, False):
                self.is_on[source] = is_on
                yield Event(source, is_on)
        for name in scene.timers.advance():
            yield Event(Timer(name))

    def _is_on(self, source: Source, scene: Scene, inputs: Inputs) -> bool:
        match source:
            case Collision():
                return scene.contacts.touching(source.first, source.second)
            case RegionEntry():
                return scene.contacts.is_inside(source.region, source.node)
            case ButtonHeld() | Axis() | DeviceLink():
                return self._reads(source, scene, inputs)
            case _:
                raise AssertionError(f"{source} is announced, not looked at")

    def _buttons(self, scene: Scene, inputs: Inputs) -> Iterator[Event]:
        down = {
            Button(device, button)
            for device, reading in inputs.devices.items()
            if reading.live
            for button in reading.buttons
        }
        for button in sorted(self.down_since.keys() - down, key=_names):
            del self.down_since[button]
            yield Event(button, False)
        for button in sorted(down - self.down_since.keys(), key=_names):
            self.down_since[button] = scene.tick
            yield Event(button, True)

    def _clients(self, inputs: Inputs) -> Iterator[Event]:
        for name in sorted(self.clients - inputs.clients):
            yield Event(ClientConnected(name), False)
        for name in sorted(inputs.clients - self.clients):
            yield Event(ClientConnected(name), True)
        if bool(self.clients) != bool(inputs.clients):
            yield Event(ClientConnected(), bool(inputs.clients))
        self.clients = inputs.clients

    def _reads(self, source: ButtonHeld | Axis | DeviceLink, scene: Scene, inputs: Inputs) -> bool:
        if isinstance(source, ButtonHeld):
            since = self.down_since.get(source.what)
            return since is not None and (scene.tick - since) * scene.dt >= source.seconds
        reading = inputs.devices.get(source.device)
        if reading is None or not reading.live:
            return False
        if isinstance(source, DeviceLink):
            return True
        if source.axis >= len(reading.axes):
            return False
        value = reading.axes[source.axis]
        return value >= source.threshold if source.threshold > 0 else value <= source.threshold


def _names(button: Button) -> tuple[str, str]:
    return button.device, button.button
