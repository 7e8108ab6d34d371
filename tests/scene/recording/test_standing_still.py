"""A room that stands still can be worked on, and its recording does the same again."""

import gc
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.slow_clock import SlowClock

from robotix.geometry import Pose
from robotix.inputs.readings import Inputs, Reading
from robotix.model.robots import load
from robotix.scene.console.console import install_console
from robotix.scene.console.console_input import ConsoleInput
from robotix.scene.loop import Loop
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import replay
from robotix.scene.scene import Scene

DT = 0.01


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(gc, "collect", lambda: 0)
    yield


def make_scene() -> Scene:
    scene = Scene(dt=DT)
    scene.graph.add("cup", pose=Pose.at(1, 0, 0))
    install_console(scene)
    return scene


class Desk:
    """Lines that wait, what the loop made of them, and what happens at which nap."""

    def __init__(self, scene: Scene, *, on_tick: tuple[object, ...] = ()) -> None:
        self.scene, self.clock = scene, SlowClock()
        self.lines: deque[str] = deque()
        self.seen: list[tuple[int, float]] = []  # tick, and where the cup is, when still
        self.reads = 0
        self.plan: deque[object] = deque()  # what to do at each nap of a room that stands still
        self.loop = Loop(
            scene,
            source=self.read,
            clock=self.clock,
            on_tick=on_tick,  # type: ignore[arg-type]
            has_lines=self.has_lines,
            on_still=[self.look],
        )

    def has_lines(self) -> bool:
        if self.plan:
            self.plan.popleft()()  # type: ignore[operator]
        return bool(self.lines)

    def read(self, now: float) -> Inputs:
        self.reads += 1
        lines = tuple(self.lines)
        self.lines.clear()
        reading = Reading(axes=(self.reads / 1000,), position=(self.reads, 0, 0))
        return Inputs({"glove": reading}, commands=lines)

    def look(self, scene: Scene) -> None:
        scene.graph.update()
        self.seen.append((scene.tick, float(scene.graph["cup"].world_position[0])))


def test_lines_are_run_while_the_room_stands_still() -> None:
    desk = Desk(make_scene())
    desk.loop.run(ticks=2)
    desk.loop.pause()
    desk.plan.extend(
        [
            lambda: None,
            lambda: desk.lines.append("place cup; (2, 0, 0)"),
            lambda: desk.lines.append("place cup; (3, 0, 0)"),
            lambda: None,
            desk.loop.stop,
        ]
    )
    report = desk.loop.run()
    assert desk.seen == [(2, 1.0), (3, 2.0), (3, 3.0)]  # once when still, then after each line
    assert report.ticks == 2  # no time went by but for the end of the tick that was begun
    assert desk.scene.tick == 3 and not desk.scene.is_in_tick


def test_a_room_that_stands_still_reads_no_devices_unless_lines_wait() -> None:
    desk = Desk(make_scene())
    desk.loop.run(ticks=1)
    desk.loop.pause()
    desk.plan.extend([lambda: None, lambda: None, desk.loop.stop])
    desk.loop.run()
    assert desk.reads == 1


def test_steps_go_on_from_the_tick_that_was_begun() -> None:
    ticks: list[int] = []
    desk = Desk(make_scene(), on_tick=(lambda scene: ticks.append(scene.tick),))
    desk.loop.run(ticks=1)
    desk.loop.pause()
    desk.plan.extend(
        [
            lambda: desk.lines.append("place cup; (2, 0, 0)"),
            lambda: desk.loop.step(2),
            lambda: None,
            desk.loop.stop,
        ]
    )
    desk.loop.run()
    assert ticks == [1, 2, 3]
    assert desk.seen[-1] == (3, 2.0)  # seen when it stood still again


def test_a_recording_of_work_while_still_replays_to_the_same_digest(tmp_path: Path) -> None:
    def make() -> Scene:
        scene = make_scene()
        arm = scene.add_robot("arm", load("kuka_lwr"))
        arm.set_q(np.full(7, 0.2))
        return scene

    file, scene = tmp_path / "run.mcap", make()
    with Recorder(file, scene) as recorder:
        desk = Desk(scene, on_tick=(recorder,))
        desk.loop.run(ticks=3)
        desk.loop.pause()
        desk.plan.extend(
            [
                lambda: desk.lines.append("place cup; (2, 0, 0)"),
                lambda: desk.lines.append("move @20;(30, 20, 20, 10, 10, 0, 0)"),
                lambda: desk.lines.extend(["undo", "hide cup", "nonsense"]),
                desk.loop.resume,
            ]
        )
        desk.loop.run(ticks=20)
    assert scene.graph["cup"].pose.translation[0] == 1  # undone
    assert scene.robot().q[0] > 0.2  # on its way since time goes on
    report = replay(file, load=lambda header: make())
    assert report.ticks == 23 and report.digest_ok, report


def test_words_of_a_begun_tick_are_told_once_it_is_finished() -> None:
    told: list[list[str]] = []
    scene = make_scene()
    desk = Desk(scene, on_tick=(lambda s: told.append([str(m) for m in s.messages]),))
    desk.loop.run(ticks=1)
    desk.loop.pause()
    desk.plan.extend([lambda: desk.lines.append("nonsense"), desk.loop.resume])
    desk.loop.run(ticks=2)
    assert [len(words) for words in told] == [0, 1, 0]


def test_keys_that_are_typed_wait_for_time_to_go_on() -> None:
    typist = ConsoleInput()
    assert not typist.has_command()
    typist.lines.append("press G")
    assert not typist.has_command()
    typist.lines.appendleft("hide cup")
    assert typist.has_command()
    typist.lines = deque(["quit"])
    assert typist.has_command()
