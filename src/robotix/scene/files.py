"""The files of a scene: where it was read from, and where it reads and writes its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from robotix.errors import BadField
from robotix.motion.motion import Motion
from robotix.motion.motion_cache import MotionCache
from robotix.scene.read_ahead import Contents, ReadAhead
from robotix.scene.writes import WriteQueue

__all__ = ["SceneFiles", "check_inside"]

T = TypeVar("T")


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
    writes: WriteQueue | None = None  # None: files are written at once
    # Called with name, path and, if known, contents before a command first uses a motion or robot.
    on_use: Callable[[str, Path, Contents | None], None] | None = None
    # Returns the contents of a file and those that it refers to; None: nobody needs them.
    contents_of: Callable[[Path], Contents] | None = None

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
        if self.on_use is None or self.motions.is_own(path):
            return
        data = self.motions.data(path)
        contents = self.read_ahead.contents(path) if data is None else {path.name: data}
        self.on_use(name, path, contents)

    def append_motion(self, path: Path, motion: Motion, *, gap: float) -> None:
        """Add a motion to the end of a file: at once for those who read it, soon on the disk."""
        write = self.motions.append_later(path, motion, gap=gap)
        if self.writes is None:
            write()
        else:
            self.writes.add(f"save {path.name}", partial(_written, write))

    def accept_age(self, seconds: float) -> None:
        """Let changes of files by others count so much later, since somebody else reads them."""
        self.motions.max_age = self.read_ahead.max_age = seconds


def _written(write: Callable[[], None]) -> str:
    write()
    return ""  # nothing to say


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
