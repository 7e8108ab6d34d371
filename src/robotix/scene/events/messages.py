"""Messages of a scene to its clients: texts, sounds, requests for pictures, problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["Announcement", "Message", "Problem", "SnapshotAsked", "SoundStarted", "SoundStopped"]


@dataclass(frozen=True)
class Announcement:
    """A text for the users."""

    text: str


@dataclass(frozen=True)
class SoundStarted:
    """A sound starts, at a node if one is named."""

    uri: str
    node: str = ""
    loop: bool = False
    volume: float = 1.0


@dataclass(frozen=True)
class SoundStopped:
    """A sound stops."""

    uri: str
    node: str = ""


@dataclass(frozen=True)
class SnapshotAsked:
    """A client that can render should save a picture of the scene."""

    path: str
    viewpoint: str = ""  # a node; the client's own view if empty


@dataclass(frozen=True)
class Problem:
    """An error occurred; the scene continues."""

    who: str  # the rule, action, plug-in or command
    what: str


Message: TypeAlias = Announcement | SoundStarted | SoundStopped | SnapshotAsked | Problem
