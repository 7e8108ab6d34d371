"""Checked reading of TOML: every error has the position, what was found and what was expected.

`tomllib` does not report positions, so the position of a wrong value is searched in the text, only
after an error.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from robotix.errors import BadFile
from robotix.files.toml_position import KeyPath, find_key, without_texts

__all__ = ["TomlTable", "parse_toml"]

MAX_LENGTH = 256 * 1024  # characters; a hundred joints fill a tenth of this
MAX_PARTS = 8  # dots in one key
MAX_OPEN = 50  # brackets left open on one line

_LONG_NUMBER = re.compile(r"[0-9_]{400}")


def parse_toml(text: str, *, path: str) -> TomlTable:
    """Return the top table of a TOML text."""
    if len(text) > MAX_LENGTH:
        found = f"{len(text)} characters"
        raise BadFile(path, found, f"a robot description of at most {MAX_LENGTH}")
    _check_sane(text, path)
    try:
        return TomlTable(tomllib.loads(text), path, text)
    except RecursionError:
        raise BadFile(path, "values nested too deeply", "a flat table") from None
    except ValueError as error:  # TOMLDecodeError, or a number that Python refuses to read
        message = str(error)
    position = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line, column = (int(position[1]), int(position[2])) if position else (text.count("\n") + 1, 0)
    found = re.sub(r"\s*\(at .*\)$", "", message)
    raise BadFile(path, found, "valid TOML", line=line, column=column)


def _check_sane(text: str, path: str) -> None:
    for number, line in enumerate(text.split("\n"), start=1):
        if complaint := _complain(line):
            raise BadFile(path, complaint, "a plain TOML file", line=number, column=1)


def _complain(line: str) -> str:
    """Return the problem of a line that is expensive for `tomllib`; empty if there is none.

    Keys of very many parts cost it quadratic time and memory; nesting exhausts the stack.
    """
    if "\0" in line:
        return "a NUL character, as in a binary file"
    if _LONG_NUMBER.search(line):
        return "a number of very many digits"
    if line.count("[") + line.count("{") > MAX_OPEN:
        bare = without_texts(line)
        if max(bare.count("[") - bare.count("]"), bare.count("{")) > MAX_OPEN:
            return "values nested too deeply"
    if line.count(".") > MAX_PARTS:
        pieces = re.split(r"[={}\[\],]", without_texts(line))
        if any(piece.count(".") > MAX_PARTS for piece in pieces):
            return f"a key of more than {MAX_PARTS} parts"
    return ""


@dataclass(frozen=True)
class TomlTable:
    """One table of a TOML file: returns values by type, raises BadFile for others."""

    data: dict[str, Any]
    path: str
    text: str
    key: KeyPath = ()  # path of the table in the document

    def refuse(self, key: str | int | None, found: str, expected: str) -> NoReturn:
        """Raise `BadFile` at the position of `key` (of the table itself for None)."""
        whole = self.key if key is None else (*self.key, key)
        line, column = find_key(self.text, whole)
        raise BadFile(self.path, found, expected, line=line, column=column)

    def only(self, *known: str) -> None:
        """Raise BadFile for any other key, which is probably a mistake."""
        for key in self.data:
            if key not in known:
                near = difflib.get_close_matches(key, known, n=1)
                hint = f"{near[0]!r}" if near else "one of " + ", ".join(known)
                self.refuse(key, f"unknown key {key!r}", hint)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def text_of(self, key: str, default: str | None = None, *, longest: int = 2000) -> str:
        """Return a non-empty text."""
        value = self._get(key, default, "a text")
        if not isinstance(value, str):
            self.refuse(key, f"{key} = {_show(value)}", "a text in quotes")
        if key in self.data and not (0 < len(value) <= longest):
            self.refuse(key, f"{key} of {len(value)} characters", f"1 to {longest}")
        return value

    def name_of(self, key: str, default: str | None = None) -> str:
        """Return a name: short, printable, without spaces around it."""
        name = self.text_of(key, default, longest=64)
        if not name.isprintable() or name != name.strip():
            self.refuse(key, f"{key} = {name!r}", "a name of printable characters")
        return name

    def choice(self, key: str, options: Sequence[str], default: str) -> str:
        """Return one of several words."""
        value = self._get(key, default, "a text")
        if value not in options:
            near = difflib.get_close_matches(str(value), options, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            self.refuse(key, f"{key} = {_show(value)}", f"one of {', '.join(options)}{hint}")
        return str(value)

    def flag(self, key: str) -> bool:
        """Return a truth value; False when absent."""
        value = self._get(key, False, "true or false")
        if not isinstance(value, bool):
            self.refuse(key, f"{key} = {_show(value)}", "true or false")
        return value

    def number(
        self,
        key: str,
        default: float | None = None,
        *,
        low: float = -1e3,
        high: float = 1e3,
        hint: str = "",
    ) -> float:
        """Return a finite number within plausible bounds, which catch wrong units."""
        value = self._get(key, default, "a number")
        if key not in self.data:
            return float(value)
        number = self._finite(key, value)
        if not low <= number <= high:
            self.refuse(key, f"{key} = {number:g}", f"a number in [{low:g}, {high:g}]{hint}")
        return number

    def numbers(
        self, key: str, counts: Sequence[int], *, low: float = -1e3, high: float = 1e3
    ) -> tuple[float, ...] | None:
        """Return a list of finite numbers with one of the given lengths; None when absent."""
        if key not in self.data:
            return None
        return self._numbers(key, self.data[key], counts, low=low, high=high)

    def points(self, key: str, *, most: int = 50) -> tuple[tuple[float, ...], ...] | None:
        """Return a list of points (x, y, z); None when absent."""
        if key not in self.data:
            return None
        value = self.data[key]
        if not isinstance(value, list) or not 1 <= len(value) <= most:
            self.refuse(key, f"{key} = {_show(value)}", f"a list of 1 to {most} points [x, y, z]")
        return tuple(self._numbers(key, item, (3,), low=-1e3, high=1e3) for item in value)

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts; empty when absent."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.refuse(key, f"{key} = {_show(value)}", "a list of texts")
        return tuple(value)

    def table(self, key: str) -> TomlTable:
        """Return a sub-table; an empty one when absent."""
        value = self.data.get(key, {})
        if not isinstance(value, dict):
            self.refuse(key, f"{key} = {_show(value)}", f"a table [{key}]")
        return TomlTable(value, self.path, self.text, (*self.key, key))

    def tables(self, key: str, *, most: int) -> list[TomlTable]:
        """Return the tables of an array of tables `[[key]]`."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.refuse(key, f"{key} = {_show(value)}", f"tables [[{key}]]")
        if not 1 <= len(value) <= most:
            self.refuse(key, f"{len(value)} tables [[{key}]]", f"1 to {most}")
        key_path = (*self.key, key)
        return [TomlTable(d, self.path, self.text, (*key_path, i)) for i, d in enumerate(value)]

    def named_tables(self, key: str, *, most: int = 100) -> Iterator[tuple[str, TomlTable]]:
        """Iterate over the sub-tables `[key.NAME]`."""
        parent = self.table(key)
        if len(parent.data) > most:
            self.refuse(key, f"{len(parent.data)} tables in [{key}]", f"at most {most}")
        for name in parent.data:
            yield name, parent.table(name)

    def _get(self, key: str, default: object, what: str) -> Any:
        if key in self.data:
            return self.data[key]
        if default is None:
            near = difflib.get_close_matches(key, list(self.data), n=1)
            found = f"no key {key!r}" + (f" (there is {near[0]!r})" if near else "")
            self.refuse(None, found, what)
        return default

    def _finite(self, key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.refuse(key, f"{key} has {_show(value)}", "a number")
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            self.refuse(key, f"{key} has {number}", "a finite number (leave out what is unlimited)")
        return number

    def _numbers(
        self, key: str, value: object, counts: Sequence[int], *, low: float, high: float
    ) -> tuple[float, ...]:
        expected = f"a list of {' or '.join(map(str, counts))} numbers"
        if not isinstance(value, list) or len(value) not in counts:
            self.refuse(key, f"{key} has {_show(value)}", expected)
        numbers = tuple(self._finite(key, item) for item in value)
        for number in numbers:
            if not low <= number <= high:
                self.refuse(key, f"{key} has {number:g}", f"numbers in [{low:g}, {high:g}]")
        return numbers


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
