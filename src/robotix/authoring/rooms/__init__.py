"""Rooms that come with the package, ready to run."""

from __future__ import annotations

from pathlib import Path

from robotix.errors import UnknownName

__all__ = ["default_room", "room_names", "room_path"]

_FOLDER = Path(__file__).parent
_ROOMS = ("flat",)  # the other scene files here are parts of these


def room_names() -> tuple[str, ...]:
    """Names of all rooms."""
    return _ROOMS


def room_path(name: str) -> Path:
    """Return the scene file of a room."""
    if name not in _ROOMS:
        raise UnknownName("room", name, _ROOMS)
    return _FOLDER / f"{name}.yaml"


def default_room() -> Path:
    """Return the scene file of the room that opens when none is named: a furnished flat."""
    return room_path(_ROOMS[0])
