"""Saving the room while it runs: from the console, the page's line and the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

from robotix.app.robot_scene import load_scene_or_robot
from robotix.app.session import open_session
from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.model.robots import load
from robotix.model.urdf.writer import save_urdf
from robotix.scene.scene import Scene

ROOM = """robotix: 1
objects:
  cup: {sphere: 0.05, at: [0, 0, 1]}   # mine
"""


def run_lines(scene: Scene, *lines: str) -> list[str]:
    """Run a scene for some ticks, with a line in each; return what it says and complains of."""
    with open_session(scene, is_paced=False) as loop:
        assert scene.console is not None
        for line in lines:
            scene.console(line)
        texts = [str(message) for message in scene.messages]
        loop.run(ticks=1)
    return texts


def test_the_console_saves_the_room_with_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(ROOM)
    said = run_lines(load_scene(path), "place cup; (1, 2, 3)", "save_room")
    assert any("saved in room.yaml" in text for text in said)
    assert "at: [1, 2, 3]}   # mine" in path.read_text()


def test_the_console_saves_into_another_file_of_the_folder(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(ROOM)
    run_lines(load_scene(path), "place cup; (1, 2, 3)", "save_room other")
    assert path.read_text() == ROOM
    assert load_scene(tmp_path / "other.yaml").graph["cup"].pose.translation.tolist() == [1, 2, 3]
    for outside in ("../other.yaml", str(tmp_path / "x.yaml")):
        said = run_lines(load_scene(path), f"save_room {outside}")
        assert any("leads out" in text for text in said)


def test_a_robot_from_a_file_is_saved_as_a_room(tmp_path: Path) -> None:
    save_urdf(load("planar_3r"), tmp_path / "arm.urdf")
    run_lines(load_scene_or_robot(tmp_path / "arm.urdf"), "save_room room")
    scene = load_scene(tmp_path / "room.yaml")
    assert [robot.model.n_dof for robot in scene.robots.values()] == [3]
    assert "model: arm.urdf" in (tmp_path / "room.yaml").read_text()


def test_the_flat_of_the_package_stays_as_it_is() -> None:
    before = default_room().read_text()
    said = run_lines(load_scene(default_room()), "save_room")
    assert any("robotix examples --copy DIR" in text for text in said)
    assert default_room().read_text() == before


def test_a_run_saves_at_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(ROOM)
    robotix = CommandLine(monkeypatch, capsys)
    run = ("run", path, "--headless", "--fast", "--seconds", "0.05")
    robotix.text(*run, "--save", tmp_path / "end.yaml")
    assert load_scene(tmp_path / "end.yaml").graph["cup"].pose.translation.tolist() == [0, 0, 1]
    status, _, error = robotix.run(*run, "--save", tmp_path / "end.txt")
    assert (status, "--save must be a .yaml file" in " ".join(error.split())) == (2, True)
