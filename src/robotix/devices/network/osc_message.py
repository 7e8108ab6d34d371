"""Packets of Open Sound Control 1.0: messages and bundles, read with suspicion."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

__all__ = ["OscMessage", "read_packet"]

OscValue: TypeAlias = int | float | str | bytes | bool | None
BUNDLE = b"#bundle\0"
MAX_DEPTH = 8  # of bundles in bundles
NUMBERS = {"i": ">i", "f": ">f", "h": ">q", "d": ">d", "t": ">Q"}
CONSTANTS: dict[str, OscValue] = {"T": True, "F": False, "N": None, "I": float("inf")}


@dataclass(frozen=True)
class OscMessage:
    """An address, such as `/wand/x`, and its arguments."""

    address: str
    values: tuple[OscValue, ...] = ()

    @property
    def numbers(self) -> tuple[float, ...]:
        """Arguments as numbers; ValueError if one is none."""
        if not all(isinstance(value, int | float) for value in self.values):
            raise ValueError(f"{self.address} has arguments that are no numbers: {self.values}")
        return tuple(float(value) for value in self.values)  # type: ignore[arg-type]


def read_packet(data: bytes, depth: int = 0) -> Iterator[OscMessage]:
    """Yield the messages of a packet; time tags of bundles are ignored. ValueError if malformed."""
    if not data.startswith(BUNDLE):
        yield _message(data)
        return
    if depth >= MAX_DEPTH:
        raise ValueError("bundles are nested too deeply")
    at = len(BUNDLE) + 8  # behind the time tag
    while at < len(data):
        size = _size(data, at)
        if at + 4 + size > len(data):
            raise ValueError("a bundle is cut short")
        yield from read_packet(data[at + 4 : at + 4 + size], depth + 1)
        at += 4 + size


def _message(data: bytes) -> OscMessage:
    address, at = _text(data, 0)
    if not address.startswith("/"):
        raise ValueError(f"an address begins with a slash, got {address[:40]!r}")
    if at >= len(data):  # old senders leave out the type tags
        return OscMessage(address)
    tags, at = _text(data, at)
    if not tags.startswith(","):
        raise ValueError(f"{address} has no type tags")
    values: list[OscValue] = []
    for tag in tags[1:]:
        value, at = _argument(tag, data, at)
        values.append(value)
    return OscMessage(address, tuple(values))


def _argument(tag: str, data: bytes, at: int) -> tuple[OscValue, int]:
    if tag in NUMBERS:
        return _number(NUMBERS[tag], data, at), at + struct.calcsize(NUMBERS[tag])
    if tag in CONSTANTS:
        return CONSTANTS[tag], at
    if tag in "sS":
        return _text(data, at)
    if tag == "b":
        size = _size(data, at)
        end = at + 4 + size
        if end > len(data):
            raise ValueError("a blob is cut short")
        return data[at + 4 : end], end + -size % 4
    raise ValueError(f"arguments of type {tag!r} are not supported")


def _text(data: bytes, at: int) -> tuple[str, int]:
    """Return a text, and where the next argument starts: texts are padded to four bytes."""
    end = data.find(b"\0", at)
    if end < 0:
        raise ValueError("a text has no end")
    try:
        return data[at:end].decode("ascii"), end + 4 - end % 4
    except UnicodeDecodeError:
        raise ValueError("a text is not ASCII") from None


def _size(data: bytes, at: int) -> int:
    """Return the number of bytes that follow."""
    size = int(_number(">i", data, at))
    if size < 0:
        raise ValueError(f"a size must not be negative, got {size}")
    return size


def _number(layout: str, data: bytes, at: int) -> int | float:
    try:
        value: int | float = struct.unpack_from(layout, data, at)[0]
    except struct.error:
        raise ValueError("a packet is cut short") from None
    return value
