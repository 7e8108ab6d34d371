"""A room that is really served, on a port of the loopback, and pages without a browser."""

from __future__ import annotations

import json
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import websockets.sync.client as client
from numpy.typing import NDArray
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from robotix.devices import Controls, default_device_map, fit_to_scene
from robotix.scene.console.console import install_console
from robotix.scene.loop import Consumer, Loop
from robotix.scene.scene import Scene
from robotix.server import Access, Hosting, RoomService
from robotix.server.live.frames import HEADER, MAGIC
from robotix.server.wire.protocol import VERSION

TOKEN = "a-token-for-tests-only"
PATIENCE = 30.0  # s; nothing takes so long, but on a busy machine


@dataclass(frozen=True)
class Frame:
    """A binary frame, taken apart."""

    structure: int
    tick: int
    time: float
    sent: float
    places: dict[int, NDArray[np.float32]]

    @staticmethod
    def decode(data: bytes) -> Frame:
        magic, structure, tick, count, seconds, sent = HEADER.unpack_from(data)
        assert magic == MAGIC
        assert len(data) == HEADER.size + count * 36
        rows = struct.unpack_from(f"<{count}I", data, HEADER.size)
        places = np.frombuffer(data, "<f4", count * 8, HEADER.size + 4 * count).reshape(-1, 8)
        return Frame(structure, tick, seconds, sent, dict(zip(rows, places, strict=True)))


@dataclass
class Page:
    """A page: a socket, and what was heard so far."""

    socket: client.ClientConnection
    heard: list[dict[str, Any]] = field(default_factory=list)  # messages nobody has asked for yet
    places: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    frame: Frame | None = None
    name: str = ""
    _count: int = 0

    def send(self, kind: str, **values: Any) -> None:
        self.socket.send(json.dumps({"kind": kind, **values}))

    def read(self) -> None:
        """Take in one message or frame."""
        data = self.socket.recv(timeout=PATIENCE)
        if isinstance(data, bytes):
            self.frame = Frame.decode(data)
            self.places.update(self.frame.places)
        else:
            message = json.loads(data)
            if message["kind"] == "room":
                self.places.clear()
            self.heard.append(message)

    def until(
        self, kind: str, is_it: Callable[[dict[str, Any]], bool] = lambda message: True
    ) -> dict[str, Any]:
        """Wait for a message; those of other kinds stay for others to ask for."""
        end = time.monotonic() + PATIENCE
        while True:
            for message in self.heard:
                if message["kind"] == kind and is_it(message):
                    self.heard.remove(message)
                    return message
            assert time.monotonic() < end, f"no {kind}; heard {[m['kind'] for m in self.heard]}"
            self.read()

    def next_frame(self, is_it: Callable[[Frame], bool] = lambda frame: True) -> Frame:
        end = time.monotonic() + PATIENCE
        while True:
            self.frame = None
            while self.frame is None:
                assert time.monotonic() < end, "no frame"
                self.read()
            if is_it(self.frame):
                return self.frame

    def command(self, line: str) -> dict[str, Any]:
        """Send a line; return the answer."""
        self._count += 1
        number = self._count
        self.send("command", id=number, line=line)
        return self.until("answer", lambda answer: answer["id"] == number)

    def take_control(self, *, by_force: bool = False) -> None:
        self.send("ask_control", take=by_force)
        self.until("lease", lambda lease: lease["is_mine"])

    @contextmanager
    def keyboard(self) -> Iterator[set[str]]:
        """Have a keyboard as browsers do: yields the codes of the keys that are down."""
        down, is_over = set[str](), threading.Event()

        def go_on() -> None:
            while not is_over.wait(0.03):
                state = {"type": "state", "down": sorted(down)}
                try:
                    self.send("device", device="keyboard", data=state)
                except ConnectionClosed:
                    return

        thread = threading.Thread(target=go_on)
        thread.start()
        try:
            yield down
        finally:
            is_over.set()
            thread.join()

    def closed(self) -> tuple[int, str]:
        """Wait for the end; return its code and reason."""
        last = time.monotonic() + PATIENCE
        try:
            while time.monotonic() < last:
                self.read()
        except ConnectionClosed as end:
            assert end.rcvd is not None, "cut off without a word"
            return end.rcvd.code, end.rcvd.reason
        raise AssertionError("the connection was not closed")


@dataclass
class ServedRoom:
    """A room that lives, and its server."""

    scene: Scene
    service: RoomService
    hosting: Hosting
    loop: Loop

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.hosting.port}"

    @property
    def cookie(self) -> str:
        sessions = self.hosting.access.sessions
        return f"{sessions.cookie_name}={sessions.cookie()}"

    @property
    def key(self) -> str:
        return self.hosting.access.sessions.key()

    def socket(
        self, *, cookie: str | None = None, origin: str | None = None
    ) -> client.ClientConnection:
        cookie = self.cookie if cookie is None else cookie
        return client.connect(
            f"ws://127.0.0.1:{self.hosting.port}/live",
            origin=Origin(self.origin if origin is None else origin),
            additional_headers={"Cookie": cookie} if cookie else {},
            compression=None,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
            close_timeout=0.5,  # s; the answer comes behind frames that nobody may read any more
        )

    @contextmanager
    def page(self, name: str = "test", *, key: str | None = None) -> Iterator[Page]:
        """Open a page, and say hello."""
        with self.socket() as socket:
            page = Page(socket)
            key = self.key if key is None else key
            page.send("hello", version=VERSION, name=name, key=key)
            page.name = page.until("welcome")["client"]
            yield page


@contextmanager
def served(
    scene: Scene, *, port: int = 0, on_tick: tuple[Consumer, ...] = ()
) -> Iterator[ServedRoom]:
    """Serve a room and let it live."""
    if scene.console is None:
        install_console(scene)
    service = RoomService()
    with Hosting(service, Access.of(TOKEN), port=port) as hosting:
        controls = Controls(fit_to_scene(default_device_map(), scene.devices))
        service.open(scene, controls)
        loop = Loop(
            scene,
            source=service.source,
            on_tick=[*on_tick, *service.on_tick],
            has_lines=service.has_lines,
            on_still=service.on_still,
        )
        service.attach(loop)
        thread = threading.Thread(target=loop.run, name="room")
        thread.start()
        try:
            yield ServedRoom(scene, service, hosting, loop)
        finally:
            loop.resume()
            loop.stop()
            thread.join()
