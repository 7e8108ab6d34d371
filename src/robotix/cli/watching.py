"""Watches the files of a scene, so that `robotix run --watch` loads it again when one is saved."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from robotix.scene.loop import Loop

__all__ = ["FileWatch"]

# Files that scenes are made of. What a run writes (.csv, .mcap, pictures) is not among them.
SUFFIXES = frozenset({".yaml", ".yml", ".py", ".toml", ".urdf", ".xacro", ".xml", ".vd2", ".cfg"})
MAX_FILES = 2000
POLL_INTERVAL = 0.3  # s between two looks

Stamps: TypeAlias = dict[str, tuple[int, int]]  # time in ns and size in bytes, by path


class FileWatch:
    """The files below the folder of a scene file; folders that begin with a dot are left out."""

    def __init__(self, scene: Path) -> None:
        """Remember the files as they are now."""
        self._folder = scene.resolve().parent
        self._stamps = self._look()

    def has_changed(self) -> bool:
        """Return whether a file was saved, added or removed since the last call that said so."""
        now = self._look()
        if now == self._stamps:
            return False
        self._stamps = now
        return True

    def wait(self) -> None:
        """Wait until a file is saved."""
        while not self.has_changed():
            time.sleep(POLL_INTERVAL)

    @contextmanager
    def stopping(self, loop: Loop) -> Iterator[threading.Event]:
        """Stop a loop when a file is saved; yield an event that is set then."""
        changed, ended = threading.Event(), threading.Event()

        def watch() -> None:
            while not ended.wait(POLL_INTERVAL):
                if self.has_changed():
                    changed.set()
                    loop.stop()
                    return

        thread = threading.Thread(target=watch, name="file watch", daemon=True)
        thread.start()
        try:
            yield changed
        finally:
            ended.set()
            thread.join()

    def _look(self) -> Stamps:
        stamps: Stamps = {}
        for path in islice(self._files(), MAX_FILES):
            try:
                status = path.stat()
            except OSError:  # it was removed meanwhile
                continue
            stamps[str(path)] = (status.st_mtime_ns, status.st_size)
        return stamps

    def _files(self) -> Iterator[Path]:
        for folder, folders, names in os.walk(self._folder):
            folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
            yield from (Path(folder, name) for name in names if Path(name).suffix in SUFFIXES)
