"""Messages of the VR Peripheral Network [Taylor2001], as they travel over TCP.

Big-endian. After a cookie of 24 bytes in each direction, every message has a header of 24 bytes:
length (of header and body, without padding), seconds, microseconds, sender, type, sequence number;
its body is padded to 8 bytes. Senders and types are numbers that each side announces by messages of
the types -1 and -2, whose body is a length and a text.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = [
    "ANALOG",
    "BUTTON",
    "COOKIE_SIZE",
    "PING",
    "PONG",
    "SENDER_DESCRIPTION",
    "TRACKER",
    "TYPE_DESCRIPTION",
    "MessageStream",
    "VrpnMessage",
    "check_cookie",
    "describe",
    "make_cookie",
    "text_of",
]

COOKIE_SIZE, ALIGN, HEADER_SIZE = 24, 8, 24
VERSION, MAJOR = "vrpn: ver. 07.35", "vrpn: ver. 07."
HEADER = struct.Struct(">iiiiiI")
MAX_MESSAGE_BYTES = 65_536
SENDER_DESCRIPTION, TYPE_DESCRIPTION = -1, -2
TRACKER, BUTTON = "vrpn_Tracker Pos_Quat", "vrpn_Button Change"
ANALOG, PING, PONG = "vrpn_Analog Channel", "vrpn_Base ping_message", "vrpn_Base pong_message"


@dataclass(frozen=True)
class VrpnMessage:
    """One message; senders and types are numbers of its connection."""

    sender: int
    type: int
    body: bytes = b""

    def pack(self, time: float = 0.0) -> bytes:
        """Return the bytes to send; `time` in s."""
        seconds = int(time)
        header = HEADER.pack(
            HEADER_SIZE + len(self.body), seconds, int(1e6 * (time - seconds)), self.sender,
            self.type, 0,
        )  # fmt: skip
        return header + self.body + bytes(-len(self.body) % ALIGN)


def make_cookie() -> bytes:
    """Return what each side sends first: its version, and that it wants no logging."""
    return f"{VERSION}  0".encode().ljust(COOKIE_SIZE, b"\0")


def check_cookie(cookie: bytes) -> None:
    """Raise ValueError unless the other side speaks the same major version."""
    if not cookie.startswith(MAJOR.encode()):
        raise ValueError(f"no VRPN server of version 07: {cookie[:20]!r}")


def describe(kind: int, number: int, name: str) -> VrpnMessage:
    """Return the announcement of a sender or a type."""
    text = name.encode() + b"\0"
    return VrpnMessage(number, kind, struct.pack(">i", len(text)) + text)


def text_of(body: bytes) -> str:
    """Return the name in an announcement."""
    if len(body) < 4:
        raise ValueError("an announcement without a name")
    (size,) = struct.unpack_from(">i", body)
    return body[4 : 4 + max(size, 0)].split(b"\0", 1)[0].decode("utf-8", "replace")


class MessageStream:
    """Cuts a stream of bytes into messages."""

    def __init__(self) -> None:
        """Start without bytes."""
        self._data = bytearray()

    def add(self, data: bytes) -> Iterator[VrpnMessage]:
        """Yield the messages that are complete now; ValueError if it cannot be a message."""
        self._data += data
        while len(self._data) >= HEADER_SIZE:
            length, _, _, sender, kind, _ = HEADER.unpack_from(self._data)
            if not HEADER_SIZE <= length <= MAX_MESSAGE_BYTES:
                raise ValueError(f"a message of {length} bytes")
            whole = length + -length % ALIGN
            if len(self._data) < whole:
                return
            yield VrpnMessage(sender, kind, bytes(self._data[HEADER_SIZE:length]))
            del self._data[:whole]
