"""A page that is lost, in whatever way, leaves no robot moving."""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress
from itertools import cycle, product
from statistics import median

import numpy as np
import pytest
from conftest import Figures
from support.served_room import PATIENCE, Page, ServedRoom, served

import robotix as rx
from robotix.scene.scene import Scene
from robotix.server.http.hosting import PING_INTERVAL, PONG_TIMEOUT

WAYS = ("close frame", "end of stream", "reset", "silence")
DRIVES = ("command", "keys")
UNNOTICED = ("silence", "command")  # nothing tells of the loss but pings without an answer
MAX_REST = 2.0  # s until the arm rests, also on a busy machine
MAX_UNNOTICED = PING_INTERVAL + PONG_TIMEOUT  # s until a page that says nothing counts as lost
MOVE_TICKS = 2000  # of a commanded move, 17 s: longer than a page stays unnoticed
UNDER_WAY = 0.02  # m that the tip has moved
SETTLED = 12  # ticks without motion
MIN_ENGAGED = 0.9  # share of pages that moved the arm; on a starved machine some keys come too late


class NotEngaged(Exception):
    """The arm did not move, so there was nothing to lose."""


def lose(page: Page, way: str) -> None:
    """End the connection of a page."""
    raw = page.socket.socket
    match way:
        case "close frame":  # then it waits for the answer, behind all frames that nobody reads
            threading.Thread(target=page.socket.close, daemon=True).start()
        case "end of stream":
            raw.shutdown(socket.SHUT_RDWR)
        case "reset":
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            raw.close()
        case "silence":
            pass  # the page stays, and says nothing any more


def drive_and_lose(room: ServedRoom, way: str, drive: str) -> tuple[float, float]:
    """Let a page move the arm, lose it; return s until the arm rests, and how far it went, m."""
    arm = room.scene.robot("arm")
    with room.page("driver") as page:
        page.take_control(by_force=True)
        if drive == "command":
            goal = 60 if arm.q[0] < 0.5 else -60
            assert page.command(f"move @{MOVE_TICKS};({goal}, {goal}, {goal})")["ok"]
            _until_under_way(room, page)
            begin, before = time.perf_counter(), arm.tip_position()
            lose(page, way)
        else:
            assert page.command("move @2;(20, 40, 60)")["ok"]
            _until_resting(room)
            assert page.command("track_init stick")["ok"]
            with page.keyboard() as down:
                assert page.command("track_toggle")["ok"]
                _press_until_moving(room, down)
                begin, before = time.perf_counter(), arm.tip_position()
                if way != "silence":
                    lose(page, way)
        end = _until_resting(room)
    return max(end - begin, 0.0), float(np.linalg.norm(arm.tip_position() - before))


def _until_under_way(room: ServedRoom, page: Page) -> None:
    """Wait until a motion has begun, and gone some way; a page that does not read would be lost."""
    end, arm = time.perf_counter() + PATIENCE, room.scene.robot("arm")
    start = arm.tip_position()
    while not arm.is_moving or np.linalg.norm(arm.tip_position() - start) < UNDER_WAY:
        assert time.perf_counter() < end, "the arm does not move"
        page.next_frame()


def _press_until_moving(room: ServedRoom, down: set[str]) -> None:
    """Press a key; again, as a person would, if the page had not been heard before."""
    limit, arm = time.perf_counter() + PATIENCE, room.scene.robot("arm")
    while not arm.is_moving:
        if time.perf_counter() > limit:
            raise NotEngaged
        tick = room.scene.tick
        (down.discard if down else down.add)("ArrowLeft")
        while room.scene.tick < tick + 60 and not arm.is_moving:
            time.sleep(0.002)


def _until_resting(room: ServedRoom) -> float:
    """Return when the arm came to rest, s."""
    arm, moved, tick = room.scene.robot("arm"), time.perf_counter(), room.scene.tick
    limit = moved + PATIENCE
    while room.scene.tick - tick < SETTLED:
        if arm.is_moving:
            moved, tick = time.perf_counter(), room.scene.tick
        assert time.perf_counter() < limit, "the arm does not stop"
        time.sleep(0.002)
    return moved


def ways_to_lose(count: int, *, is_patient: bool) -> list[tuple[str, str]]:
    """Return how each page is lost, and what moved the arm: all ways in turn.

    Unless `is_patient`, no silence of a page that commanded: it stays unnoticed for seconds.
    """
    ways = list(product(DRIVES, WAYS))
    chosen = [ways[number % len(ways)] for number in range(count)]
    brief = cycle(WAYS[:3])
    return [
        (next(brief) if (way, drive) == UNNOTICED and not is_patient else way, drive)
        for drive, way in chosen
    ]


def lose_pages(count: int, figures: Figures, *, is_patient: bool) -> None:
    scene = Scene()
    scene.add_robot("arm", rx.load("planar_3r")).set_q([0.3, 0.5, 0.5])
    found = dict[tuple[str, str], list[tuple[float, float]]]()
    n_lost = 0
    with served(scene) as room:
        for way, drive in ways_to_lose(count, is_patient=is_patient):
            with suppress(NotEngaged):
                result = drive_and_lose(room, way, drive)
                found.setdefault((way, drive), []).append(result)
                n_lost += 1
        with room.page("next") as page, page.keyboard() as down:  # nothing moves for those who come
            page.take_control()
            down.add("ArrowLeft")
            assert _until_resting(room) and not scene.robot("arm").is_moving
    assert n_lost >= MIN_ENGAGED * count
    for (way, drive), results in sorted(found.items()):
        seconds, metres = zip(*results, strict=True)
        figures(
            "a lost page leaves nothing moving",
            f"{len(results)} × {way}, arm moved by {drive}",
            f"at rest after median {1e3 * median(seconds):.0f} ms, "
            f"worst {1e3 * max(seconds):.0f} ms; way at most {1e3 * max(metres):.0f} mm",
        )
        unnoticed = MAX_UNNOTICED if (way, drive) == UNNOTICED else 0.0
        assert max(seconds) <= MAX_REST + unnoticed


def test_a_lost_page_leaves_no_robot_moving(figures: Figures) -> None:
    lose_pages(8, figures, is_patient=False)


@pytest.mark.soak
def test_five_hundred_lost_pages_leave_no_robot_moving(figures: Figures) -> None:
    lose_pages(500, figures, is_patient=True)
