"""The files of a scene: where it was read from, and where it reads and writes its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from robotix.errors import BadField
from robotix.motion.motion_cache import FileState, MotionCache, file_state

__all__ = ["ReadAhead", "SceneFiles", "check_inside"]

T = TypeVar("T")


class ReadAhead:
    """What files hold, read before the tick that needs it; each is used once."""

    def __init__(self) -> None:
        self._found: dict[Path, tuple[FileState | None, Any]] = {}

    def keep(self, path: Path, read: Callable[[], T]) -> T:
        """Return what is in a file, and keep it for `take`."""
        key = path.absolute()
        if key not in self._found:
            state = file_state(path)
            self._found[key] = state, read()
        found: T = self._found[key][1]
        return found

    def take(self, path: Path, read: Callable[[], T]) -> T:
        """Return what was kept, unless the file has changed since; otherwise read it now."""
        state, found = self._found.pop(path.absolute(), (None, None))
        if state is None or state != file_state(path):
            return read()
        kept: T = found
        return kept

    def update(self, other: ReadAhead) -> None:
        """Take over what another one keeps."""
        self._found.update(other._found)


@dataclass
class SceneFiles:
    """The paths of a scene; relative to the working directory when it has no file."""

    source: Path | None = None  # the scene file
    folder: Path | None = None  # for motions and pictures; None: that of the scene file
    motions: MotionCache = field(default_factory=MotionCache, repr=False, compare=False)
    read_ahead: ReadAhead = field(default_factory=ReadAhead, repr=False, compare=False)
    is_trial: bool = False  # what is read is kept for the scene that is meant
    used: set[Path] = field(default_factory=set)  # files that the scene file names
    saved: set[Path] = field(default_factory=set)  # files that were written for this scene
    # Called with name and path before a command reads or changes a motion or a robot's file.
    on_use: Callable[[str, Path], None] | None = None

    @property
    def assets(self) -> Path:
        """The folder of meshes, sounds and plug-ins: that of the scene file."""
        return Path() if self.source is None else self.source.parent

    @property
    def outputs(self) -> Path:
        """The folder of motions and pictures."""
        return self.folder or self.assets

    def motion_path(self, name: str) -> Path:
        """Return the path of a motion file that a command names.

        Raise `BadField` if a link leads out of the folder. An absolute path, which only a program
        can give, is used as it is.
        """
        if Path(name).is_absolute():
            return Path(name)
        return check_inside(self.outputs / name, self.outputs)

    def read(self, path: Path, read: Callable[[], T]) -> T:
        """Return what a robot's file holds, if it was read before; otherwise call `read`."""
        return (self.read_ahead.keep if self.is_trial else self.read_ahead.take)(path, read)

    def use(self, name: str, path: Path) -> None:
        """Report that a command is about to read or change a file."""
        if self.on_use is not None:
            self.on_use(name, path)


def check_inside(path: Path, folder: Path) -> Path:
    """Return a path; raise `BadField` if it leads out of the folder, as a link may."""
    try:
        is_inside = path.resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # links in a circle
        is_inside = False
    if not is_inside:
        expected = f"a file within {folder.resolve()}, also when links are followed"
        raise BadField("file", expected, repr(path.name))
    return path
