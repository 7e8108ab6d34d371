"""Files that rules ask for are read before the tick that needs them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from support.command_line import CommandLine

from robotix.app import rule_files
from robotix.app.session import RecordTo, open_session
from robotix.authoring.load import models
from robotix.authoring.load.load import load_scene
from robotix.inputs.readings import Inputs
from robotix.model import Model
from robotix.model.load import load_files
from robotix.model.robots import load
from robotix.model.urdf.writer import save_urdf
from robotix.motion import Motion, save_motion
from robotix.scene.console.console import run_command
from robotix.scene.console.console_input import ConsoleInput
from robotix.scene.scene import Scene

PATIENCE = 20.0  # s
ROOM = """
robotix: 1
rules:
  - {when: {event: more}, do: {in_turn: [{init: arm.urdf}]}}
  - {when: {event: again}, do: {renew: {}}}
"""


@pytest.fixture
def readers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the threads that read robots' files."""
    found = list[str]()

    def remember(path: Path) -> tuple[Model, ...]:
        found.append(threading.current_thread().name)
        return tuple(load_files(path))

    monkeypatch.setattr(models, "load_files", remember)
    monkeypatch.setattr(rule_files, "CHECK_INTERVAL", 0.05)
    return found


@pytest.fixture
def room(tmp_path: Path, readers: list[str]) -> Iterator[Scene]:
    save_urdf(load("planar_3r"), tmp_path / "arm.urdf")
    (tmp_path / "room.yaml").write_text(ROOM)
    scene = load_scene(tmp_path / "room.yaml")
    readers.clear()
    with open_session(scene):
        yield scene


def trigger(scene: Scene, signal: str) -> None:
    """Run a rule, as a loop of that name would."""

    def tick() -> None:
        run_command(scene, f"emit {signal}")
        scene.step(Inputs())
        scene.step(Inputs())

    thread = threading.Thread(target=tick, name="room")
    thread.start()
    thread.join()


def until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end, "the file was not read again"
        time.sleep(0.01)


def test_no_tick_reads_the_robots_of_rules(room: Scene, readers: list[str]) -> None:
    for number in range(1, 4):
        trigger(room, "more")
        assert len(room.robots) == number
    assert readers == ["MainThread"]  # when the session was opened


def test_a_changed_file_is_read_again_by_another_thread(
    room: Scene, readers: list[str], tmp_path: Path
) -> None:
    trigger(room, "more")
    assert next(iter(room.robots.values())).model.n_dof == 3
    save_urdf(load("kuka_lwr"), tmp_path / "arm.urdf")
    until(lambda: room.files.read_ahead.has_fresh(tmp_path / "arm.urdf"))
    trigger(room, "again")
    assert next(iter(room.robots.values())).model.n_dof == 7
    assert "room" not in readers


def test_a_file_that_became_faulty_is_refused_when_it_is_asked_for(
    room: Scene, readers: list[str], tmp_path: Path
) -> None:
    (tmp_path / "arm.urdf").write_text("<robot")
    until(lambda: len(readers) == 2)
    trigger(room, "more")
    assert not room.robots


def test_what_a_file_includes_counts_too(tmp_path: Path) -> None:
    part = tmp_path / "part.xml"
    part.write_text("<mujocoinclude><geom size='0.1' mass='1'/></mujocoinclude>")
    whole = tmp_path / "arm.xml"
    whole.write_text(
        "<mujoco><worldbody><body name='a'><joint name='j'/><include file='part.xml'/></body>"
        "</worldbody></mujoco>"
    )
    (tmp_path / "room.yaml").write_text(ROOM.replace("arm.urdf", "arm.xml"))
    scene = load_scene(tmp_path / "room.yaml")
    files = rule_files.RuleFiles(scene)
    files.read()
    assert scene.files.read_ahead.has_fresh(whole)
    part.write_text("<mujocoinclude><geom size='0.1' mass='2'/></mujocoinclude>")
    assert not scene.files.read_ahead.has_fresh(whole)
    files.read()
    assert scene.files.read_ahead.has_fresh(whole)


PLAYED = """
robotix: 1
robots: {arm: {model: planar_3r}}
rules:
  - {when: {event: go}, do: {play: wave}}
  - {when: {event: more}, do: {init: arm.urdf}}
"""


def test_a_file_that_has_just_changed_is_used_and_recorded_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rule_files, "CHECK_INTERVAL", 60.0)
    monkeypatch.setattr(rule_files, "MAX_AGE", 60.0)
    home, model = tmp_path / "home", load("planar_3r")
    home.mkdir()
    (home / "room.yaml").write_text(PLAYED)
    save_urdf(model, home / "arm.urdf")
    save_motion(home / "wave.csv", Motion.of(model, [0.0, 1.0], q=[[0.0] * 3, [0.5] * 3]))
    scene, console = load_scene(home / "room.yaml"), ConsoleInput()
    record = RecordTo(tmp_path / "take.mcap")
    with open_session(scene, console=console, record=record) as loop:
        save_motion(home / "wave.csv", Motion.of(model, [0.0, 1.0], q=[[0.0] * 3, [-0.5] * 3]))
        save_urdf(load("kuka_lwr"), home / "arm.urdf")
        console.lines.extend(["set_step 5", "emit go", "emit more"])
        loop.run(ticks=120)
    np.testing.assert_allclose(scene.robots["arm"].q, 0.5)  # as before the change
    assert [robot.model.n_dof for robot in scene.robots.values()] == [3, 3]
    home.rename(tmp_path / "gone")
    robotix = CommandLine(monkeypatch, capsys)
    assert robotix.json("replay", tmp_path / "take.mcap", "--check")["digest_ok"]
