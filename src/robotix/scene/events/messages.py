"""What the room tells those who watch it: words, sounds, requests for pictures, problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from robotix.inputs.problem import Problem

__all__ = ["Announcement", "Message", "SnapshotAsked", "SoundStarted", "SoundStopped"]


@dataclass(frozen=True)
class Announcement:
    """Words for the people in the room."""

    text: str


@dataclass(frozen=True)
class SoundStarted:
    """A sound plays, from where a node is when one is named."""

    uri: str
    node: str = ""
    loop: bool = False
    volume: float = 1.0


@dataclass(frozen=True)
class SoundStopped:
    """A sound is over."""

    uri: str
    node: str = ""


@dataclass(frozen=True)
class SnapshotAsked:
    """Somebody who can draw should save a picture of the room."""

    path: str
    viewpoint: str = ""  # a node; where the client stands when empty


Message: TypeAlias = Announcement | SoundStarted | SoundStopped | SnapshotAsked | Problem
