"""`robotix info`, `convert`, `new` and `examples`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from support.command_line import CommandLine

import robotix as rx
from robotix.authoring import check_scene, scene_schema

ARM = """<robot name="arm"><link name="base"><visual><geometry><sphere radius="0"/></geometry>
</visual><visual><geometry><mesh filename="package://arm/base.stl"/></geometry></visual></link>
<link name="tip"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"
iyz="0"/></inertial><visual><geometry><mesh filename="tip.stl"/></geometry></visual></link>
<joint name="turn" type="revolute"><parent link="base"/><child link="tip"/>
<origin xyz="0 0 1"/><limit lower="-1" upper="1"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.urdf"
    path.write_text(ARM)
    (tmp_path / "tip.stl").write_bytes(b"solid tip\nendsolid tip\n")
    return path


def refused(robotix: CommandLine, *arguments: str, status: int = 1) -> str:
    """Return the message with which arguments are refused."""
    found, out, err = robotix.run(*arguments)
    assert (found, out) == (status, "")
    return " ".join(err.split())


def test_info_tells_joints_bodies_mass_meshes_and_warnings(robotix: CommandLine, arm: Path) -> None:
    found = robotix.json("info", str(arm))
    assert [joint["name"] for joint in found["joints"]] == ["turn"]
    assert found["joints"][0]["upper"] == 1.0
    assert found["joints"][0]["velocity"] is None
    assert found["bodies"] == ["base", "tip"]
    assert found["mass"] == 2.0
    assert found["meshes"] == {"found": ["tip.stl"], "missing": ["package://arm/base.stl"]}
    assert any("radius must be positive" in warning for warning in found["warnings"])
    words = robotix.text("info", str(arm))
    assert "missing: package://arm/base.stl" in words
    assert "-57.3° to 57.3°" in words


