"""Rooms are saved as files that say the same, and keep what their authors wrote."""

import math
import os
import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import load_scene, save_scene
from robotix.authoring.save.comparing import differences
from robotix.authoring.save.entries import start_entry
from robotix.errors import BadFile
from robotix.geometry import Box, Pose
from robotix.model import Visual
from robotix.model.robots import load
from robotix.scene.commands.basic import InTurn, Say, Wait
from robotix.scene.commands.plugins import CallPlugin
from robotix.scene.events.events import (
    Event,
    Signal,
    Timer,
)
from robotix.scene.graph.content import Material
from robotix.scene.history import AddNode, History, MoveNode
from robotix.scene.scene import Scene

SCENES = Path(__file__).parents[3] / "examples" / "scenes"
TEXT = """\
# my room
robotix: 1

objects:   # what is in it
  table: {box: [1, 1, 0.1], at: [1, 0, 0.7]}   # oak
  cup:
    cylinder: [0.04, 0.1]   # small
    on: table

    # stands at the edge
    at: [0.4, 0, 0.1]
  lamp:   {light: point}


  plant: {sphere: 0.2}  # green

rules:
  # greet
  - when: {key: a}
    do: {say: hello}   # kindly
  - {when: {key: b}, do: {say: bye}}
robots: {arm: scara, other: {model: scara, at: [2, 0, 0]}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "room.yaml"
    file.write_text(TEXT)
    return file


def saved(scene: Scene, path: Path) -> str:
    save_scene(scene)
    again = load_scene(path)
    assert list(differences(scene, again, path.parent)) == []
    return path.read_text()


@pytest.mark.parametrize("source", sorted(SCENES.glob("*.yaml")), ids=lambda path: path.stem)
def test_nothing_changed_nothing_written(source: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(SCENES, tmp_path / "scenes"))
    before = {path: path.read_bytes() for path in home.rglob("*.yaml")}
    save_scene(load_scene(home / source.name))
    assert {path: path.read_bytes() for path in home.rglob("*.yaml")} == before


@pytest.mark.parametrize("source", sorted(SCENES.glob("*.yaml")), ids=lambda path: path.stem)
def test_a_room_can_be_saved_after_it_ran(source: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(SCENES, tmp_path / "scenes"))
    scene = load_scene(home / source.name)
    for _ in range(100):
        scene.step()
    save_scene(scene)
    assert list(differences(scene, load_scene(home / source.name), home)) == []


def test_a_moved_thing_changes_its_place_only(path: Path) -> None:
    scene = load_scene(path)
    scene.graph["table"].pose = Pose.at(2, 0.5, 0.7)
    scene.graph["cup"].pose = Pose.at(0.4, 0, 0.2, rpy=(0, 0, math.pi / 2))
    expected = TEXT.replace("at: [1, 0, 0.7]", "at: [2, 0.5, 0.7]").replace(
        "    at: [0.4, 0, 0.1]\n", "    at: [0.4, 0, 0.2]\n    rpy_deg: [0, 0, 90]\n"
    )
    assert saved(scene, path) == expected


def test_several_keys_come_to_a_thing_that_had_none(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text("robotix: 1\nobjects:\n  a: {}  # first\n")
    scene = load_scene(path)
    scene.graph["a"].pose = Pose.at(1, 2, 3, rpy=(0, 0, math.pi / 2))
    scene.graph["a"].set(visible=False)
    said = "a: {at: [1, 2, 3], rpy_deg: [0, 0, 90], visible: false}  # first\n"
    assert saved(scene, path) == f"robotix: 1\nobjects:\n  {said}"


def test_a_thing_can_come_go_and_change(path: Path) -> None:
    scene = load_scene(path)
    graph = scene.graph
    graph.remove("plant")
    graph["lamp"].set(visible=False)
    graph["cup"].set(material=Material((1.0, 0.0, 0.0)))
    solid = Box(np.array([1.0, 2.0, 3.0]))
    graph.add("new thing", parent="table", solids=[solid], visuals=[Visual(solid)])
    expected = (
        TEXT.replace(
            "  plant: {sphere: 0.2}  # green\n", "  new thing: {box: [1, 2, 3], on: table}\n"
        )
        .replace("{light: point}", "{light: point, visible: false}")
        .replace("at: [0.4, 0, 0.1]\n", 'at: [0.4, 0, 0.1]\n    material: {colour: "#ff0000"}\n')
    )
    assert saved(scene, path) == expected


def test_edits_of_a_user_are_saved_and_their_undoing_too(path: Path) -> None:
    scene = load_scene(path)
    history = History(scene.graph)
    history.do(MoveNode("table", Pose.at(0, 0, 1)))
    history.do(AddNode("box", solids=(), visuals=()))
    assert "at: [0, 0, 1]" in saved(scene, path) and "box: {}" in path.read_text()
    history.undo()
    history.undo()
    assert saved(scene, path) == TEXT


def test_robots_are_saved_with_their_posture(path: Path) -> None:
    scene = load_scene(path)
    scene.robots["arm"].set_q([math.pi / 2, 0, 0.1, 0])
    scene.robots["other"].node.set(wireframe=True)
    text = saved(scene, path)
    assert "arm: {model: scara, q_deg: [90, 0, 0.1, 0]}" in text
    assert "other: {model: scara, at: [2, 0, 0], wireframe: true}" in text


def test_rules_come_and_go(path: Path) -> None:
    scene = load_scene(path)
    hello = next(rule for rule in scene.rules if rule.command == Say("hello"))
    scene.rules.remove(hello)
    scene.on(Timer("tea"), InTurn((Say("ready"), Wait(2.0))), name="tea time")
    text = saved(scene, path)
    assert "hello" not in text and "# greet" in text and "{say: bye}" in text
    said = "{when: {timer: tea}, do: [{say: ready}, {wait: 2}], name: tea time}"
    assert f"  - {said}\n" in text


def test_what_a_rule_changed_for_a_while_is_not_saved(path: Path) -> None:
    from robotix.scene.commands.attaching import Attach
    from robotix.scene.commands.attributes import SetColour

    scene = load_scene(path)
    on = Event(Signal("x"))
    Attach("cup", "arm/flange")(scene, on)
    SetColour("cup", (1.0, 0.0, 0.0))(scene, on)
    assert saved(scene, path) == TEXT


def test_what_was_included_is_saved_where_it_stands(tmp_path: Path) -> None:
    part, main = tmp_path / "part.yaml", tmp_path / "main.yaml"
    part.write_text("robotix: 1\nobjects:\n  a: {at: [0, 0, 0]}  # first\n")
    main.write_text("robotix: 1\ninclude: part.yaml\nobjects:\n  b: {on: a}\n")
    scene = load_scene(main)
    scene.graph["a"].pose = Pose.at(1, 0, 0)
    before = main.read_text()
    save_scene(scene)
    assert part.read_text() == "robotix: 1\nobjects:\n  a: {at: [1, 0, 0]}  # first\n"
    assert main.read_text() == before


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("robotix: 1\n", "robotix: 1\n\nobjects:\n  n: {at: [1, 2, 3]}\n"),
        ("robotix: 1", "robotix: 1\n\nobjects:\n  n: {at: [1, 2, 3]}\n"),
        ("robotix: 1\nobjects:\nname: x\n",
         "robotix: 1\nobjects:\n  n: {at: [1, 2, 3]}\nname: x\n"),
        ("robotix: 1\nobjects: {}\n", "robotix: 1\nobjects: \n  n: {at: [1, 2, 3]}\n"),
        ("robotix: 1\nobjects: {a: }\n", "robotix: 1\nobjects: {a: , n: {at: [1, 2, 3]}}\n"),
        ("robotix: 1\r\nobjects:\r\n  a:\r\n",
         "robotix: 1\r\nobjects:\r\n  a:\r\n  n: {at: [1, 2, 3]}\r\n"),
        ("robotix: 1\nobjects:\n  a:\n    sphere: 1\n# end\n",
         "robotix: 1\nobjects:\n  a:\n    sphere: 1\n  n: {at: [1, 2, 3]}\n# end\n"),
        ("robotix: 1\nobjects:\n  a: {sphere: 1,\n    on: world}  # b\n",
         "robotix: 1\nobjects:\n  a: {sphere: 1,\n    on: world}  # b\n  n: {at: [1, 2, 3]}\n"),
    ],
)  # fmt: skip
def test_a_new_thing_finds_its_place_in_any_layout(
    text: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / "room.yaml"
    path.write_bytes(text.encode())
    scene = load_scene(path)
    scene.graph.add("n", pose=Pose.at(1, 2, 3))
    save_scene(scene)
    assert path.read_bytes().decode() == expected


def test_a_function_cannot_be_saved_and_nothing_is_written(path: Path) -> None:
    scene = load_scene(path)
    scene.graph["table"].pose = Pose.at(9, 9, 9)
    scene.on(Timer("x"), lambda scene, event: None, name="mine")
    with pytest.raises(ValueError, match="rule 'mine' cannot be written"):
        save_scene(scene)
    assert path.read_text() == TEXT and os.listdir(path.parent) == ["room.yaml"]


def test_a_rule_that_names_what_is_gone_stops_the_saving(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    text = "robotix: 1\nobjects: {a: {}}\nrules: [{when: {key: x}, do: {hide: a}}]\n"
    path.write_text(text)
    scene = load_scene(path)
    scene.graph.remove("a")
    with pytest.raises(BadFile, match="no node 'a'"):
        save_scene(scene)
    assert path.read_text() == text


def test_a_full_disk_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = load_scene(path)
    scene.graph["table"].pose = Pose.at(9, 9, 9)

    def fail(descriptor: int) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space"):
        save_scene(scene)
    assert path.read_text() == TEXT and os.listdir(path.parent) == ["room.yaml"]


def test_saving_under_another_name(path: Path) -> None:
    scene = load_scene(path)
    other = path.with_name("other.yaml")
    save_scene(scene, other)
    assert other.read_text() == TEXT == path.read_text() and scene.files.source == other
    with pytest.raises(ValueError, match=r"\.yaml"):
        save_scene(scene, path.with_suffix(".txt"))
    with pytest.raises(ValueError, match="say where"):
        save_scene(Scene())


PLUGIN = "def init(args): pass\ndef beep(state, args): pass\n"


def test_the_name_is_kept_and_saved(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text("robotix: 1\nname: Tea room   # for two\n")
    scene = load_scene(path)
    assert scene.name == "Tea room"
    scene.name = "Coffee: room"
    assert saved(scene, path) == 'robotix: 1\nname: "Coffee: room"   # for two\n'
    new = Scene(name="Hall")
    save_scene(new, path)
    assert path.read_text() == "robotix: 1\nname: Hall\n" and load_scene(path).name == "Hall"


def test_what_was_there_before_is_kept_once(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text("robotix: 1\nname: Mine\n")
    scene = load_scene(path)
    save_scene(scene)
    assert not path.with_name("room.yaml.bak").exists()  # nothing has changed
    fresh = Scene(name="New")
    save_scene(fresh, path)
    fresh.name = "Newer"
    save_scene(fresh)
    assert path.with_name("room.yaml.bak").read_text() == "robotix: 1\nname: Mine\n"
    assert not path.with_name("room.yaml.bak2").exists()
    save_scene(Scene(name="Third"), path)
    assert path.with_name("room.yaml.bak2").read_text() == "robotix: 1\nname: Newer\n"


def test_a_room_made_by_a_program_is_saved_with_its_plug_ins(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    (tmp_path / "blink.py").write_text(PLUGIN)
    scene = Scene()
    scene.files.source = path  # where plug-ins are looked for
    scene.plugins.add("blink")
    scene.plugins.add("slow one", "blink.py", args="0.5")
    scene.on(Timer("beat"), CallPlugin("slow one", "beep"))
    save_scene(scene)
    assert "  blink: {module: blink}\n" in path.read_text()
    again = load_scene(path, trust=True)
    found = [(plugin.name, plugin.module, plugin.args) for plugin in again.plugins]
    assert found == [("blink", "blink", ""), ("slow one", "blink.py", "0.5")]
    assert not any(plugin.problem for plugin in again.plugins)


def test_a_plug_in_that_came_later_is_saved_and_none_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    (tmp_path / "blink.py").write_text(PLUGIN)
    text = "robotix: 1\nplugins:\n  first: {module: blink}  # mine\n"
    path.write_text(text)
    scene = load_scene(path)
    save_scene(scene)
    assert path.read_text() == text
    scene.plugins.add("second", "blink", args="x")
    save_scene(scene)
    assert path.read_text() == text + "  second: {module: blink, args: x}\n"
    scene.plugins.close()  # they have left, but the file still names them
    save_scene(scene)
    assert [plugin.name for plugin in load_scene(path).plugins] == ["first", "second"]


def test_a_plug_in_from_elsewhere_stops_the_saving(tmp_path: Path) -> None:
    (tmp_path / "blink.py").write_text(PLUGIN)
    (tmp_path / "other").mkdir()
    scene = Scene()
    scene.files.source = tmp_path / "room.yaml"
    scene.plugins.add("blink")
    with pytest.raises(BadFile, match="no plug-in 'blink'"):
        save_scene(scene, tmp_path / "other" / "room.yaml")
    assert not (tmp_path / "other" / "room.yaml").exists()


def test_the_start_is_kept_command_by_command(tmp_path: Path) -> None:
    text = "robotix: 1\nstart:\n  - {in_turn: {do: [{wait: 1}, {say: a}]}}\n  - say: b\n"
    (tmp_path / "room.yaml").write_text(text)
    scene = load_scene(tmp_path / "room.yaml")
    save_scene(scene)
    assert (tmp_path / "room.yaml").read_text() == text
    scene.files.source = None
    save_scene(scene, tmp_path / "new.yaml")
    assert start_entry(load_scene(tmp_path / "new.yaml")) == start_entry(scene)


class Built(Exception):
    """A room is complete."""


@pytest.mark.parametrize("name", ["08_door", "09_falling_ball", "11_obstacle_in_a_room"])
def test_rooms_of_programs_are_saved(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms: list[Scene] = []

    def step(scene: Scene, *args: object) -> None:
        rooms.append(scene)
        raise Built

    monkeypatch.setattr(Scene, "step", step)
    with pytest.raises(Built):
        runpy.run_path(str(SCENES.parent / f"{name}.py"), run_name="__main__")
    (scene,) = rooms
    save_scene(scene, tmp_path / "room.yaml")
    again = load_scene(tmp_path / "room.yaml")
    assert not list(differences(scene, again, tmp_path))
    assert all(node.visuals for node in again.graph if node.solids and node.robot is None)


def test_a_robot_that_was_scaled_is_refused(path: Path) -> None:
    scene = load_scene(path)
    scene.graph.local[scene.graph["arm"].row, 12] = 2.0
    scene.graph.mark_moved()
    with pytest.raises(ValueError, match="'arm' is of scale 2"):
        save_scene(scene)
    assert path.read_text() == TEXT


def test_a_model_of_ones_own_is_refused(tmp_path: Path) -> None:
    scene = Scene()
    model = load("scara")
    scene.add_robot("arm", type(model)("mine", model.bodies))
    with pytest.raises(ValueError, match="model of its own"):
        save_scene(scene, tmp_path / "room.yaml")
