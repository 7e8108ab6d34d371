"""Strangers get few connections, and for a short time; those inside always have room."""

from __future__ import annotations

import http.client
import math
import socket
import threading
import time
from collections.abc import Iterator

import pytest
from conftest import Figures
from support.served_room import PATIENCE, TOKEN, ServedRoom, served

from robotix.scene.scene import Scene
from robotix.server.http.connections import MAX_STRANGERS, ConnectionLimit


@pytest.fixture
def room() -> Iterator[ServedRoom]:
    with served(Scene(name="empty")) as room:
        yield room


def health(room: ServedRoom) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", room.hosting.port, timeout=PATIENCE)
    try:
        connection.request("GET", "/api/health", headers={"Authorization": f"Bearer {TOKEN}"})
        return connection.getresponse().status
    finally:
        connection.close()


def crowd(room: ServedRoom, count: int) -> list[socket.socket]:
    """Open connections that never finish their request."""
    found = []
    for _ in range(count):
        each = socket.create_connection(("127.0.0.1", room.hosting.port), timeout=PATIENCE)
        each.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        found.append(each)
    return found


def n_cut(connections: list[socket.socket]) -> int:
    """Return how many were closed by the other side."""
    count = 0
    for each in connections:
        each.setblocking(False)
        try:
            count += each.recv(1) == b""
        except BlockingIOError:
            pass
        except ConnectionResetError:
            count += 1
    return count


def withstand(room: ServedRoom, count: int, figures: Figures) -> None:
    """Check that so many silent connections lock nobody out."""
    room.hosting.limit._patience = math.inf  # only their number counts
    with room.page("inside") as page:
        silent = crowd(room, count)
        try:
            begin = time.monotonic()
            while n_cut(silent) < count - MAX_STRANGERS:
                assert time.monotonic() - begin < PATIENCE
                time.sleep(0.01)
            assert room.hosting.limit.n_strangers <= MAX_STRANGERS
            begin = time.monotonic()
            assert health(room) == 200
            waited = time.monotonic() - begin
            figures(
                "strangers lock nobody out",
                f"{count} connections that say nothing",
                f"{MAX_STRANGERS} kept; a program inside is answered in {1e3 * waited:.0f} ms",
            )
            with room.page("late") as late:
                late.take_control()
                assert late.command("show world")["ok"]
            page.take_control(by_force=True)  # who was inside stays
        finally:
            for each in silent:
                each.close()


def test_silent_connections_lock_nobody_out(room: ServedRoom, figures: Figures) -> None:
    withstand(room, MAX_STRANGERS + 50, figures)


@pytest.mark.soak
def test_a_thousand_silent_connections_lock_nobody_out(room: ServedRoom, figures: Figures) -> None:
    withstand(room, 1_000, figures)


def test_pages_in_any_number_are_no_strangers(room: ServedRoom) -> None:
    with room.page() as one, room.page() as two:
        room.hosting.limit.sweep()
        assert room.hosting.limit.n_strangers == 0
        one.take_control()
        two.until("lease")


class Pair:
    """The limit, a clock, and connections to count."""

    def __init__(self, **limits: int) -> None:
        self.now = 0.0
        self.limit = ConnectionLimit(**limits, clock=lambda: self.now)
        self.sockets: list[tuple[socket.socket, socket.socket]] = []

    def add(self, port: int) -> bool:
        ours, theirs = socket.socketpair()
        self.sockets.append((ours, theirs))
        return self.limit.add(ours, ("1.2.3.4", port))

    def is_cut(self, number: int) -> bool:
        theirs = self.sockets[number][1]
        theirs.setblocking(False)
        try:
            return theirs.recv(1) == b""
        except BlockingIOError:
            return False


@pytest.fixture
def pair() -> Iterator[Pair]:
    pair = Pair(max_strangers=3, max_connections=10)
    yield pair
    for each in pair.sockets:
        each[0].close()
        each[1].close()


def test_the_oldest_stranger_makes_room(pair: Pair) -> None:
    for port in range(5):
        assert pair.add(port)
    assert [pair.is_cut(number) for number in range(5)] == [True, True, False, False, False]


def test_a_slow_stranger_is_cut_off_and_who_was_admitted_is_not(pair: Pair) -> None:
    pair.add(0)
    pair.add(1)
    pair.limit.admit(("1.2.3.4", 1))
    pair.limit.admit(("1.2.3.4", 77))
    pair.limit.admit(None)
    pair.now = 60.0
    pair.limit.sweep()
    assert pair.is_cut(0) and not pair.is_cut(1) and pair.limit.n_strangers == 0


def test_all_together_are_limited_until_some_leave(pair: Pair) -> None:
    for port in range(10):
        assert pair.add(port)
        pair.limit.admit(("1.2.3.4", port))
    assert not pair.add(10)
    pair.sockets[4][0].close()
    assert pair.add(11)


def test_a_late_request_is_answered_while_others_are_silent(room: ServedRoom) -> None:
    silent = crowd(room, 20)
    statuses = list[int]()
    threads = [
        threading.Thread(target=lambda: statuses.append(health(room)), daemon=True)
        for _ in range(8)
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join(PATIENCE)
    assert statuses == [200] * 8
    for one in silent:
        one.close()
