"""The console understands legacy lines and its own, and explains itself when it does not."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import robotix as rx
from robotix.errors import UnknownName
from robotix.geometry import Pose, Sphere
from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.commands import moves as moving
from robotix.scene.commands import settings as setting
from robotix.scene.commands import tracking
from robotix.scene.commands.robots import ROBOT_COMMANDS, Init, SetRobot
from robotix.scene.console.console import (
    LINE_COMMANDS,
    install_console,
    parse_legacy_call,
    parse_line,
    run_command,
)
from robotix.scene.events.events import Event, Signal
from robotix.scene.scene import Scene


def room(name: str = "planar_3r") -> Scene:
    scene = Scene()
    scene.add_robot("arm", rx.load(name))
    scene.graph.add("ball", pose=Pose.at(5, 0, 0), solids=[Sphere(0.1)])
    install_console(scene)
    return scene


def test_every_command_is_a_command() -> None:
    also = {"track_init_damping_factor"}  # what RoboTiX calls set_damping
    assert set(LINE_COMMANDS) == set(ROBOT_COMMANDS) | also


@pytest.mark.parametrize(
    ("function", "argument", "command"),
    [
        ("init", "robot.cfg", Init("robot.cfg")),
        ("step", "(1, 0, 0, 0)", moving.JogJoints((1.0, 0.0, 0.0, 0.0), degrees=True)),
        ("step", "1,0,-0.5", moving.JogJoints((1.0, 0.0, -0.5), degrees=True)),
        (
            "move",
            "@500;(20,-30,40,*)",
            moving.Move((20.0, -30.0, 40.0, None), steps=500, degrees=True),
        ),
        (
            "move",
            "@ 500 ; R 2 ; 20, *, 1e1",
            moving.Move((20.0, None, 10.0), steps=500, robot="2", degrees=True),
        ),
        ("move", "(1,2)", moving.Move((1.0, 2.0), degrees=True)),
        ("stop", None, moving.Stop()),
        ("setEventEOS", "end_of_stroke", setting.SetEventEos("end_of_stroke")),
        ("setEventMove", '"moves"', setting.SetEventMove("moves")),
        ("setStep", "200", setting.SetStep(200)),
        ("setStep", "+10", setting.SetStep(10, relative=True)),
        ("setStep", "-10", setting.SetStep(-10, relative=True)),
        ("setEndEffector", "4", setting.SetEndEffector(4)),
        ("setFirstJoint", "2", setting.SetFirstJoint(2)),
        ("setRobot", "2", SetRobot("2")),
        ("move xyz", "(0.4,0,0.5)", moving.MoveXyz((0.4, 0.0, 0.5))),
        ("move_xyz", "(0.4,0,0.5)", moving.MoveXyz((0.4, 0.0, 0.5))),
        ("moveP2P", "(0.4,0,0.5)", moving.MoveP2p((0.4, 0.0, 0.5))),
        ("displayEllipsoid", "", setting.DisplayEllipsoid()),
        ("initEllipsoid", None, setting.InitEllipsoid()),
        ("initEllipsoid", "gold", setting.InitEllipsoid("gold")),
        ("play", "pick.csv", moving.Play("pick.csv")),
        ("save", "pick", moving.Save("pick.csv")),
        ("setObstacle", "ball; 0.05", setting.SetObstacle("ball", 0.05)),
        ("trackInit", "stick", tracking.TrackInit("stick")),
        ("trackInitScale", "0.5", tracking.TrackInitScale(0.5)),
        ("trackInitDampingFactor", "0.1", setting.SetDamping(0.1)),
        ("trackToggle", None, tracking.TrackToggle()),
        ("trackSetScale", "2", tracking.TrackSetScale(2.0)),
        ("trackExit", None, tracking.TrackExit()),
    ],
)
def test_legacy_calls_are_understood(function: str, argument: str | None, command: object) -> None:
    assert parse_legacy_call(function, argument) == command


@pytest.mark.parametrize(
    ("line", "name", "argument"),
    [
        ("move @500;(20,-30,40,*)", "move", "@500;(20,-30,40,*)"),
        ('move "@500;R 2;(20,-30,40,*)"', "move", "@500;R 2;(20,-30,40,*)"),
        ("  MOVE(1,2)", "move", "(1,2)"),
        ('setStep "+10"', "set_step", "+10"),
        ("set step +10", "set_step", "+10"),
        ('move xyz "(0.4,0,0.5)"', "move_xyz", "(0.4,0,0.5)"),
        ("move_xyz (0.4,0,0.5)", "move_xyz", "(0.4,0,0.5)"),
        ('set_obstacle "ball; 0.05"', "set_obstacle", "ball; 0.05"),
        ("track init damping factor 0.1", "track_init_damping_factor", "0.1"),
        ("track_init my stick", "track_init", "my stick"),
        ("robotix.so:stop", "stop", ""),
    ],
)
def test_lines_are_taken_apart(line: str, name: str, argument: str) -> None:
    command, found = parse_line(line)
    assert (command.name, found) == (name, argument)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("mvoe (1,2,3)", "did you mean 'move'"),
        ("", "starts with a command"),
        ("@500", "starts with a command"),
        ("move", "move takes a position for every joint"),
        ("move (1,2,x)", r"such as @500;R 2;\(20, -30, 40, \*\), not '\(1,2,x\)'"),
        ("move (1,2,nan)", "move takes"),
        ("move (1,2,1e999)", "move takes"),
        ("move @5;Q 3;(1,2,3)", "move takes"),
        ("move (1,2)", "a goal for 2 joints, but there are 3"),
        ("step (1,2)", "3 finite numbers"),
        ("step (1,*,3)", "step takes an increment"),
        ("move R 7;(1,2,3)", "no robot '7'"),
        ("move @0;(1,2,3)", "steps"),
        ("move_xyz (1,2)", "move_xyz takes a position in m"),
        ("set_step fast", "set_step takes a number of ticks"),
        ("set_first_joint 9", "joints 1 to 3, not 9"),
        ("stop now", "no robot 'now'"),
        ("set_obstacle ball", "such as ball; 0.05"),
        ("set_obstacle bal; 0.1", "did you mean 'ball'"),
        ("track_toggle", "bind one with track_init"),
        ("track_init_scale 1e9", "scale"),
        ("play none.csv", "none.csv"),
        ("save ../../secret.csv", "leads out of the scene's folder"),
        ("save /secret.csv", "leads out of the scene's folder"),
        ("init robot.cfg", "cannot read robot files"),
        ("init_ellipsoid gold", "no material 'gold'"),
        ("move " + "1," * 20_000, "at most 10000 characters"),
    ],
)
def test_what_is_wrong_is_said_and_changes_nothing(line: str, words: str) -> None:
    scene = room()
    robot = scene.robot()
    reply = run_command(scene, line)
    assert re.search(words, reply), reply
    assert any(isinstance(message, Problem) for message in scene.messages)
    assert robot.drive is None and robot.move_ticks == 100


def test_commands_reach_the_room_as_inputs() -> None:
    scene = room()
    robot = scene.robot()
    scene.step(Inputs(commands=("move @60;(20,-30,*)",)))
    for _ in range(80):
        scene.step()
    np.testing.assert_allclose(robot.q, np.radians([20, -30, 0]))
    scene.step(Inputs(commands=("no such thing", "printvar")))
    assert len(scene.messages) == 2


def test_replies_are_what_was_said() -> None:
    scene = room()
    assert run_command(scene, "printvar") == "arm: joint1 0.00°, joint2 0.00°, joint3 0.00°"
    assert run_command(scene, "set_step 50") == ""
    assert "set_obstacle: an object and a distance" in run_command(scene, "help")


def test_point_to_point_goes_back_when_told_off() -> None:
    scene = room()
    robot = scene.robot()
    robot.set_q([0.3, 0.5, 0.7])
    x, y, _ = robot.tip_position()
    run_command(scene, f"move p2p ({x - 0.1:.4f},{y + 0.1:.4f},0)")
    for _ in range(200):
        scene.step()
    assert abs(robot.q - [0.3, 0.5, 0.7]).max() > 0.05
    run_command(scene, "move p2p off")
    for _ in range(200):
        scene.step()
    np.testing.assert_array_equal(robot.q, [0.3, 0.5, 0.7])
    assert run_command(scene, "move p2p (0.1,0.1,0)", state=False) == ""


def test_unknown_functions_of_scripts_are_refused() -> None:
    with pytest.raises(UnknownName, match="set_event_eos"):
        parse_legacy_call("setEventEOD", "x")
    with pytest.raises(ValueError, match="set_step takes"):
        parse_legacy_call("setStep", "soon")


@given(st.text(max_size=60))
def test_any_text_is_an_answerable_line(line: str) -> None:
    scene = room()
    before = scene.robot().q
    run_command(scene, line)
    scene.step()
    assert np.array_equal(scene.robot().q, before)


WORDS = [
    *LINE_COMMANDS,
    "(0.4,0,0.1)", "(20,-30,*)", "@5;(1e300,-1e300,0)", "(1,1,1)", "R 2;", "@1;(9,9,9)",
    "off", "stick", "ball; 0.05", "1", "2", "-1", "+99999", "0", "1e9", "*", '"', "gold",
]  # fmt: skip


def test_two_thousand_random_commands_do_no_harm(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path_factory.mktemp("console"))
    scene, rng = room(), np.random.default_rng(8)
    robot = scene.robot()
    model, rates = robot.model, robot.model.velocity * robot.dt
    moved = 0
    for _ in range(2000):
        words = [str(rng.choice(list(LINE_COMMANDS)))] if rng.random() < 0.9 else []
        words += [str(rng.choice(WORDS)) for _ in range(rng.integers(3))]
        if words[:1] in (["save"], ["play"]) and rng.random() < 0.9:
            continue  # the disk is slow
        axes = tuple(rng.uniform(-2, 2, 3).tolist())
        reading = Reading(axes=axes, live=rng.random() < 0.95)
        for _ in range(3):
            before = robot.q
            commands, words = (" ".join(words),) if words else (), []
            scene.step(Inputs(devices={"stick": reading}, commands=commands))
            moved += robot.is_moving
            assert np.isfinite(robot.q).all()
            assert (robot.q >= model.lower).all() and (robot.q <= model.upper).all()
            assert (abs(robot.q - before) <= rates * (1 + 1e-9)).all()
    assert moved > 200


def test_a_signal_may_run_what_a_script_called() -> None:
    scene = room()
    scene.on(Signal("go"), parse_legacy_call("move", "@60;(20,*,*)"))
    scene.emit(Event(Signal("go")))
    for _ in range(80):
        scene.step()
    assert scene.robot().q[0] == pytest.approx(np.radians(20))
