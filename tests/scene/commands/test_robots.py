"""Robot commands as commands: rules, programs and files say the same things in the same words."""

import dataclasses
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import robotix as rx
from robotix.errors import BadFile, UnknownName
from robotix.geometry import Pose, Sphere
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.commands.basic import InTurn, Say, Wait
from robotix.scene.commands.drag import Drag
from robotix.scene.commands.moves import JogJoints, Move, MoveP2p, MoveXyz, Play, Save, Stop
from robotix.scene.commands.robots import ROBOT_COMMANDS, Init, PrintPosture, Renew, SetRobot
from robotix.scene.commands.settings import (
    DisplayEllipsoid,
    InitEllipsoid,
    SetDamping,
    SetEndEffector,
    SetEventEos,
    SetEventMove,
    SetFirstJoint,
    SetObstacle,
    SetStep,
)
from robotix.scene.commands.tracking import (
    TrackExit,
    TrackInit,
    TrackInitScale,
    TrackSetScale,
    TrackToggle,
)
from robotix.scene.events.events import Button, EndOfStroke, Event, Signal
from robotix.scene.events.messages import Announcement
from robotix.scene.graph.content import EllipsoidSurface, Material
from robotix.scene.robots.robot import Robot
from robotix.scene.scene import Scene

ON, OFF = Event(Signal("go")), Event(Signal("go"), False)
KEY = Button("keyboard", "Left")
DOWN = Inputs(devices={"keyboard": Reading(buttons=frozenset({"Left"}))})
HOME = (0.3, -0.6, 0.1, 1.4, 0.2, 0.8, 0.5)


def room(name: str = "kuka_lwr") -> tuple[Scene, Robot]:
    scene = Scene()
    robot = scene.add_robot("arm", rx.load(name))
    if robot.model.n_dof == 7:
        robot.set_q(HOME)
    return scene, robot


def run(scene: Scene, ticks: int, inputs: Inputs | None = None) -> list[str]:
    said: list[str] = []
    for _ in range(ticks):
        scene.step(inputs)
        assert not [message for message in scene.messages if isinstance(message, Problem)]
        said += [message.text for message in scene.messages if isinstance(message, Announcement)]
    return said


def test_every_command_is_a_frozen_value_with_words_to_describe_it() -> None:
    for name, command in ROBOT_COMMANDS.items():
        assert name.islower() and " " not in name
        assert dataclasses.is_dataclass(command) and command.__doc__
        assert command.__dataclass_params__.frozen


# -- moving ---------------------------------------------------------------------------------


def test_a_move_is_done_from_a_program_at_once() -> None:
    scene, robot = room()
    Move((0.5, *[None] * 6), steps=60)(scene, ON)
    run(scene, 70)
    assert robot.q[0] == 0.5


def test_degrees_are_for_angles_only() -> None:
    scene, robot = room("kuka_lwr_rail")
    Move((0.1, 30.0, *[None] * 6), steps=60, degrees=True)(scene, ON)
    run(scene, 200)
    assert robot.q[0] == 0.1 and robot.q[1] == pytest.approx(math.radians(30))
    JogJoints((0.01, 10.0, 0, 0, 0, 0, 0, 0), degrees=True)(scene, ON)
    run(scene, 60)
    assert robot.q[0] == pytest.approx(0.11) and robot.q[1] == pytest.approx(math.radians(40))


def test_moves_in_turn_wait_for_each_other() -> None:
    scene, robot = room()
    there = Move((0.5, *[None] * 6), steps=60)
    back = Move((0.3, *[None] * 6), steps=60)
    scene.on(Signal("go"), InTurn((there, Say("there"), Wait(0.1), back, Say("back"))))
    scene.emit("go")
    said, q = [], []
    for _ in range(150):
        said += run(scene, 1)
        q.append(robot.q[0])
    assert said == ["there", "back"]
    assert max(q) == 0.5 and q[-1] == 0.3


def test_a_rule_that_reflects_stops_the_move_when_off() -> None:
    scene, robot = room()
    scene.on(KEY, Move((1.5, *[None] * 6), steps=300), mode="reflect")
    run(scene, 100, DOWN)
    run(scene, 3)
    assert robot.drive is None and 0.3 < robot.q[0] < 1.5


def test_steps_once_or_for_as_long_as_the_key_is_down() -> None:
    by = (0.001, *[0.0] * 6)
    for mode, ticks in (("on", 1), ("reflect", 40)):
        scene, robot = room()
        scene.on(KEY, JogJoints(by), mode=mode)  # type: ignore[arg-type]
        run(scene, 40, DOWN)
        run(scene, 10)
        assert robot.q[0] == pytest.approx(HOME[0] + ticks * 0.001, abs=1e-12)
        assert robot.drive is None


