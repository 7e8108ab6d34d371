"""The files of a scene: where it was read from, and where it reads and writes its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from robotix.errors import BadField
from robotix.motion.motion_cache import MotionCache

__all__ = ["SceneFiles", "check_inside"]


@dataclass
class SceneFiles:
    """The paths of a scene; relative to the working directory when it has no file."""

    source: Path | None = None  # the scene file
    folder: Path | None = None  # for motions and pictures; None: that of the scene file
    motions: MotionCache = field(default_factory=MotionCache, repr=False, compare=False)
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
