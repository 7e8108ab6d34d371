"""What could never work is refused before anything happens; what is hardly meant is warned of."""

import logging
from pathlib import Path

import pytest

from robotix.authoring import check_scene, load_scene
from robotix.errors import BadFile

ROOM = """\
robotix: 1
robots: {arm: kuka_lwr, toy: planar_3r}
devices: {stick: translate3, wheels: drive2, pad: buttons, glove: hand}
objects: {cup: {sphere: 0.1}}
plugins: {blink: blink.py}
"""
PLUGIN = """\
import sys
from pathlib import Path

Path("started").write_text("")  # nobody may run this
def setup(scene): pass
def toggle(state, args): pass
def _hidden(state, args): pass
if sys.platform == "linux":
    def only_here(state, args): pass
else:
    only_there = toggle
class Lamp:
    def shine(self): pass
"""
NEVER = [
    (
        "{move: {to_deg: [1, 2], robot: arm}}",
        "6:46",
        "2 numbers; expected 7 numbers for 'arm'",
    ),
    ("{move: {to_deg: [1, 2]}}", "6:46", "one each for A1"),
    ("{step: {by: [1], robot: arm}}", "6:42", "1 number;"),
    ("{repeat: [{in_turn: [{step: {by: [1], robot: arm}}]}]}", "6:63", "1 number;"),
    ("{move: {to: [0, 0, 0], steps: 0, robot: toy}}", "6:60", "0; expected 1 to 1000000 ticks"),
    ("{move_xyz: {to: [0, 0, 0], steps: -1}}", "6:64", "-1; expected 1 to"),
    ("{move_xyz: [0, 0, 1e6]}", "6:41", "within 10000 m"),
    ("{move_p2p: {to: [0, 0, 1e6]}}", "6:46", "within 10000 m"),
    ("{set_step: 0}", "6:41", "1 to 100000 ticks"),
    ("{set_first_joint: 77}", "6:48", "77; expected 1 to 7, a joint of 'arm'"),
    ("{set_first_joint: [4, toy]}", "6:49", "4; expected 1 to 3, a joint of 'toy'"),
    ("{set_end_effector: 0}", "6:49", "0; expected 1 or more"),
    ("{set_obstacle: [cup, -1]}", "6:51", "0 to 10 m"),
    ("{set_obstacle: {node: cup, distance: 1e5}}", "6:67", "0 to 10 m"),
    ("{track_init: {device: stick, joints: [9]}}", "6:67", "1 to 7"),
    ("{track_init: {device: stick, joints: [0]}}", "6:67", "numbers of 1 or more"),
    ("{track_init: keyboard}", "6:43", "axes or a pose"),
    ("{track_init: pad}", "6:43", "axes or a pose"),
    ("{track_init: [stick, 1e6]}", "6:51", "at most 1000"),
    ("{track_init_scale: 0}", "6:49", "0.0; expected other than 0"),
    ("{track_set_scale: 1e6}", "6:48", "at most 1000"),
    ("{set_damping: -1}", "6:44", "0..100"),
    ("{save: a.txt}", "6:37", ".csv or .mcap"),
    ("{play: {file: a.csv, speed: 0}}", "6:58", "0.001 to 1000"),
    ("{play: {file: other.csv, robot: arm}}", "6:44", "joint"),
    ("{play: broken.csv}", "6:37", "broken.csv"),
    (
        "{grab: [cup, keyboard]}",
        "6:43",
        "'keyboard', which has none",
    ),
    (
        "{hinge: {node: cup, hand: wheels}}",
        "6:56",
        "expected a device with a pose",
    ),
    ("{drag: [link1, pad]}", "6:45", "'pad', which has none; expected a device with a pose"),
    ("{drag: [nobody, glove]}", "6:37", "no body 'nobody'"),
    ("{init_ellipsoid: oak}", "6:47", "no material 'oak'"),
    ("{call: [blink, togle]}", "6:45", "did you mean 'toggle'?"),
    ("{call: [blink, setup]}", "6:45", "no function 'setup'"),
    ("{call: [blink, _hidden]}", "6:45", "no function '_hidden'"),
    ("{call: [blink, shine]}", "6:45", "no function 'shine'"),
]
FINE = [
    "{move: {to_deg: [1, 2, 3]}}",  # may mean the toy, once it is the active one
    "{move: {to_deg: [1, 2, 3], robot: '2'}}",
    "{set_first_joint: 7}",
    "[{save: kept}, {play: kept}]",
    "{track_init: {device: pad, joints: [1]}}",
    "{track_init: wheels}",
    "{grab: [cup, stick]}",
    "{call: [blink, toggle]}",
    "{call: [blink, only_here]}",
    "{call: [blink, only_there]}",
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "blink.py").write_text(PLUGIN)
    (tmp_path / "a.csv").write_text("time,x\n")
    (tmp_path / "broken.csv").write_text("nothing\n")
    (tmp_path / "other.csv").write_text("time [s],knee [rad]\n0,1\n")
    return tmp_path


