"""Parts of console lines: commands, and parsers of their arguments. All raise ValueError."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from robotix.errors import BadField, RobotixError
from robotix.scene.scene import Command

__all__ = [
    "ConsoleCommand",
    "finite_numbers",
    "integer",
    "no_argument",
    "number",
    "numbers",
    "parse_name",
    "vector",
]

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class ConsoleCommand:
    """A command of the console."""

    name: str
    usage: str  # of the argument
    read: Callable[[str], Command]  # parses the argument

    def fail(self, argument: str) -> NoReturn:
        """Raise ValueError with the usage."""
        found = f"not {argument[:60]!r}" if argument else "and here it is missing"
        what = self.usage or "no argument"
        raise ValueError(f"{self.name} takes {what}, {found}")

    def parse(self, argument: str) -> Command:
        """Return the command; raise ValueError with the usage."""
        try:
            return self.read(argument)
        except BadField as error:  # well-formed, but out of range
            raise ValueError(f"{self.name}: {error}") from None
        except (ValueError, KeyError, RobotixError):
            self.fail(argument)


def number(text: str) -> float:
    """Parse a finite number."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def integer(text: str) -> int:
    """Parse an integer."""
    if not re.fullmatch(r"[-+]?\d{1,9}", text.strip(), re.ASCII):
        raise ValueError(text)
    return int(text)


def numbers(text: str) -> list[float | None]:
    """Parse numbers separated by commas, optionally in parentheses; `*` is None."""
    inside = text.strip()
    if inside.startswith("(") and inside.endswith(")"):
        inside = inside[1:-1]
    return [None if cell.strip() == "*" else number(cell) for cell in inside.split(",")]


def finite_numbers(text: str) -> list[float]:
    """Parse numbers separated by commas, without `*`."""
    values = numbers(text)
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        raise ValueError(text)
    return found


def vector(text: str) -> tuple[float, float, float]:
    """Parse three numbers."""
    x, y, z = finite_numbers(text)
    return x, y, z


def parse_name(text: str) -> str:
    """Parse a name."""
    if not text or not text.isprintable():
        raise ValueError(text)
    return text


def no_argument(make: Callable[[], Command]) -> Callable[[str], Command]:
    """Return a parser that accepts no argument."""

    def read(text: str) -> Command:
        if text:
            raise ValueError(text)
        return make()

    return read
