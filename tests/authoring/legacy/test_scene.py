"""Rooms from legacy RoboTiX files: the printed example runs, with real geometry and without."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from support.legacy_script import SCRIPT

from robotix.authoring import check_scene, load_scene
from robotix.errors import BadFile, RobotixError
from robotix.scene import Collision, Inputs, Problem, Reading, Scene, Signal

AXES = ("z", "y", "y", "x")


def robot_file(upper: float = 170) -> str:
    joints = "".join(
        f"JOINT j{i}\n{{\nAXIS = a{i}\nTYPE = 1\nQMIN = -170\nQMAX = {upper}\n}}\n"
        for i in range(1, 5)
    )
    return f"# four joints\nROBOT = 1\n{{\n{joints}}}\n"


def nodes_file(obstacle: tuple[float, float, float]) -> str:
    """Four links of 300 mm on top of each other, and a ball somewhere."""
    text = 'length_unit = 0.001\n[[node]]\nname = "robot"\n'
    parent, height = "robot", 0
    for i, axis in enumerate(AXES, start=1):
        direction = {"x": [1, 0, 0], "y": [0, 1, 0], "z": [0, 0, 1]}[axis]
        place = f'parent = "{parent}"\nxyz = [0, 0, {height}]\n'
        text += f'[[node]]\nname = "a{i}"\n{place}axis = {direction}\n'
        text += f'[[node]]\nname = "j{i}"\n{place}'
        text += '[[node.shape]]\nkind = "capsule"\nradius = 30\nlength = 200\nxyz = [0, 0, 150]\n'
        parent, height = f"j{i}", 300
    text += f'[[node]]\nname = "end_effector"\nparent = "{parent}"\nxyz = [0, 0, 300]\n'
    text += '[[node.shape]]\nkind = "sphere"\nradius = 40\n'
    text += f'[[node]]\nname = "obstacle"\nxyz = {list(obstacle)}\n'
    text += '[[node.shape]]\nkind = "sphere"\nradius = 100\n'
    return text


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "room.vd2").write_text(SCRIPT)
    (tmp_path / "robot.cfg").write_text(robot_file())
    return tmp_path


def keys(*names: str) -> Inputs:
    return Inputs(devices={"keyboard": Reading(buttons=frozenset(names))})


def degrees(scene: Scene) -> list[float]:
    return [round(value, 6) for value in np.degrees(scene.robot().q).tolist()]


# -- RoboTiX's example -------------------------------------------------------------------------


@pytest.mark.parametrize("has_nodes", [False, True])
def test_the_printed_example_runs(folder: Path, has_nodes: bool) -> None:
    if has_nodes:
        (folder / "robot.nodes.toml").write_text(nodes_file((3000, 0, 0)))
    assert check_scene(folder / "room.vd2") == []
    scene = load_scene(folder / "room.vd2")
    for _ in range(10):
        scene.step(keys("Left"))
    scene.step()
    assert degrees(scene) == [10.0, 0.0, 0.0, 0.0]  # a degree a tick, while the key was down
    scene.step(keys("l"))
    for _ in range(505):
        scene.step()
    assert degrees(scene) == [20.0, -30.0, 40.0, 0.0]


def test_an_end_of_stroke_shows_and_passes(folder: Path) -> None:
    (folder / "robot.cfg").write_text(robot_file(upper=5))
    scene = load_scene(folder / "room.vd2")
    heard = []
    for _ in range(8):
        scene.step(keys("Left"))
        heard += [e.state for e in scene.events if e.source == Signal("end_of_stroke")]
    assert degrees(scene)[0] == 5.0
    assert heard == [True] and scene.graph["robot"].attributes.wireframe
    scene.run_line("step (-1, 0, 0, 0)")
    for _ in range(3):
        scene.step()
        heard += [e.state for e in scene.events if e.source == Signal("end_of_stroke")]
    assert heard == [True, False] and not scene.graph["robot"].attributes.wireframe


def test_a_collision_stops_the_robot(folder: Path) -> None:
    (folder / "robot.nodes.toml").write_text(nodes_file((300, 0, 1100)))
    scene = load_scene(folder / "room.vd2")
    scene.run_line("move @200;(0, 60, 0, 0)")
    touched = []
    for _ in range(250):
        scene.step()
        touched += [e.state for e in scene.events if isinstance(e.source, Collision)]
    assert touched == [True]
    assert 5 < degrees(scene)[1] < 40  # on the way, at rest
    assert not scene.robot().is_moving


# -- nodes --------------------------------------------------------------------------------------


def test_nodes_are_where_the_file_puts_them(folder: Path) -> None:
    (folder / "room.nodes.toml").write_text(nodes_file((500, 100, 200)))
    scene = load_scene(folder / "room.vd2")
    assert scene.graph["obstacle"].world_position.tolist() == [0.5, 0.1, 0.2]
    np.testing.assert_allclose(scene.graph["end_effector"].world_position, [0, 0, 1.2], atol=1e-12)
    scene.robot().set_q([0, np.pi / 2, 0, 0])
    np.testing.assert_allclose(
        scene.graph["end_effector"].world_position, [0.9, 0, 0.3], atol=1e-12
    )
    assert scene.graph["end_effector"].parent is scene.graph["j4"]
    np.testing.assert_allclose(scene.robot().tip_position(), [0.6, 0, 0.3], atol=1e-12)  # joint 4
    assert len(scene.graph["j2"].solids) == 1  # its own, not those that ride on it
    assert not scene.messages


def test_stand_ins_are_told(folder: Path) -> None:
    scene = load_scene(folder / "room.vd2")
    told = [str(message) for message in scene.messages if isinstance(message, Problem)]
    assert len(told) == 2
    assert "robot.nodes.toml" in told[0] and "room.vd2:8" in told[1] and "obstacle" in told[1]


def test_a_configuration_is_a_room(folder: Path) -> None:
    scene = load_scene(folder / "robot.cfg")
    assert list(scene.robots) == ["robot"]
    scene.run_line("move @10;(10, 0, 0, 0)")
    for _ in range(15):
        scene.step()
    assert degrees(scene)[0] == 10.0


def test_two_robots_of_one_file(folder: Path) -> None:
    text = robot_file()
    second = text.replace("ROBOT = 1", "ROBOT = 2").replace(" j", " k").replace(" a", " b")
    (folder / "robot.cfg").write_text(text + second)
    scene = load_scene(folder / "robot.cfg")
    assert list(scene.robots) == ["robot_1", "robot_2"]
    scene.run_line("move @5;R 2;(10, *, *, *)")
    for _ in range(10):
        scene.step()
    assert np.degrees(scene.robots["robot_2"].q[0]) == pytest.approx(10)
    assert not scene.robots["robot_1"].q.any()


# -- plug-ins -----------------------------------------------------------------------------------


def test_other_modules_are_plug_ins(folder: Path) -> None:
    (folder / "mine.py").write_text(
        "log = []\n"
        "def setup(scene):\n    global room\n    room = scene\n"
        "def begin(state, args):\n    room.say(f'begin {state} {args}')\n"
        "def loop(dt):\n    room.emit('lap')\n"
        "def ring(state, args):\n    room.say(f'ring {state} {args}')\n"
    )
    (folder / "room.vd2").write_text(
        'appl init mine.so:begin "now"\nappl loop mine.so:loop\n'
        'appl callback mine.so:ring "a" key x event change\n'
        'appl callback mine.so:ring "b" key x event off\n'
    )
    scene = load_scene(folder / "room.vd2", trust=True)
    scene.step(keys("x"))
    assert [str(m) for m in scene.messages] == [
        "Announcement(text='begin True now')",
        "Announcement(text='ring True a')",
    ]
    scene.step()
    assert [str(m) for m in scene.messages] == [
        "Announcement(text='ring False a')",
        "Announcement(text='ring False b')",
    ]


def test_checking_runs_no_plug_in(folder: Path) -> None:
    (folder / "mine.py").write_text("raise SystemError('run')\ndef ring(state, args): pass\n")
    (folder / "room.vd2").write_text("appl callback mine.so:ring key x\n")
    assert check_scene(folder / "room.vd2") == []


# -- refusals -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('appl init robotix.so:init "lost.cfg"', ("lost.cfg",)),
        ("appl init robotix.so:init", ("room.vd2:1:11", "robot.cfg")),
        ("appl callback robotix.so:mvoe key x", ("room.vd2:1:15", "move")),
        ('appl callback robotix.so:move "(a)" key x', ("room.vd2:1:15",)),
        ("appl callback lost.so:ring key x", ("room.vd2:1:15", "lost.py")),
        ("wirefame robot key x", ("room.vd2:1:1", "wirefame", "wireframe")),
        ("wireframe key x", ("room.vd2:1:1", "wireframe OBJECT")),
        ("wireframe robt key x", ("room.vd2:1:11", "robt", "robot")),
        ("hide robot collision end_efector obstacle", ("room.vd2:1:22", "end_effector")),
    ],
)
def test_refusals_name_the_place(folder: Path, line: str, words: tuple[str, ...]) -> None:
    (folder / "room.nodes.toml").write_text(nodes_file((500, 0, 0)))
    (folder / "room.vd2").write_text(f'{line}\nappl init robotix.so:init "robot.cfg"\n')
    problems = check_scene(folder / "room.vd2")
    assert len(problems) == 1
    for word in words:
        assert word in str(problems[0])
    with pytest.raises(BadFile):
        load_scene(folder / "room.vd2")


def test_all_faults_are_listed(folder: Path) -> None:
    (folder / "room.vd2").write_text("fly a key x\nswim b key y\nhide\n")
    assert [problem.line for problem in check_scene(folder / "room.vd2")] == [3]  # not readable
    (folder / "room.vd2").write_text("fly a key x\nswim b key y\n")
    assert [problem.line for problem in check_scene(folder / "room.vd2")] == [1, 2]


def test_scripts_that_were_damaged_are_read_or_refused(folder: Path) -> None:
    rng, whole = random.Random(5), SCRIPT
    for _ in range(150):
        at = rng.randrange(len(whole))
        text = rng.choice(
            [
                whole[:at] + whole[at + rng.randrange(1, 12) :],
                whole[:at] + rng.choice('"\\#\n(),;*@R -é\0') + whole[at:],
                whole[:at] + whole[at:][::-1],
            ]
        )
        (folder / "room.vd2").write_text(text)
        try:
            scene = load_scene(folder / "room.vd2")
        except RobotixError as error:
            assert "room.vd2" in str(error) or "cfg" in str(error)
            continue
        for _ in range(2):
            scene.step(keys("Left", "l"))
        assert all(np.isfinite(robot.q).all() for robot in scene.robots.values())


def test_what_a_room_cannot_have_is_listed_not_raised(folder: Path) -> None:
    line = 'appl init robotix.so:init "robot.cfg"\n'
    (folder / "room.vd2").write_text(line + line)
    (problem,) = check_scene(folder / "room.vd2")
    assert problem.line == 2 and "already" in str(problem)