def test_info_finds_meshes_of_packages_above_the_file(robotix: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "arm" / "urdf"
    folder.mkdir(parents=True)
    (folder / "arm.urdf").write_text(ARM)
    (tmp_path / "arm" / "base.stl").touch()
    found = robotix.json("info", str(folder / "arm.urdf"))
    assert found["meshes"]["found"] == ["package://arm/base.stl"]


def test_info_knows_the_library_and_strict(robotix: CommandLine, arm: Path) -> None:
    assert len(robotix.json("info", "kuka_lwr")["joints"]) == 7
    assert "radius must be positive" in refused(robotix, "info", str(arm), "--strict")


@pytest.mark.parametrize("suffix", [".urdf", ".xml", ".mjcf", ".cfg"])
def test_convert_keeps_the_kinematics(suffix: str, robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / f"arm{suffix}"
    assert "7 DoF" in robotix.text("convert", "kuka_lwr", str(out))
    before, after = rx.load("kuka_lwr"), rx.load(out)
    q = np.linspace(-0.5, 0.5, 7)
    end = "flange" if "flange" in after.points or suffix != ".cfg" else after.tip
    np.testing.assert_allclose(
        rx.Posture(after, q).position(end), rx.Posture(before, q).position(), atol=1e-9
    )


def test_convert_overwrites_only_on_request(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "arm.urdf"
    out.write_text("mine")
    assert "--force" in refused(robotix, "convert", "kuka_lwr", str(out), status=2)
    assert out.read_text() == "mine"
    robotix.text("convert", "kuka_lwr", str(out), "--force")
    assert rx.load(out).n_dof == 7
    assert "must end in" in refused(robotix, "convert", "kuka_lwr", "arm.usd", status=2)


def test_new_writes_a_room_that_is_sound(robotix: CommandLine, tmp_path: Path) -> None:
    room = tmp_path / "my_room.yaml"
    assert "robotix run" in robotix.text("new", str(room))
    assert robotix.json("check", room)["warnings"] == []
    scene = rx.load_scene(room)
    assert scene.name == "My room"
    assert len(scene.robots) == 1
    assert json.loads((tmp_path / "scene.schema.json").read_text()) == scene_schema()
    assert "exists already" in refused(robotix, "new", str(room), status=2)


def test_examples_are_listed_and_copied(robotix: CommandLine, tmp_path: Path) -> None:
    listed = robotix.json("examples")
    assert {"file": "scenes/door.yaml", "title": "Door"} in listed
    assert all(each["title"] for each in listed)
    robotix.text("examples", "--copy", str(tmp_path / "mine"))
    assert check_scene(tmp_path / "mine" / "scenes" / "door.yaml") == []


XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="reach" default="0.5"/>
  <link name="base"/><link name="tool0"/>
  <joint name="slide" type="prismatic"><parent link="base"/><child link="tool0"/>
    <origin xyz="$(arg reach) 0 0"/><axis xyz="0 0 1"/>
    <limit lower="0" upper="1" velocity="1" effort="1"/></joint>
</robot>"""


def test_arguments_of_a_xacro_file_are_given_as_to_xacro(
    robotix: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(XACRO)
    for words in (["reach:=0.75"], ["--arg", "reach:=0.75"], ["--arg=reach:=0.75"]):
        found = robotix.json("fk", str(file), "--q", "0.1", *words)
        assert found["position"] == pytest.approx([0.75, 0.0, 0.1])
    out = tmp_path / "arm.urdf"
    robotix.text("convert", str(file), str(out), "reach:=2")
    assert robotix.json("fk", str(out), "--q", "0")["position"] == pytest.approx([2.0, 0.0, 0.0])
    robotix.text("run", str(file), "reach:=2", "--headless", "--seconds", "0.1", "--fast")
    assert "is for a .xacro file" in refused(robotix, "info", "panda", "reach:=1", status=2)
    assert "NAME:=VALUE" in refused(robotix, "info", str(file), "--arg", "reach", status=2)


def test_info_tells_which_point_is_the_tip_and_why(robotix: CommandLine, tmp_path: Path) -> None:
    file = tmp_path / "arm.xacro"
    file.write_text(XACRO)
    found = robotix.json("info", str(file))
    assert (found["tip"], found["tip_reason"]) == ("tool0", "by its name, tool0")
    assert "tip       tool0 (by its name, tool0)" in robotix.text("info", str(file))
    library = robotix.json("info", "vhrp26")
    assert library["tip_reason"]


CUBE = """solid cube
facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet
endsolid cube
"""


def test_packages_may_be_named(
    robotix: CommandLine, arm: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROS_PACKAGE_PATH", "")
    package = tmp_path / "elsewhere" / "arm"
    package.mkdir(parents=True)
    (package / "base.stl").write_text(CUBE)
    found = robotix.json("info", str(arm), "--packages", str(tmp_path / "elsewhere"))
    assert found["meshes"]["missing"] == []
    refusal = refused(robotix, "info", str(arm), "--packages", "nowhere", status=2)
    assert "nowhere is not a folder" in refusal


def test_convert_says_what_the_format_has_no_place_for(
    robotix: CommandLine, arm: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.mjcf"
    text = ARM.replace('upper="1"', 'upper="1" velocity="2"').replace("tip.stl", "tip.dae")
    arm.write_text(text)
    status, _, err = robotix.run("convert", str(arm), str(out))
    assert status == 0
    assert "left out of out.mjcf: 2 meshes that MuJoCo cannot open" in err
    assert "package://arm/base.stl, tip.dae" in err
    assert "left out of out.mjcf: limits of joint velocities" in err
    again = robotix.json("info", str(out))  # which MuJoCo compiles
    assert [joint["name"] for joint in again["joints"]] == ["turn"]


def test_convert_to_urdf_says_that_drives_lose_their_inertia(
    robotix: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "a.mjcf").write_text(
        """<mujoco><option gravity="0 0 -1.6"/><worldbody><geom type="plane" size="1 1 1"/>
        <body name="a"><joint name="j"
        armature="0.2"/><geom size="0.1"/></body></worldbody></mujoco>"""
    )
    status, _, err = robotix.run("convert", str(tmp_path / "a.mjcf"), str(tmp_path / "a.urdf"))
    assert status == 0
    assert "left out of a.urdf: the inertia of the drives (armature)" in err
    assert "left out of a.urdf: the gravity [0.0, 0.0, -1.6] m/s²" in err
    assert "left out of a.urdf: the floor (--approximate" in err
    boxed = tmp_path / "boxed.urdf"
    robotix.run("convert", str(tmp_path / "a.mjcf"), str(boxed), "--approximate")
    assert ("<box" in boxed.read_text(), "<box" in (tmp_path / "a.urdf").read_text()) == (
        True,
        False,
    )


def test_a_legacy_robot_without_nodes_is_a_stand_in_and_says_so(
    robotix: CommandLine, tmp_path: Path
) -> None:
    file = tmp_path / "robot.cfg"
    joint = "JOINT {} {{ AXIS = {} TYPE = 1 QMIN = -170 QMAX = 170 }}\n"
    file.write_text("ROBOT = 1\n{\n" + joint.format("a", "a_z") + joint.format("b", "b_y") + "}\n")
    status, out, err = robotix.run("fk", str(file), "--point", "end_effector", "--json")
    assert status == 0
    np.testing.assert_allclose(json.loads(out)["position"], [0, 0, 0.5], atol=1e-12)
    assert "warning: robot.cfg: no robot.nodes.toml beside it" in err
    assert "no scene to find it in" in refused(robotix, "info", str(file), "--strict")


def test_check_warns_of_meshes_that_are_missing(
    robotix: CommandLine, arm: Path, tmp_path: Path
) -> None:
    room = tmp_path / "room.yaml"
    room.write_text("robotix: 1\nrobots: {arm: {model: arm.urdf}}\n")
    found = robotix.json("check", str(room))
    assert found["ok"]
    assert any("robot arm: 1 mesh file was not found" in each for each in found["warnings"])
