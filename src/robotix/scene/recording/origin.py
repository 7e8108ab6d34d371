"""The origin of a recorded scene: the files that are needed to load it again."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from glob import escape
from hashlib import file_digest
from pathlib import Path, PurePosixPath

from robotix.errors import BadFile

__all__ = ["Origin", "file_hash", "read_origin", "rebuild"]

SCENE_SUFFIXES = {".yaml", ".yml", ".vd2"}  # stored as text
TEXT_SUFFIXES = SCENE_SUFFIXES | {".cfg", ".toml", ".urdf", ".xml", ".gltf", ".mtl", ".obj", ".py"}
COMPANION_SUFFIXES = (".toml", ".mtl", ".bin")  # implied by name: robot.nodes.toml beside robot.cfg
MOTION_SUFFIX = ".csv"  # of motion files; may be omitted in names
MAX_SEARCHED_BYTES = 1 << 20  # of a file that is searched for names of others
MAX_FILE_BYTES = 1 << 20  # of a file whose contents are stored
MAX_TOTAL_BYTES = 1 << 24  # of all stored contents
MAX_UNNAMED_BYTES = 1 << 20  # of all motions that the scene does not name
_WORD = re.compile(r'"([^"\n]+)"' r"|'([^'\n]+)'" r"|([^\s\"'\[\]{}(),;:=<>]+)")


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


def read_origin(
    path: Path, recording: Path, *, rate: float | None = None, seed: int | None = None
) -> Origin:
    """Read a scene file and all files below its folder that it refers to, directly or not.

    Motions beside it are stored, too, since users may name any of them at the console.
    """
    folder = path.parent.resolve()
    found = dict(_referenced_files(path.resolve(), folder))
    scenes = {name: file for name, file in found.items() if file.suffix in SCENE_SUFFIXES}
    files = {name: file for name, file in found.items() if name not in scenes}
    unnamed = {
        each.name: each for each in folder.glob(f"*{MOTION_SUFFIX}") if each.name not in found
    }
    text = path.read_text(encoding="utf-8-sig")
    return Origin(
        name=path.name,
        text=text,
        folder=Path(os.path.relpath(path.parent, recording.parent)).as_posix(),
        includes={name: file.read_text(encoding="utf-8-sig") for name, file in scenes.items()},
        files={name: file_hash(file) for name, file in files.items()},
        contents=_small_contents(unnamed, MAX_UNNAMED_BYTES)
        | _small_contents(files, MAX_TOTAL_BYTES),
        rate=rate,
        seed=seed,
    )


def rebuild(origin: Origin, folder: Path, into: Path) -> tuple[Path, list[str]]:
    """Write the recorded files `into` a folder; copy large ones from the original `folder`.

    Return the scene file, and the names of large files that have changed since.
    """
    changed = []
    for name, text in {origin.name: origin.text, **origin.includes}.items():
        _target_path(into, name).write_text(text, encoding="utf-8")
    for name, data in origin.contents.items():
        _target_path(into, name).write_bytes(data)
    for name, known in origin.files.items():
        if name in origin.contents:
            continue
        source, target = folder / name, _target_path(into, name)
        if not source.is_file():
            raise BadFile(str(source), "no file", "the one that was there when this was recorded")
        shutil.copyfile(source, target)
        if file_hash(target) != known:
            changed.append(name)
    return into / origin.name, changed


def file_hash(path: Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    with path.open("rb") as stream:
        return file_digest(stream, "sha256").hexdigest()


def _small_contents(files: Mapping[str, Path], budget: int) -> dict[str, bytes]:
    """Return the contents of small files, the smallest first, up to `budget` bytes in total."""
    contents = {}
    for size, name in sorted((file.stat().st_size, name) for name, file in files.items()):
        if size <= min(budget, MAX_FILE_BYTES):
            contents[name] = files[name].read_bytes()
            budget -= size
    return contents


def _target_path(folder: Path, name: str) -> Path:
    """Return the path of a file; raise `BadFile` if it is outside (recordings are untrusted)."""
    pure = PurePosixPath(name)
    if not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in name:
        raise BadFile(name, "a file elsewhere", "one in the folder of the scene")
    path = folder / pure
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _referenced_files(start: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files below a folder that the start refers to, directly or not."""
    seen, waiting = {start}, [start]
    while waiting:
        file = waiting.pop()
        for name in (*_names_in(file), *_companions(file)):
            other = (file.parent / name).resolve()
            if other in seen or not other.is_relative_to(folder) or not other.is_file():
                continue
            seen.add(other)
            waiting.append(other)
            yield other.relative_to(folder).as_posix(), other


def _companions(file: Path) -> Iterator[str]:
    for other in file.parent.glob(f"{escape(file.stem)}.*"):
        if other.suffix.lower() in COMPANION_SUFFIXES:
            yield other.name


def _names_in(file: Path) -> Iterator[str]:
    """Yield every word that may be the name of a file, with suffixes that may be omitted."""
    if file.suffix.lower() not in TEXT_SUFFIXES or file.stat().st_size > MAX_SEARCHED_BYTES:
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    for word in {next(filter(None, match.groups())) for match in _WORD.finditer(text)}:
        if len(word) < 256 and "\0" not in word:
            yield word
            yield word + MOTION_SUFFIX
            if word.replace(".", "_").isidentifier():
                yield word.replace(".", "/") + ".py"
