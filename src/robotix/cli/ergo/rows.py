"""Lifts, efforts and tasks as NAME=VALUE,… on the command line, or as rows of a table."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import typer

from robotix.errors import BadFile

__all__ = ["INCH", "POUND", "POUND_FORCE", "Columns", "Entry", "UsFlag", "given_rows"]

INCH, POUND, POUND_FORCE = 0.0254, 0.45359237, 4.4482216152605  # m, kg, N
US_UNITS = {"length": INCH, "mass": POUND, "force": POUND_FORCE}
Kind: TypeAlias = Literal["number", "angle", "word", "length", "mass", "force"]

UsFlag: TypeAlias = Annotated[
    bool, typer.Option("--us", help="In inches and pounds, by the form in these units.")
]


@dataclass(frozen=True)
class Entry:
    """One value of a row: the argument it becomes, and what it measures."""

    argument: str
    kind: Kind = "number"
    required: bool = False


@dataclass(frozen=True)
class Columns:
    """What a row may contain, by the names that people write.

    Args:
        option: Of the command line, such as `--lift`.
        noun: What a row is, for messages: `lift`.
        entries: By name.
    """

    option: str
    noun: str
    entries: Mapping[str, Entry]


def given_rows(
    columns: Columns, words: Iterable[str] | None, table: Path | None = None, *, us: bool = False
) -> list[dict[str, Any]]:
    """Return the arguments of every row, in SI units and radians."""
    if not words and table is None:
        raise typer.BadParameter(f"give {columns.noun}s by {columns.option} or by --table")
    rows = [_parsed(columns, word, us=us) for word in words or ()]
    return rows if table is None else [*rows, *_table_rows(columns, table, us=us)]


def _parsed(columns: Columns, word: str, *, us: bool) -> dict[str, Any]:
    try:
        pairs = [part.partition("=") for part in word.split(",") if part.strip()]
        unnamed = [name for name, equals, _ in pairs if not equals]
        if unnamed:
            raise ValueError(f"expected NAME=VALUE, got {unnamed[0]!r}")
        return _converted(columns, {name: value for name, _, value in pairs}, us=us)
    except ValueError as error:
        raise typer.BadParameter(f"{columns.option} {word}: {error}") from None


def _table_rows(columns: Columns, path: Path, *, us: bool) -> Iterator[dict[str, Any]]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        expected = f"a table of {columns.noun}s as text, .csv"
        raise BadFile(str(path), str(error), expected) from None
    for line, row in enumerate(csv.DictReader(text.splitlines()), start=2):
        given = {str(name): str(value) for name, value in row.items() if value}
        try:
            yield _converted(columns, given, us=us)
        except ValueError as error:
            expected = f"{_a(columns.noun)} with {', '.join(columns.entries)}"
            raise BadFile(str(path), str(error), expected, line=line) from None


def _converted(columns: Columns, given: Mapping[str, str], *, us: bool) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for written, text in given.items():
        name = written.strip().replace("-", "_")
        if name not in columns.entries:
            known = ", ".join(columns.entries)
            raise ValueError(f"no {name!r} in {_a(columns.noun)}; known: {known}")
        entry = columns.entries[name]
        found[entry.argument] = _value(name, entry, text.strip(), us=us)
    for name, entry in columns.entries.items():
        if entry.required and entry.argument not in found:
            raise ValueError(f"{_a(columns.noun)} needs {name}")
    return found


def _value(name: str, entry: Entry, text: str, *, us: bool) -> float | str:
    if entry.kind == "word":
        return text
    try:
        value = float(text)
    except ValueError:
        raise ValueError(f"{name} must be a number, got {text!r}") from None
    if entry.kind == "angle":
        return math.radians(value)
    return value * US_UNITS.get(entry.kind, 1.0) if us else value


def _a(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
