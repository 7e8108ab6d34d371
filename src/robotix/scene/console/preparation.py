"""What can be done for a console line before its tick: reading the files that it needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from robotix.errors import RobotixError
from robotix.scene.commands.moves import Play, Save
from robotix.scene.commands.robots import Init, Renew, make_trial
from robotix.scene.console.console import check_inside, parse_line
from robotix.scene.read_ahead import FAULTS, ReadAhead
from robotix.scene.scene import Command, Scene

__all__ = ["preparation_of", "read_robots", "reader_of"]

FILE_COMMANDS = frozenset({"init", "play", "renew", "save"})


def preparation_of(scene: Scene, line: str) -> Callable[[], object] | None:
    """Return what reads the files that a line needs; None if it needs none."""
    try:
        typed, argument = parse_line(line)
        if typed.name not in FILE_COMMANDS:
            return None
        return reader_of(scene, typed.parse(argument))
    except (OSError, ValueError, RobotixError):  # the line itself will say what is wrong
        return None


def reader_of(scene: Scene, command: Command) -> Callable[[], object] | None:
    """Return what reads the files that a command needs; None if it needs none.

    Raise an error if it leads out of the scene's folder.
    """
    match command:
        case Play() | Save():
            check_inside(command.file)
            path = scene.files.motion_path(command.file)
            return partial(scene.files.motions.refresh, path) if path.exists() else None
        case Init():
            check_inside(command.file)
            return partial(_read_robots, scene, (command.file,))
        case Renew():
            return partial(_read_robots, scene, Renew.files_of(scene))
    return None


def _read_robots(scene: Scene, files: Sequence[str]) -> None:
    """Read robots as the command will, into a scene that nobody sees; meshes are cached, too."""
    scene.files.read_ahead.update(read_robots(scene, files), scene.files.contents_of)


def read_robots(scene: Scene, files: Sequence[str]) -> ReadAhead:
    """Return what is in robots' files, or wrong with them, read as `init` will."""
    trial = make_trial(scene)
    if scene.robot_loader is not None:
        for file in files:
            with suppress(*FAULTS):  # the command will say what is wrong
                scene.robot_loader(trial, file)
    return trial.files.read_ahead
