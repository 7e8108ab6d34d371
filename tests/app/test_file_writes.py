"""What a running scene writes is written by another thread, and reported when it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from support.hands import problems
from support.served_room import PATIENCE, TOKEN, ServedRoom

from robotix.app.session import open_session
from robotix.authoring import load_scene
from robotix.authoring.save import save as saving
from robotix.authoring.save.replacing import replace_all
from robotix.scene.console.console_input import ConsoleInput
from robotix.scene.events.messages import Announcement
from robotix.scene.scene import Scene
from robotix.scene.writes import WriteQueue
from robotix.server import RoomService
from robotix.server.http.access import Access
from robotix.server.http.hosting import Hosting

ROOM = "robotix: 1\nrobots: {arm: {model: planar_3r}}\nobjects: {cup: {sphere: 0.1}}\n"


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "room.yaml").write_text(ROOM)
    return load_scene(tmp_path / "room.yaml")


@pytest.fixture
def slow_disk(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, list[str]]:
    """Rooms are written when the event is set; the list says by which threads."""
    goes_on, writers = threading.Event(), list[str]()

    def slow(texts: Mapping[Path, str], back_up: Callable[[], None]) -> None:
        writers.append(threading.current_thread().name)
        assert goes_on.wait(PATIENCE)
        replace_all(texts, back_up)

    monkeypatch.setattr(saving, "replace_all", slow)
    return goes_on, writers


@contextmanager
def serving(scene: Scene) -> Iterator[ServedRoom]:
    """Serve a room as `robotix run` does."""
    service = RoomService()
    with (
        Hosting(service, Access.of(TOKEN), port=0) as hosting,
        open_session(scene, service=service) as loop,
    ):
        loop.set_speed(1.0)
        thread = threading.Thread(target=loop.run, name="room")
        thread.start()
        try:
            yield ServedRoom(scene, service, hosting, loop)
        finally:
            loop.stop()
            thread.join()


@pytest.mark.parametrize("is_paused", [False, True])
@pytest.mark.parametrize("line", ["save_room", "save_room other.yaml", "save_robot new"])
def test_no_tick_waits_for_a_room_that_is_saved(
    scene: Scene,
    slow_disk: tuple[threading.Event, list[str]],
    line: str,
    is_paused: bool,
    tmp_path: Path,
) -> None:
    goes_on, writers = slow_disk
    scene.add_robot("new", scene.robots["arm"].model)
    with serving(scene) as room, room.page() as page, room.page() as other:
        page.take_control()
        assert page.command("place cup; (1, 2, 3)")["ok"]
        if is_paused:
            room.loop.pause()
        page.send("command", id=7, line=line)
        page.send("command", id=8, line="place cup; (9, 9, 9)")  # is not waited for, nor saved
        assert page.until("answer")["id"] == 8
        tick = room.scene.tick
        if not is_paused:
            page.next_frame(lambda frame: frame.tick > tick + 5)  # the scene goes on
        assert (tmp_path / "room.yaml").read_text() == ROOM
        goes_on.set()
        answer = page.until("answer")
        assert answer["id"] == 7 and answer["ok"] and ".yaml" in answer["text"]
        assert other.command("stop")["ok"]
        assert not [each for each in other.heard if "saved" in str(each)]  # it is an answer
    assert writers == ["writing"]
    text = (tmp_path / ("other.yaml" if "other" in line else "room.yaml")).read_text()
    assert ("at: [1, 2, 3]" in text) == ("save_room" in line) and "9" not in text


def test_what_cannot_be_written_is_answered(scene: Scene, tmp_path: Path) -> None:
    with serving(scene) as room, room.page() as page:
        page.take_control()
        answer = page.command("save_room no_folder/other.yaml")
        assert not answer["ok"] and "no_folder" in answer["text"]
        assert page.command("save_room other.txt")["text"].startswith("a scene is saved as .yaml")
        assert page.command("save_room other")["ok"]
        assert page.command("save_room")["text"] == "The room is saved in other.yaml."


def test_a_run_that_ends_waits_for_its_files(
    scene: Scene, slow_disk: tuple[threading.Event, list[str]], tmp_path: Path
) -> None:
    goes_on, _ = slow_disk
    heard = list[str]()

    def hear(scene: Scene) -> None:
        heard.extend(each.text for each in scene.messages if isinstance(each, Announcement))

    console = ConsoleInput()
    console.lines.append("save_room other.yaml")
    with open_session(scene, console=console, on_tick=[hear], on_end=[hear]) as loop:
        threading.Timer(0.2, goes_on.set).start()
        loop.run(ticks=2)
        assert heard == ["The room is saved in other.yaml."]
        assert (tmp_path / "other.yaml").exists()
        loop.run(ticks=2)
    assert len(heard) == 1


def test_the_order_is_kept_and_what_fails_is_reported() -> None:
    queue, done = WriteQueue(), list[int]()

    def write(number: int) -> str:
        time.sleep(0.001 * (5 - number))
        if number == 2:
            raise ValueError("full")
        done.append(number)
        return f"{number} written"

    for number in range(5):
        queue.add(f"line {number}", partial(write, number))
    assert [each.number for each in queue.since(3)] == [3, 4] and not queue.is_idle
    queue.wait()
    assert done == [0, 1, 3, 4] and queue.has_done()
    found = queue.pop_done()
    assert [each.text for each in found] == [
        "0 written", "1 written", "", "3 written", "4 written",
    ]  # fmt: skip
    assert str(found[2].error) == "full" and queue.is_idle and not queue.has_done()
    queue.add("last", lambda: "done")
    queue.close()
    assert [each.text for each in queue.pop_done()] == ["done"]


def test_without_a_session_files_are_written_at_once(scene: Scene, tmp_path: Path) -> None:
    scene.saver = saving.save_room
    scene.run_line("save_room other.yaml")
    assert (tmp_path / "other.yaml").exists() and not problems(scene)
