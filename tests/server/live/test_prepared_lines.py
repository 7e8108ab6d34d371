"""A long motion file keeps no tick waiting, and what waits for it is overtaken by a stop."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.served_room import PATIENCE, ServedRoom, served

import robotix as rx
from robotix.motion import Motion, load_motion, save_motion
from robotix.motion import motion_cache as cache_module
from robotix.motion.motion_cache import MotionCache
from robotix.scene.scene import Scene
from robotix.server.live.page_inputs import DROPPED_MESSAGE

ROWS = 3_000


def long_motion() -> Motion:
    model = rx.load("planar_3r")
    q = 0.1 * np.sin(np.linspace(0, 30, ROWS))[:, None] * np.ones(3)
    return Motion.of(model, np.arange(ROWS) / 100, q=q)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    scene = Scene()
    scene.add_robot("arm", rx.load("planar_3r"))
    scene.files.folder = tmp_path
    save_motion(tmp_path / "long.csv", long_motion())
    with served(scene) as room:
        yield room


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[str]]:
    """Files are read when the event is set; the list says by which threads."""
    goes_on, readers = threading.Event(), list[str]()
    load = load_motion

    def slow(path: Path) -> Motion:
        readers.append(threading.current_thread().name)
        assert goes_on.wait(PATIENCE)
        return load(path)

    monkeypatch.setattr(cache_module, "load_motion", slow)
    return goes_on, readers


@pytest.mark.parametrize("line", ["play long", "save long"])
def test_no_tick_reads_a_long_file(
    room: ServedRoom, slow_disk: tuple[threading.Event, list[str]], line: str
) -> None:
    goes_on, readers = slow_disk
    with room.page() as page:
        page.take_control()
        page.send("command", id=7, line=line)
        page.send("command", id=8, line="set_step 5")  # waits for its turn
        tick = room.scene.tick
        page.next_frame(lambda frame: frame.tick > tick + 20)  # the scene goes on
        goes_on.set()
        first = page.until("answer")
        assert first["id"] == 7 and first["ok"]
        assert page.until("answer")["id"] == 8
    assert len(readers) == 1 and readers[0] != "room"


def test_a_stop_overtakes_what_waits_for_its_file(
    room: ServedRoom, slow_disk: tuple[threading.Event, list[str]]
) -> None:
    goes_on, _ = slow_disk
    with room.page() as page, room.page() as other:
        page.take_control()
        page.send("command", id=7, line="play long")
        page.send("ping", sent=1.0)
        page.until("pong")  # so the line was received
        assert other.command("stop")["ok"]
        goes_on.set()
        answer = page.until("answer")
        assert not answer["ok"] and answer["text"] == DROPPED_MESSAGE
        assert room.scene.robot("arm").drive is None


def test_a_motion_file_is_read_once_until_it_changes(tmp_path: Path) -> None:
    cache, path, motion = MotionCache(), tmp_path / "a.csv", long_motion()
    save_motion(path, motion)
    first = cache.load(path)
    assert cache.load(path) is first
    cache.append(path, motion, gap=1.0)
    grown = cache.load(path)
    assert len(grown.times) == 2 * ROWS
    np.testing.assert_array_equal(grown.q, load_motion(path).q)
    save_motion(path, motion)
    assert len(cache.load(path).times) == ROWS