def test_a_step_among_others_reflects_too() -> None:
    scene, robot = room()
    scene.on(KEY, InTurn((Say("going"), JogJoints((0.001, *[0.0] * 6)))), mode="reflect")
    assert run(scene, 40, DOWN) == ["going"]
    run(scene, 10)
    assert robot.q[0] == pytest.approx(HOME[0] + 0.04, abs=1e-12)


def test_point_to_point_returns_when_off() -> None:
    scene, robot = room()
    scene.on(KEY, MoveP2p((0.5, 0.2, 0.6)), mode="reflect")
    run(scene, 200, DOWN)
    np.testing.assert_allclose(robot.tip_position(), [0.5, 0.2, 0.6], atol=1e-4)
    run(scene, 200)
    np.testing.assert_array_equal(robot.q, HOME)


def test_point_to_point_without_a_memory_does_nothing() -> None:
    scene, robot = room()
    assert MoveP2p()(scene, OFF) is None and robot.drive is None
    with pytest.raises(ValueError, match="position"):
        MoveP2p()(scene, ON)


def test_a_collision_may_stop_it() -> None:
    scene, robot = room()
    scene.on(Signal("bump"), Stop())
    MoveXyz((0.5, 0.2, 0.6), steps=100)(scene, ON)
    run(scene, 30)
    scene.emit("bump")
    scene.step()
    before = robot.q
    run(scene, 10)
    np.testing.assert_array_equal(robot.q, before)


@pytest.mark.parametrize(
    "command",
    [
        Move(HOME),
        MoveXyz((0.4, 0, 0.5)),
        JogJoints((0.1,) * 7),
        Save("x.csv"),
        Play("x.csv"),
        SetStep(5),
        SetFirstJoint(2),
        SetEndEffector(2),
        SetEventEos("x"),
        SetEventMove("x"),
        SetObstacle("arm"),
        InitEllipsoid("gold"),
        TrackInit("stick"),
        TrackInitScale(2.0),
        SetDamping(1.0),
        TrackSetScale(2.0),
        Drag("link", "glove"),
        Init("x.cfg"),
        Renew(),
        PrintPosture(),
        SetRobot("arm"),
    ],
    ids=lambda command: type(command).__name__,
)
def test_nothing_is_begun_when_off(command: Callable[[Scene, Event], object]) -> None:
    scene, robot = room()
    assert command(scene, Event(OFF.source, state=False, lasts=True)) is None
    assert robot.drive is None and robot.move_ticks == 100 and robot.chain.moves.all()
    assert not scene.messages and robot.avoidance is None and robot.tracking is None


# -- files ----------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".mcap"])
def test_taught_postures_are_played(tmp_path: Path, suffix: str) -> None:
    scene, robot = room()
    scene.files.source = tmp_path / "room.yaml"
    taught = [HOME, (0.5, *HOME[1:]), (0.5, -0.3, *HOME[2:])]
    for q in taught:
        robot.set_q(q)
        Save(f"path{suffix}")(scene, ON)
    robot.set_q([0.0] * 7)
    SetStep(80)(scene, ON)
    Play(f"path{suffix}")(scene, ON)
    seen = []
    for _ in range(400):
        run(scene, 1)
        seen.append(robot.q)
    for q in taught:
        assert any(np.array_equal(row, q) for row in seen)
    assert robot.drive is None
    np.testing.assert_array_equal(robot.q, taught[-1])


def test_a_file_of_another_robot_is_refused(tmp_path: Path) -> None:
    scene, robot = room()
    Save(str(tmp_path / "path.csv"))(scene, ON)
    other = Scene()
    other.add_robot("other", rx.load("scara"))
    with pytest.raises(BadFile, match="does not fit"):
        Play(str(tmp_path / "path.csv"))(other, ON)
    with pytest.raises(BadFile, match="joints"):
        Save(str(tmp_path / "path.csv"))(other, ON)
    with pytest.raises(BadFile, match=r"none\.csv"):
        Play(str(tmp_path / "none.csv"))(scene, ON)
    assert robot.drive is None


# -- settings -------------------------------------------------------------------------------


def test_the_default_duration_can_be_set_and_changed() -> None:
    scene, robot = room()
    SetStep(40)(scene, ON)
    SetStep(5, relative=True)(scene, ON)
    assert robot.move_ticks == 45
    SetStep(-100, relative=True)(scene, ON)
    assert robot.move_ticks == 1


