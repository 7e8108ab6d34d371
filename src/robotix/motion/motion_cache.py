"""Motion files that were read already: a scene in real time cannot wait for a disk."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from robotix.errors import BadFile
from robotix.model import Model
from robotix.motion.files import MotionExtension, extend_motion, load_motion
from robotix.motion.motion import Motion

__all__ = ["FileState", "MotionCache", "file_state"]

MAX_MOTIONS = 32
MAX_KEPT_BYTES = 1 << 20  # of a file whose bytes are kept for a recording

FileState: TypeAlias = tuple[int, int, int]  # inode, size, time of the last change in ns


@dataclass(frozen=True, eq=False)
class _Entry:
    """What a file holds, or will when all is written."""

    motion: Motion
    state: FileState | None  # of the file that was read or written
    data: bytes | None = None  # of the file, if it is small and nothing was appended
    is_own: bool = False  # the file was made here
    n_unwritten: int = 0  # changes that are not on the disk yet
    checked: float = 0.0  # s of the clock, when the file was last seen to be so


class MotionCache:
    """Loads and extends motion files; a file that has not changed is read once. Thread-safe.

    A change by another program counts at the latest `max_age` seconds after it; by then somebody
    has to call `refresh`, or `load` does so.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.max_age = 0.0  # s
        self._clock = clock
        self._entries: OrderedDict[Path, _Entry] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, path: Path, *, model: Model | None = None) -> Motion:
        """Return a motion, as `load_motion` does."""
        entry = self._known(path, max_age=self.max_age)
        motion = (entry or self._read(path)).motion
        if model is not None:
            try:
                motion.check_model(model)
            except ValueError as error:
                raise BadFile(str(path), str(error), "a motion of that model", line=1) from None
        return motion

    def refresh(self, path: Path) -> None:
        """Read a file if it has changed since it was read; a thread that may wait calls it."""
        if self._known(path, max_age=0.0) is None:
            self._read(path)

    def append(self, path: Path, motion: Motion, *, gap: float | None = None) -> None:
        """Add a motion to the end of a file, as `append_motion` does."""
        self.append_later(path, motion, gap=gap)()

    def append_later(
        self, path: Path, motion: Motion, *, gap: float | None = None
    ) -> Callable[[], None]:
        """Add a motion to the end of a file that `load` returns at once; return what writes it.

        Those of one file must be called in their order.
        """
        entry = self._known(path, max_age=self.max_age)
        if entry is None and path.exists():
            entry = self._read(path)
        old = None if entry is None else entry.motion
        extension = extend_motion(path, old, motion, gap=gap)
        with self._lock:
            now = self._entries.get(path.absolute())  # another one may be written meanwhile
            unwritten = 0 if now is None else now.n_unwritten
            is_own = entry is None or entry.is_own
            whole = _Entry(
                extension.whole,
                None,
                is_own=is_own,
                n_unwritten=unwritten + 1,
                checked=self._clock(),
            )
            self._keep(path, whole)
        return lambda: self._write(extension)

    def is_own(self, path: Path) -> bool:
        """Return whether a file was made here, and changed by nobody else."""
        entry = self._known(path, max_age=self.max_age)
        return entry is not None and entry.is_own

    def data(self, path: Path) -> bytes | None:
        """Return the bytes of a small file that was read, as `load` returns it; None: unknown."""
        entry = self._known(path, max_age=self.max_age)
        return None if entry is None else entry.data

    def _write(self, extension: MotionExtension) -> None:
        key = extension.path.absolute()
        try:
            extension.write()
        except BaseException:
            with self._lock:
                self._entries.pop(key, None)  # the file does not hold what was promised
            raise
        with self._lock:
            entry = self._entries.get(key)
            if entry is not None:
                state = file_state(extension.path)
                left = max(0, entry.n_unwritten - 1)
                self._entries[key] = replace(
                    entry, state=state, n_unwritten=left, checked=self._clock()
                )

    def _known(self, path: Path, *, max_age: float) -> _Entry | None:
        """Return what is known of a file, unless it has changed since more than `max_age`."""
        key, now = path.absolute(), self._clock()
        with self._lock:
            entry = self._entries.get(key)
            if entry is None or entry.n_unwritten:
                return entry
            if entry.state == file_state(path):
                self._entries[key] = entry = replace(entry, checked=now)
                return entry
            return entry if now - entry.checked < max_age and path.exists() else None

    def _read(self, path: Path) -> _Entry:
        state, now = file_state(path), self._clock()
        motion = load_motion(path)
        entry = _Entry(motion, state, checked=now)
        if state is not None:
            if state[1] <= MAX_KEPT_BYTES:
                data = path.read_bytes()
                entry = replace(entry, data=data if file_state(path) == state else None)
            with self._lock:
                known = self._entries.get(path.absolute())
                if known is None or not known.n_unwritten:
                    self._keep(path, entry)
        return entry

    def _keep(self, path: Path, entry: _Entry) -> None:
        self._entries[path.absolute()] = entry
        self._entries.move_to_end(path.absolute())
        for key, each in tuple(self._entries.items())[: max(0, len(self._entries) - MAX_MOTIONS)]:
            if not each.n_unwritten:
                del self._entries[key]


def file_state(path: Path) -> FileState | None:
    """Return what changes with the file; None if it cannot be read."""
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns
