"""Any page may stop the robots, at any moment, whatever else goes on."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from conftest import Figures
from support.served_room import PATIENCE, Page, ServedRoom, served
from support.stop_latency import Latencies, measure
from websockets.exceptions import ConnectionClosed

import robotix as rx
from robotix.devices import Controls, default_device_map
from robotix.inputs.readings import MAX_COMMANDS_PER_TICK, Inputs
from robotix.scene.commands.basic import InTurn
from robotix.scene.commands.moves import Move
from robotix.scene.console.console import install_console
from robotix.scene.events.events import Event, Signal
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.scene import Scene
from robotix.server.live.page_inputs import DROPPED_MESSAGE, MAX_QUEUED_LINES, PageInputs

LONG_MOVE = "move @5000;(80, 80, 80)"
WORST_STOP = 0.1  # s beyond the tick that runs


def make_scene() -> Scene:
    scene = Scene()
    scene.add_robot("arm", rx.load("planar_3r"))
    scene.add_robot("other", rx.load("planar_3r"))
    install_console(scene)
    return scene


@pytest.fixture
def room() -> Iterator[ServedRoom]:
    with served(make_scene()) as room:
        yield room


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "not within the time allowed"
        time.sleep(0.001)


def is_moving(room: ServedRoom, name: str = "arm") -> bool:
    return room.scene.robot(name).drive is not None


# -- floods and long ticks ------------------------------------------------------------------------


@contextmanager
def flooding(room: ServedRoom) -> Iterator[None]:
    """Let the page in control send more lines than the scene can run, and read no answer."""
    line = json.dumps({"kind": "command", "id": 1, "line": "move @300;(60, 60, 60)"})
    is_over = threading.Event()

    def flood(page: Page) -> None:
        while not is_over.is_set():
            try:
                for _ in range(200):
                    page.socket.send(line)
            except ConnectionClosed:
                return

    def read(page: Page) -> None:
        try:
            while not is_over.is_set():
                page.socket.recv(timeout=PATIENCE)
        except (ConnectionClosed, TimeoutError):
            return

    with room.page("flood") as page:
        page.take_control()
        threads = [threading.Thread(target=each, args=(page,)) for each in (flood, read)]
        for each in threads:
            each.start()
        try:
            queue = room.service._inputs
            assert queue is not None
            wait_until(lambda: len(queue._lines) >= MAX_QUEUED_LINES - MAX_COMMANDS_PER_TICK)
            yield
        finally:
            is_over.set()
            page.socket.close()
            for each in threads:
                each.join()


def stop_many(room: ServedRoom, page: Page, count: int) -> list[float]:
    """Stop so many times; return how long each took from its receipt until it was obeyed, s."""
    seconds, asked, obeyed = list[float](), list[int](), list[int]()
    inputs = room.service._inputs
    assert inputs is not None
    add_stop = inputs.add_stop

    def note(robot: str, answered: Callable[[bool, str], None]) -> None:
        asked.append(room.scene.tick)
        begin = time.perf_counter()

        def answer(ok: bool, text: str) -> None:
            seconds.append(time.perf_counter() - begin)
            obeyed.append(room.scene.tick)
            answered(ok, text)

        add_stop(robot, answer)

    inputs.add_stop = note  # type: ignore[method-assign]
    for number in range(count):
        answer = page.command(("stop", "stop all", "stop arm")[number % 3])
        assert answer["ok"], answer
    assert len(asked) == len(obeyed) == count
    assert max(np.subtract(obeyed, asked)) <= 1  # in the tick that ran, or in the next
    return seconds


def test_stops_go_past_a_flood_of_lines(room: ServedRoom, figures: Figures) -> None:
    with room.page("watcher") as page, flooding(room):
        note_stops(figures, stop_many(room, page, 25), room.loop.report().worst)


@pytest.mark.soak
def test_a_thousand_stops_during_a_flood_are_obeyed_at_once(
    tmp_path: Path, figures: Figures
) -> None:
    found = measure(tmp_path, stops=1000, is_cold=True)
    note_latencies(figures, found)
    assert found.n_compiled > 0 and found.beyond.max() <= WORST_STOP


def test_stops_of_another_process_are_answered_during_a_flood(
    tmp_path: Path, figures: Figures
) -> None:
    found = measure(tmp_path, stops=10, is_cold=False)
    note_latencies(figures, found)
    assert len(found.waited) == 10 and found.n_lines >= 1000
    assert np.median(found.beyond) < 1.0  # on a machine that does much else


def note_latencies(figures: Figures, found: Latencies) -> None:
    waited, beyond = 1e3 * found.waited, 1e3 * found.beyond
    figures(
        "any page may stop the robots at any moment",
        f"{len(waited)} stops of one process while another one sends {found.n_lines} lines; "
        f"{found.n_compiled} functions compiled meanwhile",
        f"answered after median {np.median(waited):.0f} ms, worst {waited.max():.0f} ms; beyond "
        f"the tick that ran median {np.median(beyond):.0f} ms, worst {beyond.max():.0f} ms; "
        f"longest tick {1e3 * found.longest_tick:.0f} ms",
    )


def note_stops(figures: Figures, seconds: list[float], longest: float) -> None:
    middle, worst = np.median(seconds) * 1e3, max(seconds) * 1e3
    figures(
        "any page may stop the robots at any moment",
        f"{len(seconds)} stops while another page floods the console",
        f"obeyed after median {middle:.0f} ms, worst {worst:.0f} ms; "
        f"longest tick {1e3 * longest:.0f} ms",
    )


def test_a_stop_during_a_tick_that_hangs_is_obeyed_within_it() -> None:
    scene, goes_on = make_scene(), threading.Event()
    is_hanging, hangs = threading.Event(), threading.Event()

    def hang(dt: float) -> None:
        if hangs.is_set():
            hangs.clear()
            is_hanging.set()
            goes_on.wait(PATIENCE)

    scene.add_hook("hang", hang)
    postures = dict[int, np.ndarray]()
    stops = dict[int, tuple[str, ...]]()

    def note(scene: Scene) -> None:
        postures[scene.tick], stops[scene.tick] = scene.robot("arm").q, scene.inputs.stops

    with served(scene, on_tick=(note,)) as room, room.page() as page, room.page() as other:
        page.take_control()
        assert page.command(LONG_MOVE)["ok"]
        hangs.set()
        assert is_hanging.wait(PATIENCE)
        tick = scene.tick
        page.send("command", id=77, line="move @5000;(10, 10, 10)")  # waits, and is dropped
        inputs = room.service._inputs
        assert inputs is not None
        wait_until(lambda: len(inputs._lines) == 1)
        other.send("command", id=1, line="stop arm")
        wait_until(lambda: bool(inputs._stops))
        goes_on.set()
        assert other.until("answer")["ok"]
        dropped = page.until("answer", lambda answer: answer["id"] == 77)
        assert not dropped["ok"] and dropped["text"] == DROPPED_MESSAGE
        assert stops[tick] == ("arm",)
        np.testing.assert_array_equal(postures[tick], postures[tick - 1])
        assert not is_moving(room)


def test_a_recording_with_a_late_stop_replays_to_the_last_bit(tmp_path: Path) -> None:
    scene = make_scene()
    inputs = PageInputs(Controls(default_device_map()))
    inputs.capture_results(scene)
    with Recorder(tmp_path / "take.mcap", scene) as recorder:
        for tick in range(30):
            if tick == 5:
                inputs.add_line(LONG_MOVE, lambda ok, text: None)
            given = inputs.read(tick / 120)
            if tick == 20:
                inputs.add_stop("arm", lambda ok, text: None)  # while the tick runs
            scene.step(given)
            inputs(scene)
            recorder(scene)
    assert scene.inputs.stops == () and scene.robot("arm").drive is None
    assert scene.robot("arm").q.any()
    report = replay(tmp_path / "take.mcap", load=lambda header: make_scene())
    assert report.digest_ok and report.ticks == 30


# -- the queue ------------------------------------------------------------------------------------


def make_inputs() -> tuple[Scene, PageInputs]:
    scene = make_scene()
    inputs = PageInputs(Controls(default_device_map()))
    inputs.capture_results(scene)
    return scene, inputs


def test_lines_before_a_stop_run_before_it_and_later_ones_after_it() -> None:
    _, inputs = make_inputs()
    answers = list[tuple[str, bool, str]]()

    def answer_of(name: str) -> Callable[[bool, str], None]:
        return lambda ok, text: answers.append((name, ok, text))

    inputs.add_line("printvar", answer_of("before"))
    inputs.add_stop("arm", answer_of("stop"))
    inputs.add_line("home", answer_of("after"))
    assert inputs.has_lines()
    assert inputs.read(0.0).commands == ("printvar", "stop arm")
    assert inputs.read(0.1).commands == ("home",)
    assert answers == []


def test_what_does_not_fit_into_a_tick_before_a_stop_is_dropped_with_an_answer() -> None:
    _, inputs = make_inputs()
    answers = list[tuple[bool, str]]()
    for _ in range(MAX_QUEUED_LINES):
        assert inputs.add_line(LONG_MOVE, lambda ok, text: answers.append((ok, text)))
    assert not inputs.add_line(LONG_MOVE, lambda ok, text: None)
    inputs.add_stop("all", lambda ok, text: None)
    assert answers == [(False, DROPPED_MESSAGE)] * (MAX_QUEUED_LINES - MAX_COMMANDS_PER_TICK)
    assert inputs.read(0.0).commands == (LONG_MOVE,) * MAX_COMMANDS_PER_TICK + ("stop all",)
    assert inputs.read(0.1) == Inputs(inputs.read(0.1).devices)


def test_a_million_stops_are_one(room: ServedRoom) -> None:
    _, inputs = make_inputs()
    for _ in range(100_000):
        inputs.add_stop("arm", lambda ok, text: None)
    assert inputs.read(0.0).commands == ("stop arm",)
    with room.page() as page:  # names are checked before they wait
        assert "no robot" in page.command("stop nobody")["text"]
        assert page.command("stop 2")["ok"] and page.command('stop "arm"')["ok"]


def test_a_stop_ends_all_commands_in_turn() -> None:
    scene = make_scene()
    moves = InTurn((Move((1.0, 1.0, 1.0), steps=100), Move((0.0, 0.0, 0.0), steps=100)))
    scene.on(Signal("go"), moves)
    scene.emit(Event(Signal("go"), True))
    for _ in range(10):
        scene.step()
    at = scene.robot("arm").q
    scene.step(Inputs(commands=("stop arm",)))
    for _ in range(10):
        scene.step()
    np.testing.assert_array_equal(scene.robot("arm").q, at)
    assert len(scene.actions) == 0


def test_a_paused_room_obeys_at_once(room: ServedRoom) -> None:
    with room.page() as page, room.page() as other:
        page.take_control()
        page.command(LONG_MOVE)
        page.send("pace", action="pause", value=0)
        page.until("health", lambda health: health["is_paused"])
        assert is_moving(room)
        assert other.command("stop all")["ok"]
        assert not is_moving(room)


# -- lost pages -----------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["close", "cut"])
def test_a_commanded_move_ends_with_its_page(room: ServedRoom, way: str) -> None:
    with room.page("watcher") as watcher:
        with room.page("driver") as page:
            page.take_control()
            assert page.command(LONG_MOVE)["ok"]
            assert is_moving(room)
            if way == "cut":
                page.socket.socket.close()
        said = watcher.until("said", lambda message: "is gone" in message["text"])
        assert said["text"].startswith("driver ") and said["text"].endswith("arm; it stops")
        assert not is_moving(room)


def test_a_move_of_another_page_goes_on() -> None:
    with served(make_scene()) as room, room.page() as watcher:
        watcher.take_control()
        assert watcher.command("set_robot other")["ok"] and watcher.command(LONG_MOVE)["ok"]
        with room.page() as page:
            page.take_control(by_force=True)
            assert page.command("set_robot arm")["ok"] and page.command(LONG_MOVE)["ok"]
        watcher.until("said", lambda message: "is gone" in message["text"])
        assert is_moving(room, "other") and not is_moving(room, "arm")


def test_the_room_may_say_that_moves_go_on() -> None:
    scene = make_scene()
    scene.stops_with_page = False
    with served(scene) as room:
        with room.page() as page:
            page.take_control()
            page.command(LONG_MOVE)
        wait_until(lambda: not room.service.hub.clients)
        tick = scene.tick
        wait_until(lambda: scene.tick > tick + 5)
        assert is_moving(room)
