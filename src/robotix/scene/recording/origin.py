"""The origin of a recorded scene: the files that are needed to load it again."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import file_digest
from pathlib import Path, PurePosixPath

from robotix.errors import BadFile
from robotix.scene.recording.references import referenced_files

__all__ = [
    "Origin",
    "file_hash",
    "read_origin",
    "rebuild",
    "target_path",
    "used_contents",
]

SCENE_SUFFIXES = {".yaml", ".yml", ".vd2"}  # stored as text
MAX_FILE_BYTES = 1 << 20  # of a file whose contents are stored
MAX_TOTAL_BYTES = 1 << 24  # of all stored contents


@dataclass(frozen=True)
class Origin:
    """The text of a scene file, and the files that it refers to.

    Small files are stored whole, since a scene may write to files that it reads; of large files
    only the hash is stored. An empty name means that a program made the scene. `folder` is relative
    to the recording; all other names are relative to `folder`.
    """

    name: str = ""  # of the scene file
    text: str = ""
    folder: str = "."
    includes: Mapping[str, str] = field(default_factory=dict)  # texts of other scene files, by name
    files: Mapping[str, str] = field(default_factory=dict)  # hashes, by name
    contents: Mapping[str, bytes] = field(default_factory=dict)  # of small files, by name
    rate: float | None = None  # Hz, if it overrides that of the file
    seed: int | None = None
    disabled: tuple[str, ...] = ()  # plug-ins that did not run, since nobody trusted them


def read_origin(
    path: Path,
    recording: Path,
    *,
    used: Iterable[Path] = (),
    rate: float | None = None,
    seed: int | None = None,
    disabled: Iterable[str] = (),
) -> Origin:
    """Read a scene file, the files below its folder that it names, and those that they refer to.

    `used` are the files that the scene file names; of a legacy script they are found by reading it.
    """
    folder = path.parent.resolve()
    found = referenced_files([path, *used], folder)
    start = folder / path.name
    scenes = {
        name: file
        for name, file in found.items()
        if file.suffix.lower() in SCENE_SUFFIXES and file != start
    }
    files = {name: file for name, file in found.items() if name not in scenes and file != start}
    return Origin(
        name=path.name,
        text=path.read_text(encoding="utf-8-sig"),
        folder=Path(os.path.relpath(path.parent, recording.parent)).as_posix(),
        includes={name: file.read_text(encoding="utf-8-sig") for name, file in scenes.items()},
        files={name: file_hash(file) for name, file in files.items()},
        contents=small_contents(files, MAX_TOTAL_BYTES),
        rate=rate,
        seed=seed,
        disabled=tuple(disabled),
    )


def rebuild(
    origin: Origin, folder: Path, into: Path, *, accept_changed: bool
) -> tuple[Path, list[str]]:
    """Write the recorded files `into` a folder; copy large ones from the original `folder`.

    Return the scene file, and the names of large files that have changed since. Unless
    `accept_changed`, raise `BadFile` for those, and read nothing else of them than their hash: a
    recording that somebody sent may name any folder and file of this machine.
    """
    changed = []
    for name, text in {origin.name: origin.text, **origin.includes}.items():
        target_path(into, name).write_text(text, encoding="utf-8")
    for name, data in origin.contents.items():
        target_path(into, name).write_bytes(data)
    for name, known in origin.files.items():
        if name in origin.contents:
            continue
        source, target = folder / name, target_path(into, name)
        if not source.is_file():
            raise BadFile(str(source), "no file", "the one that was there when this was recorded")
        if file_hash(source) != known:
            if not accept_changed:
                expected = "the one that was recorded; to use this one, name its folder by --folder"
                raise BadFile(str(source), "another file", expected)
            changed.append(name)
        shutil.copyfile(source, target)
    return into / origin.name, changed


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def small_contents(files: Mapping[str, Path], budget: int) -> dict[str, bytes]:
    """Return the contents of small files, the smallest first, up to `budget` bytes in total."""
    contents = {}
    for size, name in sorted((file.stat().st_size, name) for name, file in files.items()):
        if size <= min(budget, MAX_FILE_BYTES):
            contents[name] = files[name].read_bytes()
            budget -= size
    return contents


def used_contents(path: Path) -> dict[str, bytes]:
    """Return the contents of a file and of those that it refers to, if small, by their names.

    The names are relative to the folder of the file.
    """
    return small_contents(referenced_files([path], path.parent.resolve()), MAX_TOTAL_BYTES)


def target_path(folder: Path, name: str) -> Path:
    """Return the path of a file; raise `BadFile` if it is outside (recordings are untrusted)."""
    pure = PurePosixPath(name)
    if not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in name:
        raise BadFile(name, "a file elsewhere", "one in the folder of the scene")
    path = folder / pure
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
