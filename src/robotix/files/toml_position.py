"""Line and column of a key in a TOML text, for errors; `tomllib` does not provide them.

A light scan of line starts, enough to point at a table or a key; it never decides what is valid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

__all__ = ["KeyPath", "find_key", "without_texts"]

KeyPath: TypeAlias = tuple[str | int, ...]  # ("joint", 2, "alpha_deg")

_HEADER = re.compile(r"\s*(\[\[?)\s*([\w.\-\s\"']+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w\-]+(?:\s*\.\s*[\w\-]+)*|\"[^\"]*\"|'[^']*')\s*=")
_TEXT_OR_COMMENT = re.compile(r"\"(?:\\.|[^\"\\])*\"|'[^']*'|#.*")


def without_texts(line: str) -> str:
    """Return a line without its comment, with every quoted text replaced by one letter."""
    return _TEXT_OR_COMMENT.sub(lambda found: "" if found[0][0] == "#" else "s", line)


def find_key(text: str, key: KeyPath) -> tuple[int, int]:
    """Return line and column of a key, or of the nearest key inside or around it."""
    positions = dict(_scan(text))
    for end in range(len(key), 0, -1):
        part = key[:end]
        inside = (position for known, position in positions.items() if known[:end] == part)
        if position := positions.get(part) or next(inside, None):
            return position
    return 1, 1


def _scan(text: str) -> Iterator[tuple[KeyPath, tuple[int, int]]]:
    """Yield every table header and key at the start of a line, with line and column."""
    counts: dict[KeyPath, int] = {}
    table: KeyPath = ()
    depth, quoted = 0, False
    for number, line in enumerate(text.split("\n"), start=1):
        was_inside = depth > 0 or quoted
        if line.count('"""') % 2 or line.count("'''") % 2:
            quoted = not quoted
        bare = without_texts(line)
        header = None if was_inside else _HEADER.match(line)
        if header:
            table = _open_table(header[2], header[1] == "[[", counts)
            yield table, (number, header.start(1) + 1)
            continue
        found = None if was_inside else _KEY.match(line)
        if found:
            yield (*table, *_split(found[1])), (number, found.start(1) + 1)
        depth = max(0, depth + bare.count("[") - bare.count("]"))


def _open_table(name: str, is_array: bool, counts: dict[KeyPath, int]) -> KeyPath:
    key: KeyPath = ()
    parts = _split(name)
    for i, part in enumerate(parts):
        key = (*key, part)
        if is_array and i == len(parts) - 1:
            counts[key] = counts.get(key, -1) + 1
        if key in counts:  # inside an array of tables: the latest of them
            key = (*key, counts[key])
    return key


def _split(name: str) -> list[str]:
    return [part.strip().strip("\"'") for part in name.split(".")]
