"""Basic commands: messages, sounds, signals, timers, and composites of other commands."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import PurePath

from robotix.errors import BadField
from robotix.scene.events.action import Action, repeat, together, wait
from robotix.scene.events.events import Event, Signal
from robotix.scene.events.messages import SnapshotAsked, SoundStarted, SoundStopped
from robotix.scene.events.rules import run_command
from robotix.scene.graph.field_types import FileName, NodeName, SignalName
from robotix.scene.scene import Command, Scene

__all__ = [
    "Emit",
    "InTurn",
    "PlaySound",
    "Repeat",
    "Say",
    "StartTimer",
    "StopSound",
    "StopTimer",
    "TakeSnapshot",
    "Together",
    "Wait",
    "in_turn",
]


@dataclass(frozen=True)
class Say:
    """Show a text to the users."""

    text: str

    def __call__(self, scene: Scene, event: Event) -> None:
        """Show it when the event triggers."""
        if event.is_trigger:
            scene.say(self.text)


@dataclass(frozen=True)
class PlaySound:
    """Play a sound, at a node if one is named; when off, stop it."""

    file: FileName
    node: NodeName = ""
    loop: bool = False
    volume: float = 1.0

    def __post_init__(self) -> None:
        """Raise ValueError unless the volume is in 0..1."""
        if not 0 <= self.volume <= 1:
            raise BadField("volume", "in 0..1", self.volume)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Start when the event is on, stop when off."""
        if event.state:
            scene.send(SoundStarted(self.file, self.node, self.loop, self.volume))
        else:
            scene.send(SoundStopped(self.file, self.node))


@dataclass(frozen=True)
class StopSound:
    """Stop a sound."""

    file: FileName
    node: NodeName = ""

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it for both states."""
        scene.send(SoundStopped(self.file, self.node))


@dataclass(frozen=True)
class TakeSnapshot:
    """Request a picture of the scene, a PNG file in the folder for pictures."""

    path: str
    viewpoint: NodeName = ""

    def __post_init__(self) -> None:
        """Raise ValueError unless the path is a .png file below the folder for pictures."""
        path = PurePath(self.path)
        if path.suffix.lower() != ".png" or path.is_absolute() or ".." in path.parts:
            raise BadField("path", "a .png file below the folder for pictures", repr(self.path))

    def __call__(self, scene: Scene, event: Event) -> None:
        """Send the request when the event triggers."""
        if event.is_trigger:
            scene.send(SnapshotAsked(self.path, self.viewpoint))


@dataclass(frozen=True)
class Emit:
    """Send a signal that follows the event's state."""

    signal: SignalName

    def __post_init__(self) -> None:
        """Raise ValueError without a name."""
        _check_name("signal", self.signal)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Emit the signal with the state of the event."""
        scene.emit(Event(Signal(self.signal), event.state))


@dataclass(frozen=True)
class StartTimer:
    """Start a timer, periodic with `again`; when off, stop it."""

    timer: str
    seconds: float
    again: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError without a name or for a negative time."""
        _check_name("timer", self.timer)
        _check_time(self.seconds)

    def __call__(self, scene: Scene, event: Event) -> None:
        """Start when the event is on, stop when off."""
        if event.state:
            scene.timers.start(self.timer, self.seconds, again=self.again)
        else:
            scene.timers.stop(self.timer)


@dataclass(frozen=True)
class StopTimer:
    """Stop a timer."""

    timer: str

    def __call__(self, scene: Scene, event: Event) -> None:
        """Stop it for both states."""
        scene.timers.stop(self.timer)


@dataclass(frozen=True)
class Wait:
    """Wait for a number of seconds."""

    seconds: float

    def __post_init__(self) -> None:
        """Raise ValueError unless seconds >= 0."""
        _check_time(self.seconds)

    def __call__(self, scene: Scene, event: Event) -> Action:
        """Return the action that waits."""
        return wait(scene, self.seconds)


@dataclass(frozen=True)
class InTurn:
    """Run commands in sequence, each when the one before has ended."""

    do: tuple[Command, ...]

    def __call__(self, scene: Scene, event: Event) -> Action:
        """Start the first command."""
        return self.play(scene, event, begun=[])

    def play(self, scene: Scene, event: Event, *, begun: list[Command]) -> Action:
        """Start the first command; add each to `begun` when it starts."""
        return _all(self.do, scene, event, begun=begun)


@dataclass(frozen=True)
class Together:
    """Run commands in parallel."""

    do: tuple[Command, ...]

    def __call__(self, scene: Scene, event: Event) -> Action:
        """Start all commands."""
        return self.play(scene, event, begun=[])

    def play(self, scene: Scene, event: Event, *, begun: list[Command]) -> Action:
        """Start all commands; add each to `begun` when it starts."""
        return together([_all([command], scene, event, begun=begun) for command in self.do])


@dataclass(frozen=True)
class Repeat:
    """Run commands in sequence, a number of times, or without end."""

    do: tuple[Command, ...]
    times: int | None = None

    def __post_init__(self) -> None:
        """Raise ValueError unless times >= 1."""
        if self.times is not None and self.times < 1:
            raise BadField("times", "1 or more", self.times)

    def __call__(self, scene: Scene, event: Event) -> Action:
        """Start the first repetition."""
        return self.play(scene, event, begun=[])

    def play(self, scene: Scene, event: Event, *, begun: list[Command]) -> Action:
        """Start the first repetition; add commands to `begun`; when off, run only one."""
        one_round = partial(_all, self.do, scene, event, begun=begun)
        return repeat(one_round, times=self.times) if event.state else one_round()


def in_turn(commands: Sequence[Command]) -> Command:
    """Return a command that runs these in sequence."""
    return commands[0] if len(commands) == 1 else InTurn(tuple(commands))


def _check_name(field: str, name: str) -> None:
    if not name:
        raise BadField(field, "a name", "an empty one")


def _check_time(seconds: float) -> None:
    if not (math.isfinite(seconds) and seconds >= 0):
        raise BadField("seconds", "0 s or more", seconds)


def _all(
    commands: Sequence[Command], scene: Scene, event: Event, *, begun: list[Command]
) -> Action:
    """Run commands in sequence; those without an action take no tick."""
    for command in commands:
        action = run_command(command, scene, event, begun=begun)
        if action is not None:
            yield from action
