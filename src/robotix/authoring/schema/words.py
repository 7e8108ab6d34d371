"""The words of rules: what `when` can name, and what `do` can."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from robotix.authoring.schema.slots import OneWord
from robotix.scene.commands.registry import COMMANDS
from robotix.scene.events import devices, events
from robotix.scene.people.task_steps import STEPS

__all__ = ["COMMAND", "SOURCE", "SOURCES", "STEP", "Key", "command_words", "said_of"]


@dataclass(frozen=True)
class Key:
    """A key of the keyboard is down."""

    key: str


# What scene files call the sources of events.
SOURCES: Mapping[str, type[Any]] = {
    "key": Key,
    "button": events.Button,
    "hold": events.ButtonHeld,
    "axis": events.Axis,
    "collision": events.Collision,
    "region": events.RegionEntry,
    "timer": events.Timer,
    "event": events.Signal,
    "client": events.ClientConnected,
    "end_of_stroke": events.EndOfStroke,
    "moves": events.RobotMoves,
    "device": events.DeviceLink,
}


@cache
def command_words() -> Mapping[str, type[Any]]:
    """Return all commands by the word that scene files use."""
    return dict(COMMANDS)


def _meant(read: Any) -> events.Source:
    """Return the source that a `when` means."""
    match read:
        case Key(key):
            return events.Button(devices.KEYBOARD, key)
        case events.ClientConnected("any"):
            return events.ClientConnected()
    source: events.Source = read
    return source


def said_of(source: events.Source) -> Any:
    """Return what a `when` says of a source."""
    match source:
        case events.Button(devices.KEYBOARD, key):
            return Key(key)
    return source


COMMAND = OneWord("command", "{say: hello}", command_words, lambda command: command)
STEP = OneWord("step", "{wait: 1}", lambda: STEPS, lambda step: step)
SOURCE = OneWord("source of events", "{key: Left}", lambda: SOURCES, _meant)
