"""Markers for `Annotated`: what a field of a dataclass means in a file, beyond its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

__all__ = [
    "ColourValue",
    "DegreesFlag",
    "Description",
    "InUnit",
    "Named",
    "OneWord",
    "SentSignal",
    "Within",
]


@dataclass(frozen=True)
class Named:
    """The text is the name of one of these; an empty text stands for the obvious one."""

    kind: str  # such as "node"


@dataclass(frozen=True)
class SentSignal:
    """The text is the name of a signal that is sent; an empty text stands for none."""


@dataclass(frozen=True)
class InUnit:
    """The numbers are in this unit; a file may also give them in degrees, by a key with `_deg`."""

    unit: Literal["rad"]


@dataclass(frozen=True)
class DegreesFlag:
    """The truth value says that the angles beside it are in degrees.

    A reader sets it instead of converting them. It belongs to positions of joints, some of which
    may be lengths: only the robot knows which.
    """


@dataclass(frozen=True)
class ColourValue:
    """The numbers are red, green and blue in 0..1."""


@dataclass(frozen=True)
class Within:
    """The number lies between these."""

    low: float
    high: float


@dataclass(frozen=True)
class Description:
    """The purpose of a key, for documentation and errors."""

    text: str


@dataclass(frozen=True, eq=False)
class OneWord:
    """The value is a mapping of one word to its parameters, such as `{say: hello}`."""

    what: str
    example: str
    words: Callable[[], Mapping[str, type[Any]]]
    make: Callable[[Any], Any]  # the value from the dataclass that was read
