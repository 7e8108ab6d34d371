"""`robotix sim`: what it prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from support.command_line import CommandLine

import robotix as rx
from robotix.dynamics import validation
from robotix.dynamics.testbed import JointResponse, LogPlayback, RobotLog, save_log
from robotix.dynamics.validation import Check


def one_fails() -> Iterator[Check]:
    yield Check("gap", 1e-7, 1e-6, "m")
    yield Check("energy", 2e-4, 1e-4, "")


def test_validate_prints_every_check_and_fails_with_one(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validation, "run_checks", one_fails)
    status, out, _ = robotix.run("sim", "validate")
    first, second = out.splitlines()
    assert status == 1
    assert first.split() == ["gap", "1.00e-07", "at", "most", "1e-06", "m"]
    assert second.endswith("FAILED")
    document = robotix.json("sim", "validate", status=1)
    assert document["passed"] is False
    assert document["checks"][0] == {
        "name": "gap", "value": 1e-7, "limit": 1e-6, "unit": "m", "passed": True,
    }  # fmt: skip


# -- a robot on a floor -------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_is_reported_before_the_simulation(
    robotix: CommandLine, tmp_path: Path
) -> None:
    path = tmp_path / "none" / "held.csv"
    status, _, error = robotix.run("sim", "no_such_robot", "--record", path)
    assert status == 1
    assert "there is no folder" in error  # and not that there is no such robot


def test_a_robot_is_put_on_a_floor(robotix: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "held.csv"
    found = robotix.json("sim", "vhrp26", "--seconds", 0.2, "--record", path)
    assert found["seconds"] == pytest.approx(0.2)
    assert found["mass"] == pytest.approx(8.0)
    assert found["fell"] is False and found["contacts"] == 8
    energy = found["energy"]
    assert energy["drift"] == pytest.approx(energy["end"] - energy["start"])
    assert abs(energy["drift"]) < 0.2
    assert len(found["momentum"]) == len(found["angular_momentum"]) == 3
    motion = rx.load_motion(path, model=rx.load("vhrp26"))
    assert motion.duration == pytest.approx(0.2)
    assert "did not fall" in robotix.text("sim", "kuka_lwr", "--seconds", 0.05)


def test_joints_are_held_where_they_are_wanted(robotix: CommandLine) -> None:
    found = robotix.json("sim", "planar_3r", "--seconds", 0.1, "--q", 0.3, -0.2, 0.1)
    assert found["q"] == pytest.approx([0.3, -0.2, 0.1], abs=0.01)
    legs = [0.0] * 26
    assert robotix.json("sim", "vhrp26", "--seconds", 0.01, "--q", *legs)["contacts"] >= 0


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("nosuch",), 1, "no robot 'nosuch'"),
        (("ur5", "--q", 1, 2), 1, "6 coordinates, not 2"),
        (("no.yaml",), 1, "no.yaml"),
        (("no.yaml", "--free"), 2, "for robots"),
        (("ur5", "--seconds", -1), 2, "--seconds"),
        (("ur5", "--record", "x.txt"), 2, ".csv or .mcap"),
        (("balance", "jump"), 2, "squat"),
        (("balance", "push", "--no-control", "--printed-sign"), 2, "only one"),
        (("balance", "push", "--impulse", -1), 2, "--impulse"),
    ],
)
def test_wrong_use_is_refused(
    robotix: CommandLine, arguments: tuple[object, ...], status: int, says: str
) -> None:
    found, out, err = robotix.run("sim", *arguments)
    assert found == status and says in err
    assert out == "" and "Traceback" not in err


def test_a_scene_with_physics_is_simulated(robotix: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    objects = "objects:\n  ball: {sphere: 0.1, at: [0, 0, 2.0], body: {mass: 1.5}}\n"
    path.write_text("robotix: 1\nphysics: {}\n" + objects)
    found = robotix.json("sim", path, "--seconds", 0.2)
    assert found["mass"] == pytest.approx(1.5)
    assert found["momentum"][2] == pytest.approx(-1.5 * 9.81 * 0.2, rel=0.02)
    assert abs(found["energy"]["drift"]) < 0.05 * found["energy"]["start"]
    assert found["fell"] is False and found["lost"] == []
    assert "nothing" in robotix.text("sim", path, "--seconds", 0.05)
    path.write_text("robotix: 1\n" + objects.replace(", body: {mass: 1.5}", ""))
    status, _, err = robotix.run("sim", path)
    assert status == 1 and "has no physics" in err


# -- balance ------------------------------------------------------------------------------------


def test_balance_says_whether_and_when_it_fell(robotix: CommandLine) -> None:
    options = ("--impulse", 5, "--direction-deg", 180, "--no-control")
    found = robotix.json("sim", "balance", "push", *options)
    assert found["fell"] is True and found["control"] is False
    assert found["fall_time"] == found["seconds"] < 2.5
    assert found["direction_deg"] == pytest.approx(180)
    text = robotix.text("sim", "balance", "kick", "--printed-sign")
    assert "printed sign: fell after" in text


# -- logs ---------------------------------------------------------------------------------------


def test_a_log_is_compared_and_servos_are_identified(robotix: CommandLine, tmp_path: Path) -> None:
    model, times = rx.load("planar_3r"), np.arange(0.0, 1.0, 0.01)
    joint = model.dof_names[0]
    swing = 0.3 * np.sin(4 * times)
    blank = RobotLog(times, {joint: swing}, {joint: 0 * times})
    playback = LogPlayback(model, blank)
    true = JointResponse(0.02, 1.5 * playback.nominal()[joint].stiffness,
                         playback.nominal()[joint].damping)  # fmt: skip
    path = tmp_path / "log.csv"
    save_log(path, RobotLog(times, blank.commands, playback.play([{joint: true}])[0]))
    found = robotix.json("sim", "compare", path, "--robot", "planar_3r", "--identify")
    assert found["joints"][joint]["delay"] == pytest.approx(0.02, abs=1e-3)
    assert found["joints"][joint]["stiffness"] == pytest.approx(true.stiffness, rel=0.03)
    assert found["signals"][joint]["rms"] < 1e-4
    text = robotix.text("sim", "compare", path, "--robot", "planar_3r")
    assert joint in text and "RMS" in text
    status, _, err = robotix.run("sim", "compare", path)
    assert status == 1 and "no joint" in err
    assert robotix.run("sim", "compare", tmp_path / "log.txt")[0] == 2


# -- meshes and scenes ----------------------------------------------------------------------

CUBE = """v -0.1 -0.1 -0.1
v 0.1 -0.1 -0.1
v 0.1 0.1 -0.1
v -0.1 0.1 -0.1
v -0.1 -0.1 0.1
v 0.1 -0.1 0.1
v 0.1 0.1 0.1
v -0.1 0.1 0.1
f 1 3 2
f 1 4 3
f 5 6 7
f 5 7 8
f 1 2 6
f 1 6 5
f 2 3 7
f 2 7 6
f 3 4 8
f 3 8 7
f 4 1 5
f 4 5 8
"""
URDF = """<robot name="cube"><link name="cube">
<inertial><mass value="2"/>
<inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><mesh filename="cube.obj"/></geometry></collision>
</link></robot>"""


def test_meshes_of_a_robot_stand_on_the_floor(robotix: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "cube.obj").write_text(CUBE)
    (tmp_path / "cube.urdf").write_text(URDF)
    found = robotix.json("sim", tmp_path / "cube.urdf", "--free", "--seconds", 0.5)
    assert found["contacts"] >= 3 and found["fell"] is False
    assert found["contact_force"] == pytest.approx(2 * 9.81, rel=0.01)


SCENE = """robotix: 1
physics: true
objects:
  floor: {plane: true}
  hook: {box: [0.05, 0.05, 0.05], at: [0, 0, 2]}
  ball: {sphere: 0.1, at: [0, 0, 1.5], body: {mass: 0.5}}
  block: {box: [0.2, 0.2, 0.2], at: [1, 0, 0.1], body: {mass: 1}}
start:
  - connect: {node: ball, to: hook, joint: ball, at: [0, 0, 2], name: cord}
"""


def test_a_scene_is_simulated_and_recorded(robotix: CommandLine, tmp_path: Path) -> None:
    path, recording = tmp_path / "room.yaml", tmp_path / "room.mcap"
    path.write_text(SCENE)
    found = robotix.json("sim", path, "--seconds", 0.5, "--record", recording)
    assert found["mass"] == pytest.approx(1.5)
    assert found["contacts"] == 4 and found["connections"] == ["cord"]
    assert abs(found["energy"]["drift"]) < 0.01
    assert found["lost"] == [] and not found["problems"]
    assert "replayed 60 of 60 ticks" in robotix.text("replay", recording)
    status, _, err = robotix.run("sim", path, "--record", tmp_path / "room.csv")
    assert status == 2 and ".mcap" in err
