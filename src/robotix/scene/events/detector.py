"""Event detection: which sources switched since the last tick.

Only sources that some rule uses are evaluated.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Protocol

from robotix.errors import RobotixError
from robotix.inputs.readings import Inputs
from robotix.scene.contact.contacts import Contacts
from robotix.scene.events.context import HasInputs, Reporter, TickClock
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
from robotix.scene.events.timers import Timers

__all__ = ["EventDetector"]


class TouchMemory(Protocol):
    """Remembers what touched since the last tick."""

    def has_touched(self, first: str, second: str) -> bool:
        """Return whether two branches touched, however briefly."""


class DetectorContext(HasInputs, TickClock, Reporter, Protocol):
    """What the detector needs of a scene."""

    @property
    def contacts(self) -> Contacts:
        """Distances and collisions between nodes."""

    @property
    def physics(self) -> TouchMemory:
        """The physics of the room, if it is on."""

    @property
    def timers(self) -> Timers:
        """The running timers."""


@dataclass
class EventDetector:
    """Compares each source with its state in the last tick, and yields what switched."""

    is_on: dict[Source, bool] = field(default_factory=dict)
    down_since: dict[Button, int] = field(default_factory=dict)  # tick
    clients: frozenset[str] = frozenset()
    failing: set[Source] = field(default_factory=set)  # sources whose error was reported

    def detect(self, scene: DetectorContext, polled: Iterable[Source]) -> Iterator[Event]:
        """Yield the events of this tick, in an order that depends only on the rules.

        `polled` are the sources that must be evaluated in every tick.
        """
        yield from self._buttons(scene)
        yield from self._clients(scene.inputs)
        for source in polled:
            try:
                is_on = self._is_on(source, scene)
            except (RobotixError, ValueError) as error:  # such as a node that was removed
                is_on = False
                if source not in self.failing:
                    scene.fail(f"rules on {source}", error)
                    self.failing.add(source)
            else:
                self.failing.discard(source)
            if is_on != self.is_on.get(source, False):
                self.is_on[source] = is_on
                yield Event(source, is_on)
        for name in scene.timers.advance():
            yield Event(Timer(name))

    def _is_on(self, source: Source, scene: DetectorContext) -> bool:
        match source:
            case Collision():
                now = scene.contacts.touching(source.first, source.second)
                return now or scene.physics.has_touched(source.first, source.second)
            case RegionEntry():
                return scene.contacts.is_inside(source.region, source.node)
            case ButtonHeld() | Axis() | DeviceLink():
                return self._is_read_on(source, scene)
            case _:
                raise AssertionError(f"{source} is emitted, not polled")

    def _buttons(self, scene: DetectorContext) -> Iterator[Event]:
        down = {
            Button(device, button)
            for device, reading in scene.inputs.devices.items()
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

    def _is_read_on(self, source: ButtonHeld | Axis | DeviceLink, scene: DetectorContext) -> bool:
        """Return whether the reading of a device says that a source is on."""
        if isinstance(source, ButtonHeld):
            since = self.down_since.get(source.pressed)
            return since is not None and (scene.tick - since) * scene.dt >= source.seconds
        reading = scene.inputs.devices.get(source.device)
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
