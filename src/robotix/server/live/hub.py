"""The pages that are connected, and what each of them is told next.

State is told as it is when a page is ready for it (see `room_state`); words, sounds and answers
wait in a queue of bounded size. So a page that stalls costs neither memory nor time, and gets the
present when it is back, not the past.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec

from robotix.server.live.lease import LeaseBook
from robotix.server.live.room_state import RoomState
from robotix.server.wire.protocol import Lease, ToClient, TrackingOrigin

__all__ = ["Client", "Hub", "Outgoing"]

Outgoing: TypeAlias = str | bytes  # a text is a message, bytes are a frame

MOST_WAITING = 1_000  # messages in a queue
MOST_CHARACTERS = 4_000_000  # of these together
AHEAD = 12  # frames that a page which confirms them may not have drawn yet
TRICKLE = 0.5  # s; so often a page that confirms nothing gets a frame
IDLE = 0.1  # s between two frames in which nothing has moved
NODES_EVERY = 1 / 30  # s between two changes of looks


class Client:
    """A page."""

    def __init__(self, name: str, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.name = name
        self.watched = ""  # robot it wants to know all about
        self.watches_people = False
        self.look: TrackingOrigin | None = None  # where the person at it is, if devices are worn
        self.is_greeted = False
        self.wake = asyncio.Event()
        self.overflow = asyncio.Event()  # too much waits: the page is given up
        self.drawn = -1  # newest tick it said is on its screen; -1: it never did
        self._clock = clock
        self._queue: deque[str] = deque()
        self._size = 0
        self._edition = 0
        self._version = self._extras = self._lease = self._states = self._health = 0
        self._people = 0
        self._frame = 0
        self._frame_at = self._nodes_at = -1e9
        self._ahead: deque[int] = deque(maxlen=4 * AHEAD)  # ticks sent, not drawn

    # -- words ------------------------------------------------------------------------------

    def tell(self, text: str) -> None:
        """Let a message wait for the page; too many, and the page is given up."""
        if self.overflow.is_set():
            return
        self._queue.append(text)
        self._size += len(text)
        if len(self._queue) > MOST_WAITING or self._size > MOST_CHARACTERS:
            self.overflow.set()
            self._queue.clear()
            self._size = 0
        self.wake.set()

    def confirm(self, tick: int) -> None:
        """Note what the page has drawn; it may get more if it was waited for."""
        was_waited_for = self._is_full()
        self.drawn = tick
        while self._ahead and self._ahead[0] <= tick:
            self._ahead.popleft()
        if was_waited_for:
            self.wake.set()

    def watch_people(self, *, is_on: bool) -> None:
        """Let the page be told of people, or no longer; what it was told before is forgotten."""
        self.watches_people = is_on
        self._people = 0
        self.wake.set()

    # -- what comes next --------------------------------------------------------------------

    def outgoing(self, room: RoomState, lease: LeaseBook) -> Iterator[Outgoing]:
        """Yield what the page has not heard yet, each as it is at that moment."""
        while self._queue:
            text = self._queue.popleft()
            self._size -= len(text)
            yield text
        if not self.is_greeted:
            return
        if self._lease != lease.version:
            self._lease = lease.version
            yield encode(Lease(lease.holder, is_mine=lease.holder == self.name))
        if room.structure < 0:
            return
        yield from self._room(room)
        if self._is_too_far_ahead():
            return
        if self._states != room.states:
            self._states = room.states
            yield room.states_text(self.watched)
        if self.watches_people and self._people != room.people:
            self._people = room.people
            yield room.people_text()
        if self._health != room.health:
            self._health = room.health
            yield room.health_text()
        yield from self._places(room)

    def _room(self, room: RoomState) -> Iterator[str]:
        if self._edition != room.edition:
            self._edition, self._version, self._extras = room.edition, room.version, room.extras
            self._frame = 0
            yield room.room_text()
            return
        if self._extras != room.extras:
            self._extras = room.extras
            yield room.extras_text()
        now = self._clock()
        if self._version != room.version and now - self._nodes_at >= NODES_EVERY:
            text = room.nodes_text(self._version)
            self._version = room.version
            if text:
                self._nodes_at = now
                yield text

    def _places(self, room: RoomState) -> Iterator[bytes]:
        frames, now = room.frames, self._clock()
        if frames.structure != room.structure or frames.number <= self._frame:
            return
        if now - self._frame_at < IDLE and not frames.has_news(self._frame):
            return
        frame = frames.encode(self._frame)
        self._frame, self._frame_at = frames.number, now
        self._ahead.append(frames.tick)
        yield frame

    def _is_too_far_ahead(self) -> bool:
        """Tell whether a page that says what it has drawn should draw some first."""
        return self._is_full() and self._clock() - self._frame_at < TRICKLE

    def _is_full(self) -> bool:
        return self.drawn >= 0 and len(self._ahead) >= AHEAD


class Hub:
    """All pages."""

    def __init__(self, room: RoomState, lease: LeaseBook) -> None:
        self.room = room
        self.lease = lease
        self.clients: dict[str, Client] = {}
        self._count = 0

    def add(self, wish: str = "") -> Client:
        """Take in a page; its name is unique, and never that of one that has left."""
        self._count += 1
        plain = "".join(c for c in wish if c.isprintable())[:40].strip() or "page"
        client = Client(f"{plain} {self._count}")
        self.clients[client.name] = client
        return client

    def remove(self, client: Client) -> None:
        """Forget a page; control is free if it had it."""
        if self.clients.pop(client.name, None) is not None:
            self.lease.give(client.name)

    @property
    def names(self) -> frozenset[str]:
        """Names of all pages."""
        return frozenset(self.clients)

    @property
    def watched(self) -> frozenset[str]:
        """Robots that some page wants to know all about."""
        return frozenset(client.watched for client in self.clients.values()) - {""}

    @property
    def watches_people(self) -> bool:
        """Whether some page wants to know what people carry."""
        return any(client.watches_people for client in self.clients.values())

    def tell_all(self, message: ToClient) -> None:
        """Send a message to every page, encoded once."""
        text = encode(message)
        for client in self.clients.values():
            client.tell(text)

    def wake_all(self) -> None:
        """Let every page be told what is new."""
        for client in self.clients.values():
            client.wake.set()


def encode(message: msgspec.Struct) -> str:
    """Return a message as it is sent."""
    return msgspec.json.encode(message).decode()
