"""Legacy scripts: plug-ins with arguments, renew, devices by their usual names, every action."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from robotix.authoring import check_scene, load_scene
from robotix.devices import default_device_map, fit_to_scene
from robotix.errors import BadFile
from robotix.scene import Inputs, Reading, Scene

ROBOT = "ROBOT = 1\n{\n" + "".join(
    f"JOINT j{i}\n{{\nAXIS = a{i}\nTYPE = 1\nQMIN = -170\nQMAX = 170\n}}\n" for i in range(1, 5)
)
ROBOT += "}\n"
NODES = """[[node]]
name = "robot"
[[node]]
name = "a1"
parent = "robot"
axis = [0, 0, 1]
[[node]]
name = "j1"
parent = "robot"
"""
for number in (2, 3, 4):
    NODES += f'[[node]]\nname = "a{number}"\nparent = "j{number - 1}"\nxyz = [0, 0, 0.3]\n'
    NODES += "axis = [0, 1, 0]\n"
    NODES += f'[[node]]\nname = "j{number}"\nparent = "j{number - 1}"\nxyz = [0, 0, 0.3]\n'
for name, place in (("cup", "[1, 0, 0.5]"), ("floor", "[0, 0, 0]"), ("zone", "[1, 0, 0.5]")):
    NODES += f'[[node]]\nname = "{name}"\nxyz = {place}\n'
    NODES += '[[node.shape]]\nkind = "sphere"\nradius = 0.1\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "robot.cfg").write_text(ROBOT)
    (tmp_path / "room.nodes.toml").write_text(NODES)
    return tmp_path


def script(folder: Path, *lines: str, file: str = "room.vd2") -> Path:
    (folder / file).write_text("\n".join(('appl init robotix.so:init "robot.cfg"', *lines)))
    return folder / file


def press(scene: Scene, key: str = "k", *, ticks: int = 1) -> None:
    """Press a key for some ticks, then let it go."""
    pressed = Inputs(devices={"keyboard": Reading(buttons=frozenset({key}))})
    for _ in range(ticks):
        scene.step(pressed)
    scene.step()


# -- plug-ins and robots --------------------------------------------------------------------


def test_a_plug_in_is_started_with_its_argument(folder: Path) -> None:
    (folder / "mine.py").write_text("got = []\ndef init(args):\n    got.append(args)\n")
    path = script(folder, 'appl init mine.so:init "abc"')
    assert check_scene(path) == []
    plugin = load_scene(path, trust=True).plugins["mine"]
    assert plugin.is_on
    assert plugin.functions["init"].__globals__["got"] == ["abc"]


def test_renew_reads_the_robot_again(folder: Path) -> None:
    path = script(folder, "appl callback robotix.so:renew key k")
    assert check_scene(path) == []
    scene = load_scene(path)
    (before,) = scene.robots.values()
    assert before.model.upper[0] > 2.9
    (folder / "robot.cfg").write_text(ROBOT.replace("QMAX = 170", "QMAX = 90", 1))
    press(scene)
    (after,) = scene.robots.values()
    assert not [m for m in scene.messages if "Problem" in repr(m)]
    assert after is not before
    assert round(float(after.model.upper[0]), 3) == 1.571


@pytest.mark.parametrize("device", ["spacemouse", "joystick", "flystick", "glove"])
def test_devices_by_their_usual_names_are_served(device: str, folder: Path) -> None:
    path = script(folder, f'appl callback robotix.so:trackInit "{device}" key k')
    assert check_scene(path) == []
    scene = load_scene(path)
    assert device in scene.devices
    served = fit_to_scene(default_device_map(), scene.devices).logical[device]
    assert served.kind == scene.devices[device]
    assert served.from_


def test_a_button_of_the_joystick_triggers(folder: Path) -> None:
    scene = load_scene(script(folder, "hide cup button joystick trigger"))
    scene.step(Inputs(devices={"joystick": Reading(buttons=frozenset({"trigger"}))}))
    assert not scene.graph["cup"].attributes.visible


def test_the_ellipsoid_takes_a_colour(folder: Path) -> None:
    path = script(folder, 'appl init robotix.so:initEllipsoid "red"')
    assert check_scene(path) == []
    assert "red" in load_scene(path).assets.materials


# -- actions and events ---------------------------------------------------------------------

ACTIONS: dict[str, tuple[str, Callable[[Any], object]]] = {
    "material": ("material cup red key k", lambda s: s.graph["cup"].attributes.material.name),
    "position": (
        'position cup "(0.5, 1, 2)" key k',
        lambda s: s.graph["cup"].pose.translation.tolist(),
    ),
    "rotation": (
        'rotation cup "(0, 0, 90)" key k',
        lambda s: [round(v, 6) for v in s.graph["cup"].pose.rpy.tolist()],
    ),
    "region": ("hide cup region zone cup", lambda s: s.graph["cup"].attributes.visible),
    "hold": ("hide cup hold keyboard k 0.02", lambda s: s.graph["cup"].attributes.visible),
}
RESULTS = {
    "material": "red",
    "position": [0.5, 1.0, 2.0],
    "rotation": [0.0, 0.0, 1.570796],
    "region": False,
    "hold": False,
}


@pytest.mark.parametrize("word", ACTIONS)
def test_what_an_action_does(word: str, folder: Path) -> None:
    line, found = ACTIONS[word]
    path = script(folder, line)
    assert check_scene(path) == []
    scene = load_scene(path)
    press(scene, ticks=6)
    assert found(scene) == RESULTS[word]


@pytest.mark.parametrize(
    "line",
    [
        "record cup clip key k",
        "play clip key k",
        "stop_play clip key k",
        'hinge cup glove "(0,0,1)" -90 90 button glove pinch type reflect',
        'slide cup glove "(1,0,0)" 0 0.5 button glove pinch type reflect',
        'path cup glove "(0,0,0) (1,0,0) (1,1,0)" button glove pinch type reflect',
        'gravity cup floor "(0,0,1)" key k',
        "start_timer beat 0.5 again key k",
        "stop_timer beat key k",
        "say hello axis joystick 0 0.5",
        "say hello client *",
    ],
)
def test_every_word_is_understood(line: str, folder: Path) -> None:
    path = script(folder, line)
    assert check_scene(path) == []
    scene = load_scene(path)
    press(scene, ticks=2)


def test_an_animation_is_recorded_and_played(folder: Path) -> None:
    scene = load_scene(
        script(
            folder,
            "record cup clip key r type reflect",
            'position cup "(0, 0, 3)" key m',
            'position cup "(0, 0, 1)" key b',
            "play clip key p",
        )
    )
    held = Inputs(devices={"keyboard": Reading(buttons=frozenset({"r"}))})
    both = Inputs(devices={"keyboard": Reading(buttons=frozenset({"r", "m"}))})
    for inputs in (held, held, both, held, held):
        scene.step(inputs)
    scene.step()
    press(scene, "b")
    press(scene, "p")
    for _ in range(20):
        scene.step()
    assert scene.graph["cup"].pose.translation.tolist() == [0.0, 0.0, 3.0]


def test_scripts_include_others(folder: Path) -> None:
    (folder / "more.vd2").write_text("hide cup key k\n")
    scene = load_scene(script(folder, 'include "more.vd2"'))
    press(scene)
    assert not scene.graph["cup"].attributes.visible
    (folder / "more.vd2").write_text("hide cap key k\n")
    (problem,) = check_scene(folder / "room.vd2")
    assert problem.args[0].endswith("more.vd2") and problem.line == 1
    (folder / "more.vd2").write_text('include "room.vd2"\n')
    (problem,) = check_scene(folder / "room.vd2")
    assert "a second time" in str(problem)


# -- checked as native files are ------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('appl callback robotix.so:setRobot "7" key k', "no robot '7'"),
        ('appl callback robotix.so:move "(1,2,3,4,5,6)" key k', "4"),
        ('appl init robotix.so:initEllipsoid "reddish"', "no material 'reddish'"),
        ('position cup "(1, 2)" key k', "position OBJECT"),
        ('include "../room.vd2"', "outside"),
        ("hide cup hold keyboard k soon", "'soon'"),
    ],
)
def test_check_refuses_what_cannot_work(line: str, fault: str, folder: Path) -> None:
    path = script(folder, line)
    (problem,) = check_scene(path)
    assert fault in str(problem)
    with pytest.raises(BadFile):
        load_scene(path)


@pytest.mark.parametrize(
    ("line", "warning"),
    [
        ("hide cup timer t1", "nothing starts the timer 't1'"),
        ("hide cup appinput nobody", "nothing in this file sends the event 'nobody'"),
        ("hide cup key nosuch", "no key 'nosuch'"),
        ("hide cup button nodevice x", "device 'nodevice' needs a mapping"),
        ('appl exit robotix.so:save "f"', "has no effect"),
    ],
)
def test_check_warns_of_what_never_happens(
    line: str, warning: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING, logger="robotix"):
        assert check_scene(script(folder, line)) == []
    assert any(warning in message for message in caplog.messages), caplog.messages
