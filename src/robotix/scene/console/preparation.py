"""What can be done for a console line before its tick: reading the long file that it needs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from robotix.errors import RobotixError
from robotix.scene.commands.moves import Play, Save
from robotix.scene.console.console import check_inside, parse_line
from robotix.scene.scene import Scene

__all__ = ["preparation_of"]

LONG_FILE = 64 << 10  # bytes; shorter ones are read in the tick
FILE_COMMANDS = frozenset({"play", "save"})


def preparation_of(scene: Scene, line: str) -> Callable[[], object] | None:
    """Return what reads the file that a line needs; None if it needs none, or a short one."""
    try:
        typed, argument = parse_line(line)
        if typed.name not in FILE_COMMANDS:
            return None
        command = typed.parse(argument)
        if not isinstance(command, Play | Save):
            return None
        check_inside(command.file)
        path = scene.files.motion_path(command.file)
        if path.stat().st_size < LONG_FILE:
            return None
    except (OSError, ValueError, RobotixError):  # the line itself will say what is wrong
        return None
    return partial(scene.files.motions.load, path)
