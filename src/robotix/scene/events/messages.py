"""Messages of a scene to its clients: texts, sounds, requests for pictures, problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from robotix.inputs.problem import Problem

__all__ = ["Announcement", "Message", "SnapshotAsked", "SoundStarted", "SoundStopped"]


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


Message: TypeAlias = Announcement | SoundStarted | SoundStopped | SnapshotAsked | Problem
