"""The words of rules: what `when` can name, and what `do` can."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from robotix.files.typed.markers import OneWord
from robotix.inputs.device_kinds import KEYBOARD
from robotix.scene.commands.registry import COMMANDS
from robotix.scene.events import events
from robotix.scene.graph.field_types import TaskStepValue
from robotix.scene.people.task_steps import STEPS

__all__ = [
    "COMMAND",
    "SOURCE",
    "SOURCES",
    "STEP",
    "WORDS",
    "Key",
    "command_words",
    "written_source",
]


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


def _source_of(read: Any) -> events.Source:
    """Return the source that a `when` means."""
    match read:
        case Key(key):
            return events.Button(KEYBOARD, key)
        case events.ClientConnected("any"):
            return events.ClientConnected()
    source: events.Source = read
    return source


def written_source(source: events.Source) -> Any:
    """Return what a `when` says of a source."""
    match source:
        case events.Button(device, key) if device == KEYBOARD:
            return Key(key)
    return source


COMMAND = OneWord("command", "{say: hello}", command_words, lambda command: command)
STEP = OneWord("step", "{wait: 1}", lambda: STEPS, lambda step: step)
SOURCE = OneWord("source of events", "{key: Left}", lambda: SOURCES, _source_of)
WORDS: Mapping[Any, OneWord] = {Callable: COMMAND, TaskStepValue: STEP}  # for a `Reader`
