"""The files of a scene: the one that was asked for, and those it includes or names.

All of them lie in the folder of the first or below it, so that a scene can be given away whole, and
one from a stranger cannot read what is none of its business. The user may allow more folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robotix.authoring.load.variables import read_variables, substitute
from robotix.authoring.schema.format import IncludeEntry
from robotix.errors import BadFile
from robotix.files import source_file
from robotix.files.typed.reader import Reader
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.scalars import nearest
from robotix.files.yaml.text import YamlMapping, YamlScalar, YamlSequence, YamlValue
from robotix.geometry import Pose

__all__ = ["SceneFile", "SceneFolder", "read_scene_files"]

MAX_BYTES = 2**19  # of all files together: five thousand objects, some seconds to read
MAX_FILES = 50
ALLOWED = "ROBOTIX_FOLDERS"  # environment variable: folders besides that of the scene


@dataclass(frozen=True, eq=False)
class SceneFile:
    """A file as it was read; offsets into `text` are those of the values."""

    path: Path
    text: str
    root: YamlMapping
    prefix: str = ""  # of the names that it gives
    pose: Pose = field(default_factory=Pose)  # room_from_file

    @property
    def is_elsewhere(self) -> bool:
        """Whether it was included under a prefix or at another place."""
        return bool(self.prefix) or not np.array_equal(self.pose.matrix, np.eye(4))


@dataclass(frozen=True)
class SceneFolder:
    """The folder of a scene. `changed` holds texts that are to replace those on the disk."""

    folder: Path
    changed: Mapping[Path, str] = field(default_factory=dict)
    used: set[Path] = field(default_factory=set)  # files that were named and lie in the folder

    def find(self, name: str, value: YamlValue, *, what: str) -> Path:
        """Return the file that a value of a scene file names; it must be there."""
        path = self.locate(name, value)
        try:
            if path.is_file():
                return path
        except OSError:  # too long a name
            pass
        value.refuse(f"no file {name!r}", nearest(name, _beside(path), what=what))

    def locate(self, name: str, value: YamlValue) -> Path:
        """Return where a file would be that a value names; refuse what lies elsewhere.

        The user may allow more folders by the environment variable `ROBOTIX_FOLDERS`.
        """
        folder = repr(self.folder.name) if self.folder.name else "of this file"
        inside = f"a path relative to this file, within the folder {folder}"
        allowed = _allowed_folders()
        is_odd = not name or "\0" in name or "\\" in name
        if is_odd or (Path(name).is_absolute() and not allowed):
            value.refuse(repr(name), f"{inside}; {ALLOWED} may allow others" if name else inside)
        path = Path(value.path).parent / name
        if not self.contains(path):
            hint = f"; to allow others, name their folder in {ALLOWED}"
            value.refuse(f"{name!r}, which is outside", inside + hint)
        self.used.add(path)
        return path

    def contains(self, path: Path) -> bool:
        """Return whether a path stays in the folder, or in one that the user allows."""
        try:
            real = path.resolve()
            folders = (self.folder, *_allowed_folders())
            return any(real.is_relative_to(each.resolve()) for each in folders)
        except (OSError, RuntimeError):  # links in a circle
            return False

    def relative(self, path: Path) -> str:
        """Return a path as the room knows it: seen from the scene's folder."""
        return Path(os.path.relpath(path, self.folder)).as_posix()

    def read(self, path: Path) -> str:
        """Return the text of a file; refuse what is not text."""
        if path in self.changed:
            return self.changed[path]
        return source_file.read_text(path, what="a scene file", limit=MAX_BYTES)


def _allowed_folders() -> list[Path]:
    return [Path(each) for each in os.environ.get(ALLOWED, "").split(os.pathsep) if each]


def _beside(path: Path) -> list[str]:
    try:
        return [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return []


def read_scene_files(path: Path, home: SceneFolder, reader: Reader) -> list[SceneFile]:
    """Return a scene file and all it includes, those first.

    Each of them once, but once for every prefix under which it is included.
    """
    collector = _Collector(home, reader)
    collector.collect(path, Inclusion(), above=())
    return list(collector.files.values())


@dataclass(frozen=True)
class Inclusion:
    """How a file is included."""

    prefix: str = ""
    pose: Pose = field(default_factory=Pose)  # room_from_file
    variables: Mapping[str, YamlScalar] = field(default_factory=dict)


@dataclass
class _Collector:
    home: SceneFolder
    reader: Reader
    files: dict[tuple[Path, str], SceneFile] = field(default_factory=dict)  # by path and prefix

    def collect(self, path: Path, how: Inclusion, *, above: tuple[Path, ...]) -> None:
        """Read a file after those that it includes."""
        text, problems = self.home.read(path), self.reader.problems
        if len(text) + sum(len(file.text) for file in self.files.values()) > MAX_BYTES:
            found = f"more than {MAX_BYTES} characters with all that is included"
            raise BadFile(str(path), found, "a smaller scene", line=1, column=1)
        root = parse_yaml(text, path=str(path))
        own = read_variables(root, problems)
        for name, meant in how.variables.items():
            if name not in own:
                expected = nearest(name, own, what="one of its variables")
                problems.append(meant.fault(f"{path.name} has no variable {name!r}", expected))
        if "$" in text:
            root = substitute(root, {**own, **how.variables})
        file = SceneFile(path, text, root, how.prefix, how.pose)
        row = (*above, path.resolve())
        given: set[tuple[Path, str]] = set()
        for value in _includes(file):
            with self.reader.collecting():
                self._include(value, how, row, given)
        self.files[path.resolve(), how.prefix] = file

    def _include(
        self, value: YamlValue, how: Inclusion, row: tuple[Path, ...], given: set[tuple[Path, str]]
    ) -> None:
        entry: IncludeEntry = self.reader.record(value, IncludeEntry)
        place = value.near("file") if isinstance(value, YamlMapping) else value
        other = self.home.find(entry.file, place, what="another scene file")
        if other.resolve() in row:
            value.refuse(f"{entry.file!r}, which includes this file", "no circle of files")
        if len(self.files) + len(row) >= MAX_FILES:
            value.refuse("too many files", f"at most {MAX_FILES}")
        key = (other.resolve(), how.prefix + entry.prefix)
        if key in given:
            expected = f"{{file: {entry.file}, prefix: …}} to include it again"
            value.refuse(f"{entry.file!r} a second time", expected)
        given.add(key)
        if key in self.files:
            return
        pose = how.pose @ Pose.at(*entry.at, rpy=entry.rpy)
        table = value if isinstance(value, YamlMapping) else None
        variables = read_variables(table, self.reader.problems) if table is not None else {}
        self.collect(other, Inclusion(key[1], pose, variables), above=row)


def _includes(file: SceneFile) -> Iterator[YamlValue]:
    match file.root.get("include"):
        case YamlSequence(items=items):
            yield from items
        case YamlScalar(value=None) | None:
            return
        case single:
            yield single
