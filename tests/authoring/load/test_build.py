"""Robots in scene files: postures by joint name, tips, floating roots, speeds of those without."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import check_scene, load_scene, save_scene
from robotix.errors import BadFile
from robotix.model.rates import DEFAULT_RATES
from robotix.scene.scene import Scene

URDF = """<robot name="pair"><link name="a"/><link name="b"/><link name="c"/>
<joint name="turn" type="revolute"><parent link="a"/><child link="b"/>
<limit lower="-1" upper="2"/></joint>
<joint name="slide" type="prismatic"><parent link="b"/><child link="c"/>
<limit lower="0" upper="0.5" velocity="0.25"/></joint></robot>"""


def room(folder: Path, entry: str) -> Scene:
    """Return a room with one robot."""
    return load_scene(room_file(folder, entry))


def room_file(folder: Path, entry: str) -> Path:
    (folder / "pair.urdf").write_text(URDF)
    path = folder / "room.yaml"
    path.write_text(f"robotix: 1\nrobots:\n  arm: {{{entry}}}\n")
    return path


def test_joints_are_given_by_name(tmp_path: Path) -> None:
    robot = room(tmp_path, "model: pair.urdf, q_deg: {turn: 90, slide: 0.2}").robots["arm"]
    assert np.allclose(robot.q, [math.pi / 2, 0.2])
    robot = room(tmp_path, "model: pair.urdf, q: {slide: 0.25}").robots["arm"]
    assert robot.q.tolist() == [0.0, 0.25]


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ("model: pair.urdf, q: {elbow: 1}", "no joint 'elbow'"),
        ("model: pair.urdf, q_deg: {turn: 170}", "joint 'turn' at 170°"),
        ("model: pair.urdf, q: 3", "a list in brackets"),
        ("model: pair.urdf, tip: hand", "has no point 'hand'"),
        ("model: kuka_lwr, floating: true", "floating"),
        ("model: pair.xacro", "robotix convert pair.xacro pair.urdf"),
    ],
)
def test_what_cannot_be_is_refused_where_it_stands(entry: str, fault: str, tmp_path: Path) -> None:
    (tmp_path / "pair.xacro").write_text(URDF)
    (problem,) = check_scene(room_file(tmp_path, entry))
    assert fault in str(problem)
    assert problem.line == 3
    with pytest.raises(BadFile):
        room(tmp_path, entry)


def test_the_tip_is_chosen_and_kept_when_saved(tmp_path: Path) -> None:
    scene = room(tmp_path, "model: pair.urdf, tip: b")
    assert scene.robots["arm"].model.tip == "b"
    scene = room(tmp_path, "model: kuka_lwr, tip: link4")
    save_scene(scene, tmp_path / "again.yaml")
    assert load_scene(tmp_path / "again.yaml").robots["arm"].model.tip == "link4"


def test_a_root_floats_on_request(tmp_path: Path) -> None:
    robot = room(tmp_path, "model: pair.urdf, floating: true, q: {root_z: 1.5}").robots["arm"]
    assert robot.model.n_dof == 8
    assert robot.q[2] == 1.5


def test_joints_without_a_speed_get_the_usual_one(tmp_path: Path) -> None:
    robot = room(tmp_path, "model: pair.urdf").robots["arm"]
    assert robot.model.velocity.tolist() == [DEFAULT_RATES["revolute"], 0.25]
    robot.move([2.0, None], ticks=1)
    before, largest = robot.q.copy(), 0.0
    for _ in range(20):
        robot.step()
        largest, before = max(largest, abs(robot.q - before).max()), robot.q.copy()
    assert 0.0 < largest <= DEFAULT_RATES["revolute"] * robot.dt + 1e-12
