"""Connected clients, their outgoing messages, and the client in control.

Of state, only the latest version is sent (see `room_state`); texts, sounds and answers wait in a
bounded queue. A client that stalls costs neither memory nor time, and receives the current state
when it resumes.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias

import msgspec

from robotix.server.live.room_state import RoomState
from robotix.server.wire.protocol import Lease, ToClient, TrackingOrigin
from robotix.server.wire.viewing import ViewOfPage

__all__ = ["Client", "ControlLease", "Hub", "Outgoing", "Role"]

Role: TypeAlias = Literal["drive", "watch"]  # what a page may do; all may stop the robots
Outgoing: TypeAlias = str | bytes  # a text is a message, bytes are a frame

MAX_QUEUED_MESSAGES = 1_000  # per client
MAX_QUEUED_CHARACTERS = 4_000_000  # total length of these messages
MAX_FRAMES_AHEAD = 12  # sent but not confirmed as shown
STALLED_FRAME_INTERVAL = 0.5  # s between frames for a client that confirms none
IDLE_FRAME_INTERVAL = 0.1  # s between frames without changes
NODES_INTERVAL = 1 / 30  # s between changes of node properties


class ControlLease:
    """Name of the client in control, at most one; `on_change` is called after every change."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self.holder = ""  # none
        self.version = 1  # counts changes
        self._on_change = on_change

    def request(self, name: str, *, take: bool = False) -> bool:
        """Request control, with `take` from another client; return whether the client has it."""
        if self.holder != name and (take or not self.holder):
            self._set(name)
        return self.holder == name

    def release(self, name: str) -> None:
        """Release control if the client has it."""
        if self.holder == name:
            self._set("")

    def _set(self, holder: str) -> None:
        self.holder = holder
        self.version += 1
        self._on_change()


class Client:
    """A connected page, and what it has received so far."""

    def __init__(self, name: str, *, clock: Callable[[], float] = time.perf_counter) -> None:
        self.name = name
        self.can_drive = True
        self.key = secrets.token_urlsafe(16)  # known to this page only
        self.watched = ""  # robot whose full state it needs
        self.watches_people = False
        self.watches_touches = self.watches_forces = False
        self.watches_devices = self.watches_views = False
        self.view: ViewOfPage | None = None  # what it sees; None unless it says so
        self.tracking_origin: TrackingOrigin | None = None  # of worn devices; None without
        self.is_welcomed = False
        self.wake = asyncio.Event()
        self.overflow = asyncio.Event()  # the queue is full: the connection is closed
        self.shown_tick = -1  # latest tick confirmed as shown; -1: none
        self._clock = clock
        self._queue: deque[str] = deque()
        self._size = 0
        self._edition = 0
        self._version = self._extras = self._lease = self._states = self._health = 0
        self._people = self._touches = self._devices = 0
        self._views: dict[str, str] = {}  # of other clients, not sent yet
        self._frame = 0
        self._frame_at = self._nodes_at = -1e9
        self._ahead: deque[int] = deque(maxlen=4 * MAX_FRAMES_AHEAD)  # ticks sent but not confirmed

    # -- queue ------------------------------------------------------------------------------

    def send(self, text: str) -> None:
        """Queue a message; if the queue is full, set `overflow`."""
        if self.overflow.is_set():
            return
        self._queue.append(text)
        self._size += len(text)
        if len(self._queue) > MAX_QUEUED_MESSAGES or self._size > MAX_QUEUED_CHARACTERS:
            self.overflow.set()
            self._queue.clear()
            self._size = 0
        self.wake.set()

    def confirm(self, tick: int) -> None:
        """Record the latest tick that the page shows, and resume sending if it was suspended."""
        was_full = self._is_full()
        self.shown_tick = tick
        if tick in self._ahead:  # in the order they were sent: a recording may jump back
            while tick in self._ahead:
                self._ahead.popleft()
        else:
            while self._ahead and self._ahead[0] <= tick:
                self._ahead.popleft()
        if was_full:
            self.wake.set()

    def watch_people(self, *, is_on: bool) -> None:
        """Subscribe to the state of people, or unsubscribe."""
        self.watches_people = is_on
        self._people = 0
        self.wake.set()

    def watch_touches(self, *, robots: bool, forces: bool) -> None:
        """Subscribe to contacts of robots, and those of physics with forces, or unsubscribe."""
        self.watches_touches, self.watches_forces = robots or forces, forces
        self._touches = 0
        self.wake.set()

    def watch_devices(self, *, is_on: bool) -> None:
        """Subscribe to the poses of tracked devices, or unsubscribe."""
        self.watches_devices = is_on
        self._devices = 0
        self.wake.set()

    def set_view(self, client: str, text: str) -> None:
        """Set the message with the latest view of another client."""
        self._views[client] = text
        self.wake.set()

    # -- sending ----------------------------------------------------------------------------

    def outgoing(self, room: RoomState, lease: ControlLease) -> Iterator[Outgoing]:
        """Yield queued messages, then the latest state that the client has not received."""
        while self._queue:
            text = self._queue.popleft()
            self._size -= len(text)
            yield text
        if not self.is_welcomed:
            return
        if self._lease != lease.version:
            self._lease = lease.version
            yield encode(Lease(lease.holder, is_mine=lease.holder == self.name))
        views, self._views = self._views, {}
        yield from views.values()
        if room.structure < 0:
            return
        yield from self._room_messages(room)
        if self._is_too_far_ahead():
            return
        if self._states != room.states:
            self._states = room.states
            yield room.states_text(self.watched)
        if self.watches_people and self._people != room.people:
            self._people = room.people
            yield room.people_text()
        if self.watches_touches and self._touches != room.touches:
            self._touches = room.touches
            yield room.touches_text()
        if self.watches_devices and self._devices != room.device_poses:
            self._devices = room.device_poses
            yield room.devices_text()
        if self._health != room.health:
            self._health = room.health
            yield room.health_text()
        yield from self._new_frame(room)

    def _room_messages(self, room: RoomState) -> Iterator[str]:
        if self._edition != room.edition:
            self._edition, self._version, self._extras = room.edition, room.version, room.extras
            self._frame = 0
            yield room.room_text()
            yield from room.collision_texts()
            return
        if self._extras != room.extras:
            self._extras = room.extras
            yield room.extras_text()
        now = self._clock()
        if self._version != room.version and now - self._nodes_at >= NODES_INTERVAL:
            text = room.nodes_text(self._version)
            self._version = room.version
            if text:
                self._nodes_at = now
                yield text

    def _new_frame(self, room: RoomState) -> Iterator[bytes]:
        frames, now = room.frames, self._clock()
        if frames.structure != room.structure or frames.number <= self._frame:
            return
        if now - self._frame_at < IDLE_FRAME_INTERVAL and not frames.has_changes(self._frame):
            return
        frame = frames.encode(self._frame)
        self._frame, self._frame_at = frames.number, now
        self._ahead.append(frames.tick)
        yield frame

    def _is_too_far_ahead(self) -> bool:
        """Return whether to wait until the client has shown more frames."""
        return self._is_full() and self._clock() - self._frame_at < STALLED_FRAME_INTERVAL

    def _is_full(self) -> bool:
        return self.shown_tick >= 0 and len(self._ahead) >= MAX_FRAMES_AHEAD


