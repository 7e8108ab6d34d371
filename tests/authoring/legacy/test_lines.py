"""Every line that chapters 2 and 3 of the original document name: the table of the docs, run."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from authoring.legacy.test_actions import NODES, ROBOT
from support.legacy_trial import INIT, Trial

from robotix.scene import Reading
from robotix.scene.graph.content import EllipsoidSurface

DOCS = Path(__file__).parents[3] / "docs" / "legacy-scripts.md"
PLUGIN = """calls = []
def init(args): calls.append(("init", args))
def loop(dt): calls.append(("loop",))
def exit(): calls.append(("exit",))
def ring(state, args): calls.append(("ring", state, args))
"""
HAND = Reading(position=(1.0, 0.0, 0.5), quaternion=(1, 0, 0, 0), buttons=frozenset({"pinch"}))


BALL = '[[node.shape]]\nkind = "sphere"\nradius = 0.03\n'
SOLID_NODES = re.sub(r'(name = "j[34]"\n.*\n.*\n)', lambda found: found[1] + BALL, NODES)
TRACK = 'appl callback robotix.so:trackInit "spacemouse" key k'
MOVE = 'appl callback robotix.so:move "@20;(20,-30,40,10)" key m'
EMIT = "emit done key k"
TRIGGER = Reading(buttons=frozenset({"trigger"}))
Check = Callable[[Path], bool]


def call(function: str, argument: str = "") -> str:
    words = f' "{argument}"' if argument else ""
    return f"appl callback robotix.so:{function}{words} key k"


def moved_by(folder: Path, line: str, ticks: int) -> list[float]:
    return Trial(folder, line).press(then=ticks).degrees


def check_reflected_step(folder: Path) -> bool:
    trial = Trial(folder, LINES[3])
    return trial.run(3, "k").run(5).degrees == [3.0, 0.0, 0.0, 0.0]


def check_stop(folder: Path) -> bool:
    trial = Trial(folder, call("stop"), MOVE).press("m", then=5)
    trial.press()
    before = trial.degrees
    return 0 < before[0] < 20 and trial.run(30).degrees == before


def check_signal(folder: Path, line: str) -> bool:
    rule = "wireframe cup appinput done event change"
    step = 'appl callback robotix.so:step "(200, 0, 0, 0)" key s'
    trial = Trial(folder, line, rule, step)
    for _ in range(400):
        trial.press("s")
        if trial.scene.graph["cup"].attributes.wireframe:
            return True
    return False


def check_p2p(folder: Path) -> bool:
    trial = Trial(folder, 'appl callback robotix.so:move p2p "(0.3, 0.1, 0.6)" key k type reflect')
    start = trial.degrees
    there = trial.run(400, "k").robot.tip_position()
    return bool(np.allclose(there, [0.3, 0.1, 0.6], atol=2e-3)) and np.allclose(
        trial.run(400).degrees, start, atol=1e-3
    )


def check_xyz(folder: Path) -> bool:
    trial = Trial(folder, call("move xyz", "(0.3, 0.1, 0.6)")).press(then=400)
    return bool(np.allclose(trial.robot.tip_position(), [0.3, 0.1, 0.6], atol=2e-3))


def check_path_file(folder: Path) -> bool:
    trial = Trial(
        folder, call("save", "path.dat"), MOVE, call("play", "path.dat").replace("key k", "key p")
    )
    trial.press("m", then=40).press()
    there = trial.degrees
    trial.run(1)
    trial.scene.run_line("move (0,0,0,0)")
    trial.run(400)
    return any(folder.glob("path.dat*")) and trial.press("p", then=400).degrees == there


def check_renewed(folder: Path) -> bool:
    trial = Trial(folder, call("renew"))
    (folder / "robot.cfg").write_text(ROBOT.replace("QMAX = 170", "QMAX = 90", 1))
    return round(float(np.degrees(trial.press().robot.model.upper[0]))) == 90


def check_second_robot(folder: Path) -> bool:
    joint = "JOINT cup\n{\nAXIS = floor\nTYPE = 2\nQMIN = 0\nQMAX = 1\n}\n"
    (folder / "robot.cfg").write_text(ROBOT + f"ROBOT = 2\n{{\n{joint}}}\n")
    nodes = NODES.replace('name = "floor"\n', 'name = "floor"\naxis = [0, 0, 1]\n')
    (folder / "room.nodes.toml").write_text(nodes)
    trial = Trial(folder, call("setRobot", "2"))
    return trial.robot.model.n_dof == 4 and trial.press().robot.model.n_dof == 1


def check_ellipsoid(folder: Path, line: str) -> bool:
    trial = Trial(folder, line, "appl callback robotix.so:displayEllipsoid key d").press(
        "d", then=3
    )
    return any(isinstance(node.content, EllipsoidSurface) for node in trial.scene.graph)


def check_device(folder: Path, *lines: str) -> Trial:
    trial = Trial(folder, 'appl init robotix.so:trackInit "spacemouse"', *lines)
    return trial.press(then=2)


def check_tracking(folder: Path) -> bool:
    trial = check_device(folder, call("trackToggle"))
    before = trial.robot.tip_position()
    moved = trial.run(30, spacemouse=Reading(axes=(1.0, 0.0, 0.0, 0, 0, 0))).robot.tip_position()
    return float(np.linalg.norm(moved - before)) > 0.01


def check_grab(folder: Path) -> bool:
    trial = Trial(folder, "grab cup glove button glove pinch type reflect")
    trial.run(2, glove=HAND)
    moved = Reading(position=(1.0, 0.3, 0.5), quaternion=(1, 0, 0, 0), buttons=HAND.buttons)
    trial.run(3, glove=moved)
    return bool(np.allclose(trial.scene.graph["cup"].world_position, [1.0, 0.3, 0.5], atol=1e-6))


def check_constraint(folder: Path, line: str) -> bool:
    """The object follows the hand, but only along its guide."""
    trial = Trial(folder, line)
    trial.run(2, glove=HAND)
    for step in np.linspace(0.0, 0.4, 40):
        at = (1.0 + step, step, 0.5 + step)
        trial.run(1, glove=Reading(position=at, quaternion=(1, 0, 0, 0), buttons=HAND.buttons))
    pose = trial.scene.graph["cup"].world_pose
    if "hinge" in line:
        return bool(np.allclose(pose.translation, [1, 0, 0.5], atol=1e-6))
    return bool(pose.translation[0] > 1.2 and abs(pose.translation[2] - 0.5) < 1e-6)


def check_recorded(folder: Path) -> bool:
    trial = Trial(folder, 'record cup clip key k type reflect', 'position cup "(0,0,3)" key m',
                  'position cup "(0,0,1)" key b', "play clip key p")  # fmt: skip
    trial.run(2, "k").run(1, "k", "m").run(2, "k").run(1).press("b").press("p", then=20)
    return place_of(trial, "cup") == [0.0, 0.0, 3.0]


def check_collision(folder: Path) -> bool:
    """The cup lies in the zone from the start, and off the floor."""
    elsewhere = Trial(folder, "hide zone collision cup floor").run(2)
    return elsewhere.sees("zone") and not Trial(folder, LINES[46]).run(2).sees("floor")


def check_plugin(folder: Path) -> bool:
    (folder / "mine.py").write_text(PLUGIN)
    trial = Trial(folder, 'appl init mine.so:init "abc"', "appl loop mine.so:loop",
                  "appl exit mine.so:exit", 'appl callback mine.so:ring "x" key k')  # fmt: skip
    calls = trial.scene.plugins["mine"].functions["init"].__globals__["calls"]
    trial.press()
    trial.scene.plugins.close()
    return (
        calls[0] == ("init", "abc")
        and ("loop",) in calls
        and ("ring", True, "x") in calls
        and calls[-1] == ("exit",)
    )


def check_off(folder: Path) -> bool:
    """A callback gets the state 0 when the key is released, and nothing before."""
    trial = Trial(folder, LINES[50]).run(2, "a")
    calls = trial.scene.plugins["mine"].functions["ring"].__globals__["calls"]
    before = [each for each in calls if each[0] == "ring"]
    trial.run(2)
    return before == [] and ("ring", False, "x") in calls


def check_change(folder: Path) -> bool:
    trial = Trial(folder, LINES[51])
    floor = trial.scene.graph["floor"]
    states = [floor.attributes.wireframe for _ in (trial.run(2, "b"), trial.run(2))]
    return trial.run(2, "b").scene.graph["floor"].attributes.wireframe and states == [False, False]


LINES = (
    INIT,
    "appl loop robotix.so:loop",
    call("step", "(1, 0, 0, 0)"),
    'appl callback robotix.so:step "(1, 0, 0, 0)" key k type reflect event on',
    call("move", "(20,-30,40,10)"),
    call("move", "@50;(20,*,40,*)"),
    call("move", "@50;R 1;(20,0,0,0)"),
    call("stop"),
    'appl init robotix.so:setEventEOS "done"',
    'appl init robotix.so:setEventMove "done"',
    call("printvar"),
    call("setStep", "50"),
    call("setStep", "+10"),
    call("setStep", "-10"),
    call("setEndEffector", "3"),
    call("setFirstJoint", "2"),
    call("setRobot", "2"),
    call("move xyz", "(0.3, 0.1, 0.6)"),
    'appl callback robotix.so:move p2p "(0.3, 0.1, 0.6)" key k type reflect',
    call("displayEllipsoid"),
    'appl init robotix.so:initEllipsoid "red"',
    "appl init robotix.so:initEllipsoid",
    call("save", "path.dat"),
    call("play", "path.dat"),
    call("renew"),
    call("setObstacle", "cup; 0.05"),
    'appl init robotix.so:trackInit "spacemouse"',
    'appl init robotix.so:trackInitScale "0.5"',
    call("trackInitDampingFactor", "0.1"),
    call("trackToggle"),
    call("trackSetScale", "0.5"),
    call("trackExit"),
    "grab cup glove button glove pinch type reflect",
    "material cup red key k",
    "hide cup key k",
    "show cup key k",
    'position cup "(0.5, 1, 2)" key k',
    "wireframe cup key k",
    "sweep cup key k type reflect",
    "record cup clip key k type reflect",
    "play clip key p",
    'gravity cup floor "(0,0,-1)" key k',
    'hinge cup glove "(0,0,1)" -90 90 button glove pinch type reflect',
    'slide cup glove "(1,0,0)" 0 0.5 button glove pinch type reflect',
    'path cup glove "(0,0,0) (2,0,0)" button glove pinch type reflect',
    "hide cup button joystick trigger",
    "hide floor collision cup zone",
    "start_timer beat 0.05 key k",
    "hide cup timer beat",
    'hide cup appinput "done"',
    'appl callback mine.so:ring "x" key a event off',
    "wireframe floor key b event change",
    'appl init mine.so:init "abc"',
    "appl loop mine.so:loop",
    "appl exit mine.so:exit",
    'appl callback mine.so:ring "x" key k',
    'snapshot "view.png" key k',
)


def simple(line: str, found: Callable[[Trial], object], expected: object) -> Check:
    """Press k once, wait a little, and compare."""
    return lambda folder: found(Trial(folder, line).press(then=5)) == expected


CHECKS: dict[str, Check] = {
    INIT: lambda folder: Trial(folder, INIT).robot.model.n_dof == 4,
    LINES[1]: lambda folder: Trial(folder, LINES[1]).run(3).scene.tick == 3,
    call("step", "(1, 0, 0, 0)"): simple(LINES[2], lambda t: t.degrees, [1.0, 0.0, 0.0, 0.0]),
    LINES[3]: check_reflected_step,
    LINES[4]: lambda folder: moved_by(folder, LINES[4], 400) == [20.0, -30.0, 40.0, 10.0],
    LINES[5]: lambda folder: moved_by(folder, LINES[5], 60) == [20.0, 0.0, 40.0, 0.0],
    LINES[6]: lambda folder: moved_by(folder, LINES[6], 60) == [20.0, 0.0, 0.0, 0.0],
    call("stop"): check_stop,
    LINES[8]: lambda folder: check_signal(folder, LINES[8]),
    LINES[9]: lambda folder: check_signal(folder, LINES[9]),
    call("printvar"): simple(LINES[10], lambda t: any("j1" in each for each in t.said), True),
    call("setStep", "50"): simple(LINES[11], lambda t: t.robot.move_ticks, 50),
    call("setStep", "+10"): lambda folder: change_of_steps(folder, LINES[12]) == 10,
    call("setStep", "-10"): lambda folder: change_of_steps(folder, LINES[13]) == -10,
    call("setEndEffector", "3"): simple(LINES[14], lambda t: t.robot.chain.last, 3),
    call("setFirstJoint", "2"): simple(LINES[15], lambda t: t.robot.chain.first, 2),
    call("setRobot", "2"): check_second_robot,
    LINES[17]: check_xyz,
    LINES[18]: check_p2p,
    call("displayEllipsoid"): lambda folder: check_ellipsoid(folder, call("displayEllipsoid")),
    LINES[20]: lambda folder: check_ellipsoid(folder, LINES[20]),
    LINES[21]: lambda folder: check_ellipsoid(folder, LINES[21]),
    call("save", "path.dat"): check_path_file,
    call("play", "path.dat"): check_path_file,
    call("renew"): check_renewed,
    call("setObstacle", "cup; 0.05"): simple(
        LINES[25], lambda t: t.robot.avoidance and t.robot.avoidance.distances, {"cup": 0.05}
    ),
    LINES[26]: lambda folder: check_device(folder).robot.tracking is not None,
    LINES[27]: lambda folder: scale_of(Trial(folder, LINES[27], TRACK).press()) == 0.5,
    LINES[28]: simple(LINES[28], lambda t: t.robot.solvers.damping.k, 0.1),
    call("trackToggle"): check_tracking,
    LINES[30]: lambda folder: scale_of(check_device(folder, LINES[30])) == 0.5,
    call("trackExit"): lambda folder: check_device(folder, LINES[31]).robot.tracking is None,
    LINES[32]: check_grab,
    LINES[33]: simple(LINES[33], lambda t: material_of(t, "cup"), "red"),
    "hide cup key k": simple("hide cup key k", lambda t: t.sees("cup"), False),
    "show cup key k": simple("show cup key k", lambda t: t.sees("cup"), True),
    LINES[36]: simple(LINES[36], lambda t: place_of(t, "cup"), [0.5, 1.0, 2.0]),
    "wireframe cup key k": simple(
        "wireframe cup key k", lambda t: t.scene.graph["cup"].attributes.wireframe, True
    ),
    LINES[38]: lambda folder: "trace of cup" in swept(folder).scene.graph,
    LINES[39]: check_recorded,
    "play clip key p": check_recorded,
    LINES[41]: lambda folder: place_of(Trial(folder, LINES[41]).press(then=20), "cup")[2] < 0.49,
    LINES[42]: lambda folder: check_constraint(folder, LINES[42]),
    LINES[43]: lambda folder: check_constraint(folder, LINES[43]),
    LINES[44]: lambda folder: check_constraint(folder, LINES[44]),
    LINES[45]: lambda folder: not Trial(folder, LINES[45]).run(2, joystick=TRIGGER).sees("cup"),
    LINES[46]: check_collision,
    LINES[47]: lambda folder: check_timer(folder),
    LINES[48]: lambda folder: check_timer(folder),
    LINES[49]: lambda folder: not Trial(folder, LINES[49], EMIT).press(then=3).sees("cup"),
    LINES[50]: check_off,
    LINES[51]: check_change,
    LINES[52]: check_plugin,
    LINES[53]: check_plugin,
    LINES[54]: check_plugin,
    LINES[55]: check_plugin,
    LINES[56]: lambda folder: any("view.png" in s for s in Trial(folder, LINES[56]).press().said),
}  # fmt: skip


def change_of_steps(folder: Path, line: str) -> int:
    trial = Trial(folder, line)
    before = trial.robot.move_ticks
    return trial.press().robot.move_ticks - before


def scale_of(trial: Trial) -> float | None:
    assert trial.robot.tracking is not None
    return trial.robot.tracking.options.scale


def place_of(trial: Trial, node: str) -> list[float]:
    place: list[float] = trial.scene.graph[node].pose.translation.tolist()
    return place


def material_of(trial: Trial, node: str) -> str:
    material = trial.scene.graph[node].attributes.material
    return "" if material is None else material.name


def swept(folder: Path) -> Trial:
    trial = Trial(folder, LINES[38], 'position cup "(0.5, 1, 2)" key m')
    return trial.run(2, "k").run(2, "k", "m").run(2, "k")


def check_timer(folder: Path) -> bool:
    trial = Trial(folder, LINES[47], LINES[48]).press()
    return trial.sees("cup") and not trial.run(20).sees("cup")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "robot.cfg").write_text(ROBOT)
    (tmp_path / "room.nodes.toml").write_text(SOLID_NODES)
    (tmp_path / "mine.py").write_text(PLUGIN)
    return tmp_path


def test_the_docs_list_these_lines() -> None:
    table = DOCS.read_text().split("## Every line of the original document")[1].split("\n## ")[0]
    listed = re.findall(r"^\| `(.*?)` \|", table, re.MULTILINE)
    assert [line.replace("\\|", "|") for line in listed] == list(LINES)
    assert set(LINES) == set(CHECKS)


@pytest.mark.parametrize("line", LINES)
def test_a_line_does_what_it_says(line: str, folder: Path) -> None:
    assert CHECKS[line](folder)
