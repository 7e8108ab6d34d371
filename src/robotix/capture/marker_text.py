"""Lines of text formats for motion capture: words and numbers with their columns."""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

from robotix.errors import BadFile
from robotix.files.source_file import read_text

__all__ = ["MAX_BYTES", "TextLine", "parse_number", "read_lines"]

MAX_BYTES = 256 * 2**20
MAX_VALUE = 1e9  # of any number; 1,000 km in millimetres
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?", re.ASCII)


@dataclass(frozen=True)
class TextLine:
    """A line of a file."""

    path: str
    line_number: int  # line number, from 1
    text: str

    @cached_property
    def words(self) -> list[str]:
        """Words between blanks."""
        return self.text.split()

    @cached_property
    def cells(self) -> list[str]:
        """Cells between tabs, without surrounding blanks."""
        return [cell.strip() for cell in self.text.split("\t")]

    @cached_property
    def excerpt(self) -> str:
        """The line, cut short for a message."""
        whole = " ".join(self.words)
        return repr(whole if len(whole) <= 40 else whole[:37] + "...")

    def refuse(self, found: str, expected: str, *, word: int = 0) -> NoReturn:
        """Raise `BadFile` at a word of this line."""
        starts = [match.start() for match in re.finditer(r"\S+", self.text)]
        column = starts[word] + 1 if word < len(starts) else 1
        raise BadFile(self.path, found, expected, line=self.line_number, column=column)

    def refuse_cell(self, cell: int, expected: str) -> NoReturn:
        """Raise `BadFile` at a cell of this line."""
        before = self.text.split("\t")[:cell]
        column = sum(len(text) + 1 for text in before) + 1
        found = repr(self.cells[cell][:40])
        raise BadFile(self.path, found, expected, line=self.line_number, column=column)

    def number(self, word: int) -> float:
        """Return a word as a finite number."""
        if word >= len(self.words):
            self.refuse(f"{len(self.words)} words", f"a number as word {word + 1}")
        value = parse_number(self.words[word])
        if math.isnan(value):
            expected = f"a number of at most {MAX_VALUE:g}"
            self.refuse(repr(self.words[word][:40]), expected, word=word)
        return value

    def whole_number(self, word: int, *, low: int = 0, high: int) -> int:
        """Return a word as a whole number within bounds."""
        value = self.number(word)
        if not (value.is_integer() and low <= value <= high):
            expected = f"a whole number from {low} to {high}"
            self.refuse(repr(self.words[word][:40]), expected, word=word)
        return int(value)

    def numbers(self) -> list[float]:
        """Return all words as numbers."""
        try:
            values = [float(word) for word in self.words]
        except ValueError:
            values = [math.nan]
        if all(abs(value) <= MAX_VALUE for value in values) and "_" not in self.text:
            return values
        return [self.number(i) for i in range(len(self.words))]  # raises at the wrong word


def parse_number(text: str) -> float:
    """Return a number of plausible size; NaN for anything else."""
    value = float(text) if _NUMBER.fullmatch(text) else math.nan
    return value if abs(value) <= MAX_VALUE else math.nan


def read_lines(path: str | os.PathLike[str], *, what: str) -> list[TextLine]:
    """Return the lines of a text file."""
    text = read_text(path, what=what, limit=MAX_BYTES)
    parts = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return [TextLine(os.fspath(path), i, part) for i, part in enumerate(parts, start=1)]
