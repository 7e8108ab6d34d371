"""A VRPN server for tests: speaks the public protocol over TCP, to one client after the other."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from types import TracebackType
from typing import ClassVar

COOKIE = b"vrpn: ver. 07.35  0".ljust(24, b"\0")


def packed(sender: int, kind: int, body: bytes) -> bytes:
    """Return one message: header of 24 bytes, body padded to 8."""
    header = struct.pack(">iiiiiI", 24 + len(body), 1, 2, sender, kind, 3)
    return header + body + bytes(-len(body) % 8)


def announced(kind: int, number: int, name: str) -> bytes:
    """Return the announcement of a sender (-1) or a type (-2)."""
    words = name.encode() + b"\0"
    return packed(number, kind, struct.pack(">i", len(words)) + words)


class FakeVrpnServer:
    """Serves one device, `Wand`: a tracker with two sensors, buttons and analogs."""

    SENDER, OTHER = 4, 5
    TYPES: ClassVar[dict[str, int]] = {
        "vrpn_Tracker Pos_Quat": 10,
        "vrpn_Button Change": 11,
        "vrpn_Analog Channel": 12,
        "vrpn_Base pong_message": 13,
        "vrpn_Something Else": 14,
    }

    def __init__(self, cookie: bytes = COOKIE, *, answers: bool = True) -> None:
        self._cookie, self._answers = cookie, answers
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._socket.getsockname()[1])
        self.ready = threading.Semaphore(0)  # released when a client has announced itself
        self._lock = threading.Lock()
        self.n_pings = 0
        self._client: socket.socket | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def __enter__(self) -> FakeVrpnServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._socket.close()
        self.drop()

    def send(self, kind: str, body: bytes, *, sender: int = SENDER) -> None:
        """Send one message of the device, in two pieces."""
        assert self._client is not None
        data = packed(sender, self.TYPES[kind], body)
        with self._lock:
            self._client.sendall(data[:7])
            self._client.sendall(data[7:])

    def drop(self) -> None:
        """Close the connection to the client."""
        if self._client is not None:
            with contextlib.suppress(OSError):
                self._client.shutdown(socket.SHUT_RDWR)  # wakes the thread that receives
            self._client.close()

    def _run(self) -> None:
        while True:
            try:
                self._client, _ = self._socket.accept()
                self._serve(self._client)
            except OSError:
                if self._socket.fileno() < 0:
                    return

    def _serve(self, client: socket.socket) -> None:
        client.sendall(self._cookie)
        data = b""
        while len(data) < 24:
            data += client.recv(24 - len(data))
        assert data.startswith(b"vrpn: ver. 07.")
        client.sendall(announced(-1, self.SENDER, "Wand") + announced(-1, self.OTHER, "Other"))
        client.sendall(b"".join(announced(-2, n, name) for name, n in self.TYPES.items()))
        data = b""
        names: dict[int, str] = {}
        is_ready = False
        while chunk := client.recv(4096):
            data += chunk
            while len(data) >= 24:
                length, _, _, sender, kind, _ = struct.unpack_from(">iiiiiI", data)
                whole = length + -length % 8
                if len(data) < whole:
                    break
                body, data = data[24:length], data[whole:]
                if kind == -2:
                    names[sender] = body[4:].split(b"\0")[0].decode()
                elif names.get(kind) == "vrpn_Base ping_message":
                    self.n_pings += 1
                    if not is_ready:
                        is_ready = True
                        self.ready.release()
                    if self._answers:
                        self.send("vrpn_Base pong_message", b"")
