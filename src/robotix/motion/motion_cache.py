"""Motion files that were read already: a scene in real time cannot wait for a long one."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path
from typing import TypeAlias

from robotix.errors import BadFile
from robotix.model import Model
from robotix.motion.files import append_motion, load_motion
from robotix.motion.motion import Motion

__all__ = ["FileState", "MotionCache", "file_state"]

MAX_MOTIONS = 8

FileState: TypeAlias = tuple[int, int, int]  # inode, size, time of the last change in ns


class MotionCache:
    """Loads and extends motion files; a file that has not changed is read once. Thread-safe."""

    def __init__(self) -> None:
        self._motions: OrderedDict[Path, tuple[FileState, Motion]] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, path: Path, *, model: Model | None = None) -> Motion:
        """Return a motion, as `load_motion` does."""
        motion = self._known(path)
        if motion is None:
            state = file_state(path)
            motion = load_motion(path)
            self._keep(path, state, motion)
        if model is not None:
            try:
                motion.check_model(model)
            except ValueError as error:
                raise BadFile(str(path), str(error), "a motion of that model", line=1) from None
        return motion

    def append(self, path: Path, motion: Motion, *, gap: float | None = None) -> None:
        """Add a motion to the end of a file, as `append_motion` does."""
        whole = append_motion(path, motion, gap=gap, known=self._known(path))
        self._keep(path, file_state(path), whole)

    def _known(self, path: Path) -> Motion | None:
        with self._lock:
            found = self._motions.get(path.absolute())
        return found[1] if found is not None and found[0] == file_state(path) else None

    def _keep(self, path: Path, state: FileState | None, motion: Motion) -> None:
        if state is None:
            return
        with self._lock:
            self._motions[path.absolute()] = state, motion
            self._motions.move_to_end(path.absolute())
            while len(self._motions) > MAX_MOTIONS:
                self._motions.popitem(last=False)


def file_state(path: Path) -> FileState | None:
    """Return what changes with the file; None if it cannot be read."""
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_ino, info.st_size, info.st_mtime_ns
