"""Type-checked reading of untrusted JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from robotix.errors import BadFile

__all__ = ["MAX_ITEMS", "JsonObject"]

MAX_ITEMS = 200_000  # of a list
MAX_NUMBER = 1e12  # absolute; beyond, transforms overflow


@dataclass(frozen=True)
class JsonObject:
    """A JSON object and its location in the file; unexpected values raise BadFile."""

    path: Path
    values: Any
    location: str

    def __post_init__(self) -> None:
        if not isinstance(self.values, dict):
            raise self.refuse(repr(self.values)[:60], "an object {…}")

    def refuse(self, found: str, expected: str) -> BadFile:
        """Return a BadFile error with this location."""
        return BadFile(str(self.path), f"{self.location}: {found}", expected)

    def has(self, key: str) -> bool:
        """Return whether there is such a key."""
        return key in self.values

    def table(self, key: str) -> JsonObject:
        """Return the object under a key; an empty one if absent."""
        return JsonObject(self.path, self.values.get(key, {}), f"{self.location}.{key}")

    def tables(self, key: str) -> list[JsonObject]:
        """Return the objects of a list; empty if absent."""
        return [
            JsonObject(self.path, each, f"{self.location}.{key}[{i}]")
            for i, each in enumerate(self._list(key))
        ]

    def whole(self, key: str, default: int | None = None, *, below: int = 2**31) -> int:
        """Return a non-negative integer."""
        return self._whole(self.values.get(key, default), key, below)

    def wholes(self, key: str, *, below: int) -> list[int]:
        """Return a list of non-negative integers; empty if absent."""
        return [self._whole(each, key, below) for each in self._list(key)]

    def numbers(self, key: str, default: tuple[float, ...]) -> tuple[float, ...]:
        """Return as many finite numbers as the default has; a single one needs no list."""
        values = self.values.get(key, default)
        if len(default) == 1 and not isinstance(values, list):
            values = (values,) if key in self.values else values
        if not isinstance(values, list | tuple) or len(values) != len(default):
            raise self.refuse(f"{key} {str(values)[:60]}", f"{len(default)} numbers")
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise self.refuse(f"{key} {str(value)[:60]}", "numbers")
            if not (math.isfinite(value) and abs(value) <= MAX_NUMBER):
                raise self.refuse(f"{key} {value}", f"numbers up to {MAX_NUMBER:g}")
        return tuple(map(float, values))

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            raise self.refuse(f"{key} {str(value)[:60]}", "a text")
        return value

    def texts(self, key: str) -> list[str]:
        """Return a list of texts; empty if absent."""
        return [str(each) for each in self._list(key)]

    def flag(self, key: str) -> bool:
        """Return a truth value."""
        return self.values.get(key, False) is True

    def _list(self, key: str) -> list[Any]:
        values = self.values.get(key, [])
        if not isinstance(values, list):
            raise self.refuse(f"{key} {str(values)[:60]}", "a list […]")
        if len(values) > MAX_ITEMS:
            raise self.refuse(f"{len(values)} {key}", f"at most {MAX_ITEMS}")
        return values

    def _whole(self, value: object, key: str, below: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < below:
            raise self.refuse(f"{key} {str(value)[:60]}", f"a whole number below {below}")
        return value