def write(folder: Path, do: str, *, when: str = "{key: a}") -> Path:
    path = folder / "scene.yaml"
    path.write_text(f"{ROOM}rules: [{{when: {when}, do: {do}}}]\n")
    return path


@pytest.mark.parametrize(("do", "place", "words"), NEVER, ids=[do for do, _, _ in NEVER])
def test_what_could_never_work_is_refused(do: str, place: str, words: str, folder: Path) -> None:
    path = write(folder, do)
    (problem,) = check_scene(path)
    assert f"{path}:{place}:" in str(problem) and words in str(problem)
    with pytest.raises(BadFile):
        load_scene(path)
    assert not (folder / "started").exists()


@pytest.mark.parametrize("do", FINE)
def test_what_may_work_is_not(do: str, folder: Path) -> None:
    assert check_scene(write(folder, do)) == []


def test_a_plugin_that_is_no_python_is_refused(folder: Path) -> None:
    (folder / "blink.py").write_text("def toggle(:\n")
    (problem,) = check_scene(write(folder, "{call: [blink, toggle]}"))
    assert problem.line == 5 and "blink.py, line 1" in str(problem)


def test_a_joint_that_a_robot_has_not_got_is_refused(folder: Path) -> None:
    (problem,) = check_scene(write(folder, "stop", when="{end_of_stroke: [toy, A1]}"))
    assert "no joint 'A1'" in str(problem) and "mount" not in str(problem)