class Hub:
    """All clients."""

    def __init__(self, room: RoomState, lease: ControlLease) -> None:
        self.room = room
        self.lease = lease
        self.clients: dict[str, Client] = {}
        self._count = 0

    def add(self, requested_name: str = "") -> Client:
        """Add a client; its name is made unique by a number that is never reused."""
        self._count += 1
        plain = "".join(c for c in requested_name if c.isprintable())[:40].strip() or "page"
        client = Client(f"{plain} {self._count}")
        self.clients[client.name] = client
        return client

    def remove(self, client: Client) -> None:
        """Remove a client, and release control if it had it."""
        if self.clients.pop(client.name, None) is not None:
            self.lease.release(client.name)

    def is_in_control(self, key: str) -> bool:
        """Return whether this is the key of the client in control."""
        driver = self.clients.get(self.lease.holder)
        return driver is not None and secrets.compare_digest(driver.key.encode(), key.encode())

    @property
    def names(self) -> frozenset[str]:
        """Names of all clients."""
        return frozenset(self.clients)

    @property
    def watched(self) -> frozenset[str]:
        """Robots whose full state some client needs."""
        return frozenset(client.watched for client in self.clients.values()) - {""}

    @property
    def watches_people(self) -> bool:
        """Whether some client needs the state of people."""
        return any(client.watches_people for client in self.clients.values())

    @property
    def watches_touches(self) -> bool:
        """Whether some client needs contacts."""
        return any(client.watches_touches for client in self.clients.values())

    @property
    def watches_forces(self) -> bool:
        """Whether some client needs the contacts of physics."""
        return any(client.watches_forces for client in self.clients.values())

    @property
    def watches_devices(self) -> bool:
        """Whether some client needs the poses of tracked devices."""
        return any(client.watches_devices for client in self.clients.values())

    def send_all(self, message: ToClient) -> None:
        """Send a message to every client, encoded once."""
        text = encode(message)
        for client in self.clients.values():
            client.send(text)

    def wake_all(self) -> None:
        """Notify every connection that there are updates."""
        for client in self.clients.values():
            client.wake.set()


def encode(message: msgspec.Struct) -> str:
    """Return a message as JSON."""
    return msgspec.json.encode(message).decode()
