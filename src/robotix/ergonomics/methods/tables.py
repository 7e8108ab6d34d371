"""The published tables, read from the package's own files."""

from __future__ import annotations

import csv
from importlib import resources
from typing import TypeVar

import msgspec

__all__ = ["read_rows", "read_table"]

Table = TypeVar("Table")


def read_table(name: str, kind: type[Table]) -> Table:
    """Return a TOML file of `data` as a value of a dataclass."""
    text = (resources.files("robotix.ergonomics") / "data" / name).read_bytes()
    return msgspec.toml.decode(text, type=kind)


def read_rows(name: str) -> tuple[dict[str, str], ...]:
    """Return the rows of a CSV file of `data`."""
    text = (resources.files("robotix.ergonomics") / "data" / name).read_text(encoding="utf-8")
    return tuple(csv.DictReader(text.splitlines()))
