"""Files that rules may ask for are read before the tick that needs them, and again when changed."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from robotix.motion.motion_cache import MAX_MOTIONS

if TYPE_CHECKING:
    from robotix.scene.scene import Command, Scene

__all__ = ["RuleFiles", "reading_ahead"]

CHECK_INTERVAL = 0.5  # s between two searches for files that have changed
MAX_AGE = 2.0  # s after which a change counts, also if nobody has looked: on a busy machine
REST_AFTER_FAULT = 20  # rounds


class RuleFiles:
    """Reads robots and long motions that the rules of a scene name, unless nothing has changed."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._paths: dict[str, tuple[Path, ...]] = {}  # of robots' files, by the name in the rule
        self._rests: dict[str, int] = {}  # rounds in which a faulty file is left alone

    def __len__(self) -> int:
        """Return the number of commands that read files."""
        return len(self._commands())

    def read(self) -> None:
        """Read what is new or has changed since the last time."""
        from robotix.scene.commands.moves import Play, Save
        from robotix.scene.commands.robots import Init, Renew
        from robotix.scene.console.preparation import reader_of
        from robotix.scene.read_ahead import FAULTS

        motions = set[str]()
        for command in self._commands():
            match command:
                case Init():
                    self._read_robot(command.file)
                case Renew():
                    for file in Renew.files_of(self._scene):
                        self._read_robot(file)
                case Play() | Save() if len(motions | {command.file}) <= MAX_MOTIONS:
                    motions.add(command.file)
                    with suppress(*FAULTS):
                        if (read := reader_of(self._scene, command)) is not None:
                            read()

    def _commands(self) -> list[Command]:
        from robotix.scene.commands.checking import parts_of
        from robotix.scene.commands.moves import Play, Save
        from robotix.scene.commands.robots import Init, Renew

        parts = (part for rule in tuple(self._scene.rules) for part in parts_of(rule.command))
        return [part for part in parts if isinstance(part, Init | Renew | Play | Save)]

    def _read_robot(self, file: str) -> None:
        from robotix.scene.console.preparation import read_robots

        ahead = self._scene.files.read_ahead
        paths = self._paths.get(file, ())
        is_faulty, rest = any(map(ahead.is_faulty, paths)), self._rests.get(file, 0)
        if paths and all(map(ahead.has_fresh, paths)) and not (is_faulty and rest == 0):
            self._rests[file] = max(0, rest - 1)
            return
        found = read_robots(self._scene, (file,))
        ahead.watch(found, _files_of, self._scene.files.contents_of)
        self._paths[file], self._rests[file] = found.paths, REST_AFTER_FAULT


def _files_of(path: Path) -> Iterable[Path]:
    """Return the files that a robot's file refers to."""
    from robotix.scene.recording.references import referenced_files

    return referenced_files([path], path.parent.resolve()).values()


@contextmanager
def reading_ahead(scene: Scene) -> Iterator[None]:
    """Read the files of the rules now, and in a thread of its own whenever they change."""
    files, is_over = RuleFiles(scene), threading.Event()
    scene.files.accept_age(MAX_AGE)
    if not len(files):
        yield
        return
    files.read()

    def look() -> None:
        while not is_over.wait(CHECK_INTERVAL):
            with suppress(RuntimeError):  # rules were added meanwhile
                files.read()

    thread = threading.Thread(target=look, name="files of rules", daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        thread.join()
