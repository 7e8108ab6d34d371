"""Writes packets of Open Sound Control 1.0."""

from __future__ import annotations

import struct


def text(words: str) -> bytes:
    """Return a text, padded to four bytes with at least one zero."""
    data = words.encode("utf-8") + b"\0"
    return data + bytes(-len(data) % 4)


def message(address: str, *values: object) -> bytes:
    """Return a message; the types of its arguments are those of Python."""
    tags, body = ",", b""
    for value in values:
        match value:
            case True:
                tags += "T"
            case False:
                tags += "F"
            case None:
                tags += "N"
            case int():
                tags, body = tags + "i", body + struct.pack(">i", value)
            case float():
                tags, body = tags + "f", body + struct.pack(">f", value)
            case str():
                tags, body = tags + "s", body + text(value)
            case bytes():
                blob = struct.pack(">i", len(value)) + value + bytes(-len(value) % 4)
                tags, body = tags + "b", body + blob
    return text(address) + text(tags) + body


def bundle(*packets: bytes) -> bytes:
    """Return a bundle that is due at once."""
    parts = b"".join(struct.pack(">i", len(packet)) + packet for packet in packets)
    return b"#bundle\0" + struct.pack(">Q", 1) + parts
