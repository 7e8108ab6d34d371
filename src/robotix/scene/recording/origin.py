"""Where a room comes from: what a recording must know to build it again."""

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

SCENES = {".yaml", ".yml", ".vd2"}  # kept as they are
SPEAKING = SCENES | {".cfg", ".toml", ".urdf", ".xml", ".gltf", ".mtl", ".obj", ".py"}
COMPANIONS = (".toml", ".mtl", ".bin")  # found by their name: robot.nodes.toml beside robot.cfg
MOTION = ".csv"  # what robots save to and play from; may be left out where one is named
MOST_TEXT = 1 << 20  # bytes of a file that is searched for names of others
MOST_OF_ONE = 1 << 20  # bytes of a file that is kept as it was
MOST_OF_ALL = 1 << 24  # bytes of all these together
MOST_UNNAMED = 1 << 20  # bytes of all motions that the scene does not speak of
_WORD = re.compile(r'"([^"\n]+)"' r"|'([^'\n]+)'" r"|([^\s\"'\[\]{}(),;:=<>]+)")


@dataclass(frozen=True)
class Origin:
    """A scene file as it was read, and the files beside it that it speaks of.

    Small files are kept whole: a room may write to those it reads. Of large ones only the hash is.
    An empty name stands for a room that was made by a program. `folder` is seen from the
    recording; all other names from `folder`.
    """

    name: str = ""  # of the scene file
    text: str = ""
    folder: str = "."
    includes: Mapping[str, str] = field(default_factory=dict)  # texts of other scene files, by name
    files: Mapping[str, str] = field(default_factory=dict)  # hashes, by name
    contents: Mapping[str, bytes] = field(default_factory=dict)  # of small files, by name
    rate: float | None = None  # given instead of what the file says, Hz
    seed: int | None = None


def read_origin(
    path: Path, recording: Path, *, rate: float | None = None, seed: int | None = None
) -> Origin:
    """Read a scene file and find all files in its folder that it speaks of, directly or not.

    Motions beside it are kept too: at the console, people may name any of them.
    """
    folder = path.parent.resolve()
    found = dict(_spoken_of(path.resolve(), folder))
    scenes = {name: file for name, file in found.items() if file.suffix in SCENES}
    files = {name: file for name, file in found.items() if name not in scenes}
    unnamed = {each.name: each for each in folder.glob(f"*{MOTION}") if each.name not in found}
    text = path.read_text(encoding="utf-8-sig")
    return Origin(
        name=path.name,
        text=text,
        folder=Path(os.path.relpath(path.parent, recording.parent)).as_posix(),
        includes={name: file.read_text(encoding="utf-8-sig") for name, file in scenes.items()},
        files={name: file_hash(file) for name, file in files.items()},
        contents=_kept(unnamed, MOST_UNNAMED) | _kept(files, MOST_OF_ALL),
        rate=rate,
        seed=seed,
    )


def rebuild(origin: Origin, folder: Path, into: Path) -> tuple[Path, list[str]]:
    """Put the scene as it was `into` a folder, with large files from the `folder` it lay in.

    Returns the scene file, and the names of large files that have changed since.
    """
    changed = []
    for name, text in {origin.name: origin.text, **origin.includes}.items():
        _inside(into, name).write_text(text, encoding="utf-8")
    for name, data in origin.contents.items():
        _inside(into, name).write_bytes(data)
    for name, known in origin.files.items():
        if name in origin.contents:
            continue
        source, target = folder / name, _inside(into, name)
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


def _kept(files: Mapping[str, Path], room: int) -> dict[str, bytes]:
    """Return what is in small files, the smallest first, as far as there is room for them."""
    kept = {}
    for size, name in sorted((file.stat().st_size, name) for name, file in files.items()):
        if size <= min(room, MOST_OF_ONE):
            kept[name] = files[name].read_bytes()
            room -= size
    return kept


def _inside(folder: Path, name: str) -> Path:
    """Return where to write a file; recordings may come from strangers."""
    pure = PurePosixPath(name)
    if not pure.parts or pure.is_absolute() or ".." in pure.parts or "\0" in name:
        raise BadFile(name, "a file elsewhere", "one in the folder of the scene")
    path = folder / pure
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _spoken_of(start: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield all files below a folder whose names stand in the start, or in one of these."""
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
        if other.suffix.lower() in COMPANIONS:
            yield other.name


def _names_in(file: Path) -> Iterator[str]:
    """Yield every word that may be the name of a file; some are named without their suffix."""
    if file.suffix.lower() not in SPEAKING or file.stat().st_size > MOST_TEXT:
        return
    text = file.read_text(encoding="utf-8", errors="replace")
    for word in {next(filter(None, match.groups())) for match in _WORD.finditer(text)}:
        if len(word) < 256 and "\0" not in word:
            yield word
            yield word + MOTION
            if word.replace(".", "_").isidentifier():
                yield word.replace(".", "/") + ".py"
