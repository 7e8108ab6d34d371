"""Plain data as YAML on one line, and quotes only where they are needed."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from robotix.files.yaml.text import read_plain

__all__ = ["Plain", "to_yaml"]

Plain: TypeAlias = "bool | int | float | str | Sequence[Plain] | Mapping[str, Plain] | None"

_SAFE = re.compile(r"[^\W\d_][\w./+-]*( [\w./+()-]+)*", re.ASCII)
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}


def to_yaml(value: Plain) -> str:
    """Return a value in flow style, such as `{box: [1, 2, 3]}`."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return _number(value)
        case str():
            return _text(value)
        case Mapping():
            return "{" + ", ".join(f"{_text(k)}: {to_yaml(v)}" for k, v in value.items()) + "}"
        case Sequence():
            return "[" + ", ".join(map(to_yaml, value)) + "]"


def _number(value: float) -> str:
    """Return the shortest text that reads as the same number."""
    if not math.isfinite(value):
        raise ValueError(f"a scene file holds finite numbers only, got {value}")
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    return repr(value)


def _text(text: str) -> str:
    if _SAFE.fullmatch(text) and isinstance(read_plain(text), str):
        return text
    return '"' + "".join(map(_character, text)) + '"'


def _character(char: str) -> str:
    code = ord(char)
    if char in _SHORT:
        return _SHORT[char]
    if char.isprintable() and code != 0xFEFF:
        return char
    if 0xD800 <= code < 0xE000:
        raise ValueError(f"a scene file cannot hold half a character (U+{code:04X})")
    return f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}"
