"""The files of a scene: where it was read from, and where it reads and writes its own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from robotix.errors import BadField
from robotix.motion.motion_cache import FileState, MotionCache, file_state
from robotix.scene.writes import WriteQueue

__all__ = ["ReadAhead", "SceneFiles", "check_inside"]

T = TypeVar("T")


@dataclass(frozen=True)
class _Kept:
    """What a file holds, and the states of the files that it depends on when it was read."""

    value: Any
    states: Mapping[Path, FileState | None]
    is_watched: bool = False  # all files that it depends on are known

    def is_fresh(self) -> bool:
        return all(
            state is not None and state == file_state(path) for path, state in self.states.items()
        )


class ReadAhead:
    """What files hold, read before the tick that needs it.

    Each is used once, since another file that it includes may change; one that is watched, with all
    the files that it depends on, until one of them changes.
    """

    def __init__(self) -> None:
        self._found: dict[Path, _Kept] = {}

    def keep(self, path: Path, read: Callable[[], T]) -> T:
        """Return what is in a file, and keep it for `take`."""
        key = path.absolute()
        kept = self._found.get(key)
        if kept is None or not kept.is_fresh():
            states = {key: file_state(path)}
            kept = self._found[key] = _Kept(read(), states)
        found: T = kept.value
        return found

    def take(self, path: Path, read: Callable[[], T]) -> T:
        """Return what was kept, unless the file has changed since; otherwise read it now."""
        key = path.absolute()
        kept = self._found.get(key)
        if kept is None or not kept.is_fresh():
            self._found.pop(key, None)
            return read()
        if not kept.is_watched:
            del self._found[key]
        found: T = kept.value
        return found

    def update(self, other: ReadAhead) -> None:
        """Take over what another one keeps."""
        self._found.update(other._found)

    def watch(self, other: ReadAhead, depends_on: Callable[[Path], Iterable[Path]]) -> None:
        """Take over what another one keeps, and the states of the files that each depends on."""
        for path, kept in other._found.items():
            states = {each: file_state(each) for each in depends_on(path)}
            self._found[path] = replace(kept, states={**states, **kept.states}, is_watched=True)

    def has_fresh(self, path: Path) -> bool:
        """Return whether what is kept of a file would be used."""
        kept = self._found.get(path.absolute())
        return kept is not None and kept.is_fresh()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files that are kept."""
        return tuple(self._found)


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
