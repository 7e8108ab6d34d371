"""Viewers: scenes that run in the background, moved from Python."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.command_line import CommandLine

import robotix as rx
from robotix.app import load_scene_or_robot

Q = [0.0, -0.5, 0.0, 1.6, 0.0, 0.5, 0.0]
SCENE = "robotix: 1\nrobots: {arm: {model: scara}}\n"


@pytest.fixture
def view(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[rx.Viewer]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with rx.show("kuka_lwr", open_browser=False) as viewer:
        yield viewer


def test_joints_move_where_they_are_told(view: rx.Viewer) -> None:
    view.q = Q
    assert view.call(lambda: view.robot.q.tolist()) == Q
    np.testing.assert_array_equal(view.q, Q)


def test_joints_stay_within_their_limits(view: rx.Viewer) -> None:
    view.q = [9.0, *Q[1:]]
    assert view.call(lambda: float(view.robot.q[0])) == view.robot.model.upper[0]


@pytest.mark.parametrize("bad", [[0.0], [np.nan] * 7, [np.inf, *Q[1:]], "seven"])
def test_wrong_joint_positions_are_refused_where_they_are_given(
    view: rx.Viewer, bad: object
) -> None:
    before = view.q
    with pytest.raises(ValueError):
        view.q = bad  # type: ignore[assignment]
    np.testing.assert_array_equal(view.call(lambda: view.q), before)


def test_an_error_of_a_call_reaches_its_caller_and_the_scene_goes_on(view: rx.Viewer) -> None:
    def fail() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        view.call(fail)
    tick = view.call(lambda: view.scene.tick)
    assert view.call(lambda: view.scene.tick) > tick


def test_a_closed_viewer_says_so(view: rx.Viewer) -> None:
    view.close()
    view.close()
    assert not view.is_running
    with pytest.raises(RuntimeError, match="closed"):
        view.q = Q


def test_a_notebook_gets_a_frame_with_the_page(view: rx.Viewer) -> None:
    html = view._repr_html_()
    assert html.startswith("<iframe") and "embed=1" in html and str(view.url.split("?")[0]) in html


def test_a_port_that_is_taken_is_refused(view: rx.Viewer) -> None:
    port = int(view.url.split(":")[2].split("/")[0])
    with pytest.raises(OSError, match="is in use"):
        rx.show("scara", port=port, open_browser=False)


def test_files_of_scenes_and_robots_are_told_apart(tmp_path: Path) -> None:
    scene, robot = tmp_path / "room.yaml", tmp_path / "arm.urdf"
    scene.write_text(SCENE)
    robot.write_text('<robot name="bar"><link name="a"/></robot>')
    assert list(load_scene_or_robot(scene).robots) == ["arm"]
    assert list(load_scene_or_robot(robot).robots) == ["bar"]
    assert list(load_scene_or_robot("scara").robots) == ["scara"]
    with pytest.raises(rx.UnknownName):
        load_scene_or_robot("scarab")


def test_a_script_that_ends_takes_its_page_along(tmp_path: Path) -> None:
    code = "import robotix as rx; view = rx.show('scara', open_browser=False); view.q = view.q"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={"XDG_STATE_HOME": str(tmp_path), "HOME": str(tmp_path), "PATH": ""},
        capture_output=True,
        timeout=120,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_robot_can_be_run_from_the_command_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    robotix = CommandLine(monkeypatch, capsys)
    answer = robotix.json("run", "kuka_lwr", "--headless", "--fast", "--seconds", "0.1", "--json")
    assert list(answer["robots"]) == ["kuka_lwr"] and answer["problems"] == {}
