"""Saving the room while it runs: from the console, the page's line and the command line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from support.command_line import CommandLine

from robotix.app.robot_scene import load_scene_or_robot
from robotix.app.session import open_session
from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.authoring.save.save import save_room
from robotix.errors import BadFile
from robotix.geometry import Pose
from robotix.model.robots import load
from robotix.model.urdf.writer import save_urdf
from robotix.scene.commands.robots import Init
from robotix.scene.console.console import run_command
from robotix.scene.events.events import Event, Signal
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


ARM_ROOM = """\
robotix: 1
robots:
  arm: {model: planar_3r, postures_deg: {up: [90, 0, 0]}} # ours
objects:
  box: {box: [0.1, 0.1, 0.1], at: [1, 0, 0]}
"""
MORE_ROBOT = """<robot name="more"><link name="a"/><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


def test_postures_are_read_and_saved_by_name(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(ARM_ROOM)
    scene = load_scene(file)
    robot = scene.robot("arm")
    np.testing.assert_allclose(robot.postures["up"], [np.pi / 2, 0, 0])
    robot.keep_posture("as it is")
    save_room(scene)
    assert "# ours" in file.read_text()
    again = load_scene(file).robot("arm").postures
    assert list(again) == ["up", "as it is"]
    np.testing.assert_allclose(again["as it is"], robot.q, atol=1e-9)
    for name in ("up", "as it is"):
        robot.forget_posture(name)
    save_room(scene)
    assert load_scene(file).robot("arm").postures == {}


def test_a_posture_in_a_file_is_checked(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    for wrong in ("[90, 0]", "{elbow: 3}", "[900, 0, 0]"):
        file.write_text(ARM_ROOM.replace("[90, 0, 0]", wrong))
        with pytest.raises(BadFile, match=r"room\.yaml:3"):
            load_scene(file)


def test_a_robot_alone_is_written_into_the_file(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(ARM_ROOM)
    (tmp_path / "more.urdf").write_text(MORE_ROBOT)
    scene = load_scene(file)
    Init("more.urdf")(scene, Event(Signal("now")))
    scene.graph["box"].pose = Pose.at(5, 5, 5)  # not to be written
    scene.robot("more").node.pose = Pose.at(2, 0, 0)
    assert save_room(scene, robot="more") == file
    again = load_scene(file)
    np.testing.assert_allclose(again.robot("more").node.pose.translation, [2, 0, 0])
    np.testing.assert_allclose(again.graph["box"].pose.translation, [1, 0, 0])
    with pytest.raises(ValueError, match="has 'more' already"):
        save_room(scene, robot="more")


def test_things_that_were_added_copied_and_coloured_are_saved(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(ARM_ROOM)
    scene = load_scene(file)
    for line in ("copy box", "colour box; red", "add post; cylinder (0.1, 1); (0, 2, 0.5)"):
        run_command(scene, line)
    save_room(scene)
    again = load_scene(file).graph
    np.testing.assert_allclose(again["box_2"].pose.translation, [1, 0.15, 0])
    np.testing.assert_allclose(again["post"].pose.translation, [0, 2, 0.5])
    material = again["box"].attributes.material
    assert material is not None and material.colour == pytest.approx(
        (208 / 255, 48 / 255, 48 / 255)
    )
    run_command(scene, "delete post")
    save_room(scene)
    assert "post" not in load_scene(file).graph
