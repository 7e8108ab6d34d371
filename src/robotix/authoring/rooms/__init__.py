"""Rooms that come with the package, ready to run."""

from __future__ import annotations

from pathlib import Path

from robotix.errors import UnknownName

__all__ = [
    "default_room",
    "examples_folder",
    "is_built_in",
    "room_names",
    "room_path",
    "room_plugins",
]

_FOLDER = Path(__file__).parent
_ROOMS = ("flat", "labyrinth")  # the other scene files here are parts of these


def room_names() -> tuple[str, ...]:
    """Names of all rooms."""
    return _ROOMS


def room_path(name: str) -> Path:
    """Return the scene file of a room."""
    if name not in _ROOMS:
        raise UnknownName("room", name, _ROOMS)
    return _FOLDER / f"{name}.yaml"


def is_built_in(path: Path) -> bool:
    """Return whether a scene file is part of the package."""
    return path.resolve().parent == _FOLDER.resolve()


def default_room() -> Path:
    """Return the scene file of the room that opens when none is named: a furnished flat."""
    return room_path(_ROOMS[0])


def examples_folder() -> Path:
    """Return the folder of the examples: part of the wheel, or of the repository."""
    package = _FOLDER.parents[1]
    inside = package / "examples"
    return inside if inside.is_dir() else package.parents[1] / "examples"


def room_plugins() -> tuple[Path, ...]:
    """Return the files of the plug-ins of all rooms."""
    return tuple(sorted(path for path in _FOLDER.glob("*.py") if path.name != "__init__.py"))
