"""Files that other files refer to, such as the meshes of a robot description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path

from robotix.scene.plugins.outline import read_outline

__all__ = ["MOTION_SUFFIX", "referenced_files"]

SCRIPT_SUFFIX = ".vd2"
# Formats in which a word that is the name of a file refers to it. Scene files (.yaml) are not among
# them: whoever loads one knows which files it names.
TEXT_SUFFIXES = {SCRIPT_SUFFIX, ".cfg", ".toml", ".urdf", ".xml", ".gltf", ".mtl", ".obj"}
COMPANION_SUFFIXES = (".toml", ".mtl", ".bin")  # implied by name: robot.nodes.toml beside robot.cfg
MOTION_SUFFIX = ".csv"  # of motion files; may be omitted in names
MAX_SEARCHED_BYTES = 1 << 20  # of a file that is searched for names of others
_WORD = re.compile(r'"([^"\n]+)"' r"|'([^'\n]+)'" r"|([^\s\"'\[\]{}(),;:=<>]+)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LINE_COMMENT = re.compile(r"(^|\s)#.*", re.MULTILINE)
LINE_COMMENT_SUFFIXES = {SCRIPT_SUFFIX, ".cfg", ".toml", ".mtl", ".obj"}


def referenced_files(start: Iterable[Path], folder: Path) -> dict[str, Path]:
    """Return files in a folder that these refer to, directly or not, and these themselves.

    The names are relative to `folder`, which is resolved; what lies elsewhere is left out.
    """
    found: dict[str, Path] = {}
    waiting = [each for path in start for each in (path, _as_motion(path))]
    while waiting:
        path = waiting.pop()
        file = _existing(path)
        if file is None or not all(f.is_relative_to(folder) for f in (file, file.resolve())):
            continue
        name = file.relative_to(folder).as_posix()
        if name in found:
            continue
        found[name] = file
        waiting += [file.parent / other for other in (*_names_in(file), *_companions(file))]
    return found


def _existing(path: Path) -> Path | None:
    """Return the file of this name, which may be a link, in its resolved folder."""
    try:
        return path.parent.resolve() / path.name if path.is_file() else None
    except (OSError, ValueError):  # too long a name, or one with a null character
        return None


def _as_motion(path: Path | str) -> Path:
    """Return a path with the suffix of motions, which may be missing."""
    return Path(f"{path}{MOTION_SUFFIX}")


def _companions(file: Path) -> Iterator[str]:
    if file.suffix.lower() in TEXT_SUFFIXES:
        for other in file.parent.glob(f"{escape(file.stem)}.*"):
            if other.suffix.lower() in COMPANION_SUFFIXES:
                yield other.name


def _names_in(file: Path) -> Iterator[str]:
    """Yield every word that may be the name of a file."""
    suffix = file.suffix.lower()
    if file.stat().st_size > MAX_SEARCHED_BYTES:
        return
    if suffix == ".py":
        yield from _texts(file)
    elif suffix in TEXT_SUFFIXES:
        text = _COMMENT.sub("", file.read_text(encoding="utf-8", errors="replace"))
        if suffix in LINE_COMMENT_SUFFIXES:
            text = _LINE_COMMENT.sub("", text)
        for word in {next(filter(None, match.groups())) for match in _WORD.finditer(text)}:
            yield word
            if suffix == SCRIPT_SUFFIX:  # the module of `appl callback mine.so:ring`
                yield f"{word.removesuffix('.so')}.py"
                yield f"{word}{MOTION_SUFFIX}"


def _texts(file: Path) -> tuple[str, ...]:
    """Return the string literals of a plug-in, which may name files that it reads."""
    try:
        return read_outline(file.read_bytes(), file.name).texts
    except SyntaxError:
        return ()
