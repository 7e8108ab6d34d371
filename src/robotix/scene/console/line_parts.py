"""What lines of the console are made of: a command, and arguments that it can read."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from robotix.errors import RobotixError
from robotix.scene.graph.field_types import BadField
from robotix.scene.scene import Command

__all__ = ["ConsoleCommand", "no_argument", "number", "numbers", "plain", "vector", "whole", "word"]

_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)


@dataclass(frozen=True)
class ConsoleCommand:
    """A command of the console."""

    name: str
    usage: str  # of its argument
    read: Callable[[str], Command]  # raises ValueError on a wrong argument

    def refuse(self, argument: str) -> NoReturn:
        """Say what would be right."""
        found = f"not {argument[:60]!r}" if argument else "and here it is missing"
        what = self.usage or "no argument"
        raise ValueError(f"{self.name} takes {what}, {found}")

    def parse(self, argument: str) -> Command:
        """Return the command; raise ValueError with the usage."""
        try:
            return self.read(argument)
        except BadField as error:  # well written, but it cannot work
            raise ValueError(f"{self.name}, {error.field}: {error}") from None
        except (ValueError, KeyError, RobotixError):
            self.refuse(argument)


def number(text: str) -> float:
    """Read a finite number; ValueError when it is none, as all of these."""
    if not _NUMBER.fullmatch(text.strip()):
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def whole(text: str) -> int:
    """Read a whole number."""
    if not re.fullmatch(r"[-+]?\d{1,9}", text.strip(), re.ASCII):
        raise ValueError(text)
    return int(text)


def numbers(text: str) -> list[float | None]:
    """Read numbers between commas, in parentheses or not; a star is None."""
    inside = text.strip()
    if inside.startswith("(") and inside.endswith(")"):
        inside = inside[1:-1]
    return [None if cell.strip() == "*" else number(cell) for cell in inside.split(",")]


def plain(text: str) -> list[float]:
    """Read numbers between commas, none of them a star."""
    values = numbers(text)
    found = [value for value in values if value is not None]
    if len(found) < len(values):
        raise ValueError(text)
    return found


def vector(text: str) -> tuple[float, float, float]:
    """Read three numbers."""
    x, y, z = plain(text)
    return x, y, z


def word(text: str) -> str:
    """Read a name."""
    if not text or not text.isprintable():
        raise ValueError(text)
    return text


def no_argument(make: Callable[[], Command]) -> Callable[[str], Command]:
    """Return what reads no argument at all."""

    def read(text: str) -> Command:
        if text:
            raise ValueError(text)
        return make()

    return read
