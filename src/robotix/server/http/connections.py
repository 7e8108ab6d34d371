"""Connections that have not shown a secret yet: few, and for a short time.

Every connection costs a file descriptor. Those of strangers are limited in number, the oldest goes
first, and none stays for long, so that they can never use up what pages and files need. This holds
before TLS and before the first byte of a request.
"""

from __future__ import annotations

import contextlib
import resource
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

__all__ = ["ConnectionLimit", "Listener", "raise_descriptor_limit"]

Peer: TypeAlias = tuple[str, int]  # address and port of the other side

MAX_STRANGERS = 256  # connections without a secret
MAX_PATIENCE = 10.0  # s that a connection may take to show a secret
RESERVED_DESCRIPTORS = 128  # for files, workers, sockets of our own
WANTED_DESCRIPTORS = 8192


def raise_descriptor_limit() -> int:
    """Raise the soft limit of file descriptors as far as useful and allowed; return the limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return WANTED_DESCRIPTORS
    wanted = WANTED_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(WANTED_DESCRIPTORS, hard)
    if wanted > soft:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return soft


@dataclass(frozen=True, eq=False)
class _Stranger:
    connection: socket.socket
    since: float  # s

    @property
    def is_open(self) -> bool:
        return self.connection.fileno() >= 0

    def cut(self) -> None:
        """End the connection; whoever owns it sees that the other side is gone."""
        with contextlib.suppress(OSError):
            self.connection.shutdown(socket.SHUT_RDWR)


class ConnectionLimit:
    """Counts connections, and cuts off strangers that are too many or too slow."""

    def __init__(
        self,
        *,
        max_strangers: int = MAX_STRANGERS,
        max_connections: int = WANTED_DESCRIPTORS,
        patience: float = MAX_PATIENCE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Set limits in number and in seconds; all methods are for one thread."""
        self._max_strangers = min(max_strangers, max(1, max_connections // 2))
        self._max_connections = max_connections
        self._patience = patience
        self._clock = clock
        self._strangers: dict[Peer, _Stranger] = {}  # the oldest first
        self._admitted: dict[Peer, socket.socket] = {}

    @property
    def n_strangers(self) -> int:
        """Number of connections that have shown no secret."""
        return len(self._strangers)

    def add(self, connection: socket.socket, peer: Peer) -> bool:
        """Count a new connection; return False if there is no room for it."""
        if len(self._strangers) >= self._max_strangers:
            self.sweep()
        while len(self._strangers) >= self._max_strangers:
            self._strangers.pop(next(iter(self._strangers))).cut()
        if len(self._strangers) + len(self._admitted) >= self._max_connections:
            self.sweep()
            if len(self._strangers) + len(self._admitted) >= self._max_connections:
                return False
        self._strangers.pop(peer, None)
        self._strangers[peer] = _Stranger(connection, self._clock())
        return True

    def admit(self, peer: Peer | None) -> None:
        """Let a connection stay, since it has shown a secret."""
        known = self._strangers.pop(peer, None) if peer is not None else None
        if known is not None and peer is not None:
            self._admitted[peer] = known.connection

    def sweep(self) -> None:
        """Forget connections that are closed, and cut off strangers that have taken too long."""
        now = self._clock()
        self._admitted = {peer: each for peer, each in self._admitted.items() if each.fileno() >= 0}
        for peer, each in tuple(self._strangers.items()):
            is_late = now - each.since > self._patience
            if is_late:
                each.cut()
            if is_late or not each.is_open:
                del self._strangers[peer]


class Listener(socket.socket):
    """A listening socket whose connections are limited."""

    limit: ConnectionLimit | None = None

    def accept(self) -> tuple[socket.socket, Any]:
        """Accept a connection; raise ConnectionAbortedError if there is no room for it."""
        connection, peer = super().accept()
        if self.limit is not None and not self.limit.add(connection, peer[:2]):
            connection.close()
            raise ConnectionAbortedError("too many connections")
        return connection, peer
