"""YAML values with their positions in the text, as far as scene files need them.

YAML 1.2: `on`, `off`, `yes` and `no` are words, only `true` and `false` are truth values.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import NoReturn, TypeAlias

from robotix.errors import BadFile

__all__ = [
    "YamlEntry",
    "YamlMapping",
    "YamlScalar",
    "YamlSequence",
    "YamlValue",
    "item_trail",
    "key_trail",
    "read_plain",
    "shorten",
]

_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_TRUTH = {
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]{1,15}|0x[0-9a-fA-F]{1,12}|0o[0-7]{1,15}")
_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_ENDLESS = {".inf": math.inf, "+.inf": math.inf, "-.inf": -math.inf, ".nan": math.nan}


def read_plain(text: str) -> str | float | int | bool | None:
    """Return the value of an unquoted scalar."""
    if text in _NULLS:
        return None
    if text in _TRUTH:
        return _TRUTH[text]
    if _INTEGER.fullmatch(text):
        return int(text, 0) if text[:2] in ("0x", "0o") else int(text)
    if _NUMBER.fullmatch(text):
        return float(text)
    return _ENDLESS.get(text.lower(), text)


def shorten(text: str, longest: int = 300) -> str:
    """Return a text that fits into a message."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


@dataclass(frozen=True, eq=False)
class _Piece:
    """A piece of a text: `start` and `end` count characters, line and column count from 1."""

    path: str = field(repr=False)
    trail: str  # the keys that lead here, such as `objects.cup.at`
    line: int = field(repr=False)
    column: int = field(repr=False)
    start: int = field(repr=False)
    end: int = field(repr=False)

    def refuse(self, found: str, expected: str) -> NoReturn:
        """Raise `BadFile` at this position."""
        raise self.fault(found, expected)

    def fault(self, found: str, expected: str) -> BadFile:
        """Return a `BadFile` error at this position."""
        said = f"{shorten(self.trail)}: {found}" if self.trail else found
        return BadFile(self.path, shorten(said), expected, line=self.line, column=self.column)


@dataclass(frozen=True, eq=False)
class YamlScalar(_Piece):
    """A word, text or number."""

    text: str
    is_quoted: bool = False

    @cached_property
    def value(self) -> str | float | int | bool | None:
        """The value; quoted scalars are always text."""
        return self.text if self.is_quoted else read_plain(self.text)

    def __str__(self) -> str:
        value = self.value
        shown = "nothing" if value is None else repr(value) if isinstance(value, str) else self.text
        return shorten(shown, 60)


@dataclass(frozen=True, eq=False)
class YamlSequence(_Piece):
    """A list."""

    items: tuple[YamlValue, ...]
    is_flow: bool  # written in brackets, not line by line

    def __str__(self) -> str:
        return f"a list of {len(self.items)}"


@dataclass(frozen=True, eq=False)
class YamlEntry:
    """A key and its value."""

    key: YamlScalar
    value: YamlValue


@dataclass(frozen=True, eq=False)
class YamlMapping(_Piece):
    """Keys with values, in the order of the text."""

    entries: dict[str, YamlEntry]
    is_flow: bool  # written in braces, not line by line

    def __str__(self) -> str:
        return f"keys with values ({shorten(', '.join(self.entries), 60)})"

    def __contains__(self, key: object) -> bool:
        return key in self.entries

    def get(self, key: str) -> YamlValue | None:
        """Return the value of a key, if there is one."""
        entry = self.entries.get(key)
        return entry.value if entry else None

    def near(self, key: str) -> YamlValue:
        """Return the value of a key, or the mapping if absent, as the position of an error."""
        return self.get(key) or self


YamlValue: TypeAlias = YamlScalar | YamlSequence | YamlMapping


def key_trail(trail: str, key: str) -> str:
    """Return the keys that lead to the value of a key."""
    return f"{trail}.{key}" if trail and key else trail or key


def item_trail(trail: str, number: int) -> str:
    """Return the keys that lead to an item of a list, counted from 1."""
    return f"{trail} #{number}"