@pytest.mark.parametrize(
    ("robot", "words"),
    [
        (
            "{model: kuka_lwr, q_deg: [0, 300, 0, 0, 0, 0, 0]}",
            "'A2' at 300°; expected -120 to 120°",
        ),
        ("{model: kuka_lwr, q: [0, 0, 0, 0, 0, 0, -9]}", "'A6' at -515.662°"),
        ("{model: scara, q_deg: [0, 0, 9, 0]}", "at 9m; expected"),
        ("{model: scara, q: [0, 0]}", "2 numbers; expected 4"),
    ],
)
def test_a_posture_that_no_joint_can_have_is_refused(
    robot: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(f"robotix: 1\nrobots: {{arm: {robot}}}\n")
    (problem,) = check_scene(path)
    assert words in str(problem)


def test_a_robot_that_is_spoilt_is_not_blamed_on_commands(tmp_path: Path) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(
        "robotix: 1\nrobots: {arm: {model: kuka_lwr, q: [0]}, toy: planar_3r}\n"
        "start: [{move: {to: [0, 0, 0, 0, 0, 0, 0]}}]\n"
    )
    assert [problem.line for problem in check_scene(path)] == [2]


# -- warnings -------------------------------------------------------------------------------

DOUBTS = [
    ("{timer: egg}", "", "nothing starts the timer 'egg'"),
    ("{timer: egg}", "{start_timer: [eg, 1]}", "did you mean 'eg'?"),
    ("{timer: egg}", "{start_timer: [egg, 1]}", ""),
    ("{event: go}", "", "nothing in this file sends the event 'go'"),
    ("{event: go}", "{emit: go}", ""),
    ("{event: go}", "{fall: {node: cup, at_rest: go}}", ""),
    ("{event: go}", "{set_event_move: go}", ""),
    ("{key: Lefft}", "", "did you mean 'Left'?"),
    ("{key: x}", "", ""),
    ("{hold: [keyboard, x, 1]}", "", ""),
    ("{hold: [keyboard, ctrl, 1]}", "", "no key 'ctrl'"),
    ("{button: [stick, trigger]}", "", "a button of kind translate3 (a, b)"),
    ("{button: [stick, b]}", "", ""),
    ("{button: [glove, pinch]}", "", ""),
    ("{button: [pad, anything]}", "", ""),
    ("{axis: [stick, 3, 0.5]}", "", "one from 0 to 2"),
    ("{axis: [keyboard, 0, 0.5]}", "", "a device with axes"),
    ("{axis: [glove, 1, 0.5]}", "", ""),
]


@pytest.mark.parametrize(("when", "start", "words"), DOUBTS)
def test_what_is_hardly_meant_is_warned_of(
    when: str, start: str, words: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "scene.yaml"
    room = ROOM.replace("plugins: {blink: blink.py}\n", "")
    path.write_text(f"{room}rules: [{{when: {when}, do: stop}}]\nstart: [{start}]\n")
    with caplog.at_level(logging.WARNING, logger="robotix"):
        assert check_scene(path) == []
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == bool(words)
    assert all(f"{path}:5:" in line and words in line for line in said)
    caplog.clear()
    load_scene(path)
    assert not caplog.records  # only who asks is told


def test_nothing_is_certain_where_plugins_are(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    check_scene(write(folder, "stop", when="{event: go}"))
    assert not caplog.records


def test_commands_in_a_room_without_robots(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text("robotix: 1\nstart: stop\n")
    assert check_scene(path) == []
    assert "none in this room" in caplog.text


def test_a_fall_onto_what_carries_the_thing_is_refused_by_check(tmp_path: Path) -> None:
    file = tmp_path / "room.yaml"
    file.write_text(
        "robotix: 1\n"
        "objects: {table: {box: [1, 1, 0.1]}, ball: {sphere: 0.1, at: [0, 0, 1], on: table}}\n"
        "start: [{fall: {node: ball, floors: [table]}}]\n"
    )
    faults = check_scene(file)
    assert len(faults) == 1 and "'ball' cannot bounce off 'table', which carries it" in str(
        faults[0]
    )


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("{when: {region: [lamp, cup]}, do: {say: in}}", "'lamp', which has no shape to be in"),
        ("{when: {region: [zone, cup]}, do: {say: in}}", ""),
        ("{when: {key: a}, do: {attach: [cup, cup]}}", "'cup' attached to itself"),
        ("{when: {key: a}, do: {attach: [zone, lamp]}}", "'lamp', which stands on it"),
        ("{when: {key: a}, do: {attach: [cup, zone]}}", ""),
        ("{when: {key: a}, do: {play_clip: dance}}", "nothing records the clip 'dance'"),
    ],
)
def test_names_that_cannot_work_are_warned_of(
    rule: str, words: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "scene.yaml"
    path.write_text(
        "robotix: 1\nobjects:\n  cup: {sphere: 0.1}\n  zone: {box: [1, 1, 1], region: true}\n"
        f"  lamp: {{light: {{kind: point}}, on: zone}}\nrules: [{rule}]\n"
    )
    with caplog.at_level(logging.WARNING, logger="robotix"):
        assert check_scene(path) == []
    assert [words in each for each in caplog.messages] == [True] * bool(words)