def test_the_part_of_the_chain_can_be_set() -> None:
    scene, robot = room()
    SetFirstJoint(2)(scene, ON)
    SetEndEffector(5)(scene, ON)
    np.testing.assert_array_equal(np.flatnonzero(robot.chain.moves), [1, 2, 3, 4])
    with pytest.raises(ValueError, match="first joint"):
        SetEndEffector(1)(scene, ON)


def test_end_of_stroke_and_motion_have_their_signals() -> None:
    scene, robot = room()
    SetEventEos("end_of_stroke")(scene, ON)
    SetEventMove("moving")(scene, ON)
    scene.on(Signal("end_of_stroke"), Say("bump"))
    scene.on(EndOfStroke("arm", "A1"), Say("A1"))
    scene.on(Signal("moving"), Say("off we go"))
    robot.move([99.0, *[None] * 6])
    assert run(scene, 500) == ["off we go", "A1", "bump"]


def test_an_obstacle_can_be_set_and_forgotten() -> None:
    scene, robot = room()
    scene.graph.add("ball", pose=Pose.at(0.5, 0, 0.5), solids=[Sphere(0.05)])
    SetObstacle("ball", 0.03)(scene, ON)
    assert robot.avoidance is not None and robot.avoidance.distances == {"ball": 0.03}
    SetObstacle("ball")(scene, OFF)
    assert not robot.avoidance.distances


def test_the_ellipsoid_toggles_and_has_a_material() -> None:
    scene, _ = room()
    scene.assets.materials["gold"] = Material((1.0, 0.8, 0.0), name="gold")
    InitEllipsoid("gold")(scene, ON)
    DisplayEllipsoid()(scene, ON)
    node = scene.graph["arm/ellipsoid"]
    assert isinstance(node.content, EllipsoidSurface) and node.attributes.material is not None
    assert node.attributes.material.name == "gold"
    InitEllipsoid()(scene, ON)
    assert node.attributes.material.name == "ellipsoid"
    DisplayEllipsoid()(scene, ON)
    assert "arm/ellipsoid" not in scene.graph
    with pytest.raises(UnknownName, match="gold"):
        InitEllipsoid("god")(scene, ON)


def test_the_posture_is_said() -> None:
    scene, robot = room("kuka_lwr_rail")
    robot.set_q([0.25, math.radians(30), *[0.0] * 6])
    PrintPosture()(scene, ON)
    assert isinstance(scene.messages[0], Announcement)
    assert scene.messages[0].text.startswith("arm: rail 0.2500 m, A1 30.00°, ")


# -- devices --------------------------------------------------------------------------------


def test_a_device_is_bound_engaged_scaled_and_let_go() -> None:
    scene, robot = room()
    stick = Inputs(devices={"stick": Reading(axes=(0.0, 1.0, 0.0))})
    with pytest.raises(ValueError, match="track_init"):
        TrackToggle()(scene, ON)
    SetDamping(0.05)(scene, ON)
    TrackInitScale(0.1)(scene, ON)
    TrackInit("stick")(scene, ON)
    run(scene, 5, stick)
    np.testing.assert_array_equal(robot.q, HOME)  # bound is not engaged
    TrackToggle()(scene, ON)
    start = robot.tip_position()
    run(scene, 60, stick)
    assert robot.tip_position()[1] - start[1] == pytest.approx(0.05, abs=2e-3)
    TrackSetScale(0.2)(scene, ON)
    run(scene, 60, stick)
    assert robot.tip_position()[1] - start[1] == pytest.approx(0.15, abs=5e-3)
    TrackToggle()(scene, ON)
    still = robot.q
    run(scene, 5, stick)
    np.testing.assert_array_equal(robot.q, still)
    TrackExit()(scene, ON)
    assert robot.tracking is None


def test_a_held_key_is_a_dead_man_switch() -> None:
    scene, robot = room()
    TrackInit("stick")(scene, ON)
    scene.on(KEY, TrackToggle(), mode="reflect")
    push = Reading(axes=(0.0, 1.0, 0.0))
    held = Inputs(devices={**DOWN.devices, "stick": push})
    run(scene, 30, held)
    assert robot.is_moving
    run(scene, 3, Inputs(devices={"stick": push}))
    assert not robot.is_moving


def test_a_hand_drags_while_it_holds() -> None:
    scene, robot = room()
    last = robot.model.bodies[-1].name
    scene.on(KEY, Drag(last, "glove"), mode="reflect")
    at = robot.tip_position()
    for tick in range(60):
        x, y, z = at + np.array([0.0, 0.001 * tick, 0.0])
        glove = Reading(position=(x, y, z))
        run(scene, 1, Inputs(devices={**DOWN.devices, "glove": glove}))
    assert robot.tip_position()[1] - at[1] > 0.03
    run(scene, 2, Inputs(devices={"glove": glove}))
    assert robot.drive is None
