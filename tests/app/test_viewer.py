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
from robotix.geometry import Sphere
from robotix.scene.graph.content import Trace

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


def test_joints_are_moved_by_name(view: rx.Viewer) -> None:
    view.q = Q
    name = view.robot.model.dof_names[3]
    view.q = {name: 0.7}
    assert view.call(lambda: view.robot.q.tolist()) == [*Q[:3], 0.7, *Q[4:]]
    with pytest.raises(rx.UnknownName):
        view.q = {"no joint": 0.7}


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


# -- things and controls in one line ------------------------------------------------------------


def test_a_point_appears_and_moves(view: rx.Viewer) -> None:
    view.point("goal", [0.4, 0.1, 0.5])
    structure = view.call(lambda: view.scene.graph.structure)
    view.point("goal", [0.4, 0.2, 0.5])
    where = view.call(lambda: view.scene.graph["goal"].world_position.tolist())
    assert where == [0.4, 0.2, 0.5]
    assert view.call(lambda: view.scene.graph.structure) == structure  # moved, not made again
    view.point("goal", [0.4, 0.2, 0.5], radius=0.1)  # larger
    shape = view.call(lambda: view.scene.graph["goal"].visuals[0].shape)
    assert isinstance(shape, Sphere)
    assert shape.radius == 0.1
    view.remove("goal")
    assert "goal" not in view.scene.graph


def test_a_frame_points_along_its_axes(view: rx.Viewer) -> None:
    pose = rx.Pose.at(0.3, 0.0, 0.4, rpy=(0.0, 0.0, 0.5))
    view.frame("tool", pose, length=0.2)
    view.frame("same", pose.matrix, length=0.2)
    for name in ("tool", "same"):
        node = view.scene.graph[name]
        for axis, visual in enumerate(node.visuals):
            end = visual.shape.pose.apply(np.array([0.0, 0.0, 0.1]))
            np.testing.assert_allclose(end, 0.2 * np.eye(3)[axis], atol=1e-12)
            assert int(np.argmax(visual.rgba[:3])) == axis  # red, green, blue
        np.testing.assert_allclose(node.world_pose.matrix, pose.matrix, atol=1e-12)


def test_a_trail_follows_the_end_effector(view: rx.Viewer) -> None:
    view.trail()
    for bend in (0.2, 0.4, 0.6):
        view.q = [bend, *Q[1:]]
        view.call(lambda: None)
        view.call(lambda: None)
    name = f"{view.robot.name}/{view.robot.chain.point.body}"
    trace = view.call(lambda: view.scene.graph[f"trace of {name}"].content)
    assert isinstance(trace, Trace)
    assert len(trace.points) >= 3
    view.remove(name)
    assert f"trace of {name}" not in view.scene.graph


def test_sliders_and_buttons_call_back(view: rx.Viewer) -> None:
    heard: list[float] = []
    gain = view.slider("gain", 0.0, 10.0, value=2.0, on_change=heard.append)
    view.button("home", lambda: heard.append(-1.0))
    assert float(gain) == 2.0
    view.call(lambda: view.scene.page_controls.use("gain", 4.0))
    view.call(lambda: view.scene.page_controls.use("home"))
    assert gain.value == 4.0
    assert heard == [4.0, -1.0]


def test_what_is_no_marker_is_left_alone(view: rx.Viewer) -> None:
    with pytest.raises(ValueError, match="choose another name"):
        view.point("floor", [0, 0, 0])
    with pytest.raises(rx.UnknownName):
        view.remove("nothing")
    with pytest.raises(ValueError, match="three finite numbers"):
        view.point("goal", [0, 0, np.nan])
    with pytest.raises(ValueError, match="positive length"):
        view.frame("goal", rx.Pose(), length=0.0)
