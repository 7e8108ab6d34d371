"""Rooms are saved as files that say the same, and keep what their authors wrote."""

import math
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotix.authoring import load_scene, save_scene
from robotix.authoring.comparing import differences
from robotix.authoring.yaml_text import parse_yaml
from robotix.authoring.yaml_write import to_yaml
from robotix.errors import BadFile
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere
from robotix.model import Visual
from robotix.model.robots import load
from robotix.scene.basic_deeds import Emit, InTurn, Repeat, Say, StartTimer, Together, Wait
from robotix.scene.events import (
    Axis,
    Button,
    Client,
    Collision,
    Event,
    Hold,
    Motion,
    RegionEntry,
    Signal,
    Source,
    Timer,
)
from robotix.scene.history import AddNode, History, MoveNode
from robotix.scene.node import Attributes, Content, Light, Material, Region, Viewpoint
from robotix.scene.rules import Deed
from robotix.scene.scene import Scene

SCENES = Path(__file__).parents[2] / "examples" / "scenes"
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
    hello = next(rule for rule in scene.rules if rule.deed == Say("hello"))
    scene.rules.remove(hello)
    scene.on(Timer("tea"), InTurn((Say("ready"), Wait(2.0))), name="tea time")
    text = saved(scene, path)
    assert "hello" not in text and "# greet" in text and "{say: bye}" in text
    said = "{when: {timer: tea}, do: [{say: ready}, {wait: 2}], name: tea time}"
    assert f"  - {said}\n" in text


def test_what_a_rule_changed_for_a_while_is_not_saved(path: Path) -> None:
    from robotix.scene.attaching import Attach
    from robotix.scene.attributes import Colour

    scene = load_scene(path)
    on = Event(Signal("x"))
    Attach("cup", "arm/flange")(scene, on)
    Colour("cup", (1.0, 0.0, 0.0))(scene, on)
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
    assert other.read_text() == TEXT == path.read_text() and scene.source == other
    with pytest.raises(ValueError, match=r"\.yaml"):
        save_scene(scene, path.with_suffix(".txt"))
    with pytest.raises(ValueError, match="say where"):
        save_scene(Scene())


def test_a_model_of_ones_own_is_refused(tmp_path: Path) -> None:
    scene = Scene()
    model = load("scara")
    scene.add_robot("arm", type(model)("mine", model.bodies))
    with pytest.raises(ValueError, match="model of its own"):
        save_scene(scene, tmp_path / "room.yaml")


# -- random rooms ---------------------------------------------------------------------------

numbers = st.floats(-10, 10, allow_nan=False).map(lambda x: round(x, 3))
sizes = st.floats(0.01, 5).map(lambda x: round(x, 3))
points = st.tuples(numbers, numbers, numbers)
angles = st.floats(-math.pi, math.pi)
poses = st.builds(lambda at, rpy: Pose.at(*at, rpy=rpy), points, st.tuples(angles, angles, angles))
names = st.text(
    st.characters(codec="utf-8", categories=("L", "N", "P", "S")), min_size=1, max_size=8
)
texts = st.text(st.characters(codec="utf-8"), max_size=20)
fractions = st.integers(0, 255).map(lambda x: x / 255)
materials = st.builds(Material, st.tuples(fractions, fractions, fractions), fractions)
shapes: st.SearchStrategy[Shape] = st.one_of(
    st.builds(lambda a, b, c: Box(np.array([a, b, c])), sizes, sizes, sizes),
    st.builds(Sphere, sizes, poses),
    st.builds(Cylinder, sizes, sizes, poses),
    st.builds(Capsule, sizes, sizes),
    st.builds(Halfspace),
)
contents: st.SearchStrategy[Content | None] = st.one_of(
    st.none(),
    st.builds(Light, st.sampled_from(["sun", "point", "ambient"])),
    st.builds(Viewpoint, st.floats(0.1, 3)),
)
attributes = st.builds(
    Attributes, st.none() | materials, st.booleans(), st.booleans(), st.booleans(), st.booleans()
)
sources: st.SearchStrategy[Source] = st.one_of(
    st.builds(Button, st.just("keyboard"), names),
    st.builds(Hold, st.just("stick"), names, sizes),
    st.builds(Axis, st.just("stick"), st.integers(0, 5), numbers),
    st.builds(Timer, names),
    st.builds(Signal, texts),
    st.builds(Client),
    st.just(Motion("arm")),
    st.just(Collision("arm", "*")),
    st.just(RegionEntry("zone", "arm/flange")),
)
deeds: st.SearchStrategy[Deed] = st.recursive(
    st.one_of(
        st.builds(Say, texts),
        st.builds(Wait, sizes),
        st.builds(Emit, names),
        st.builds(StartTimer, names, sizes, st.booleans()),
    ),
    lambda inner: st.one_of(
        st.builds(Together, st.lists(inner, min_size=1, max_size=3).map(tuple)),
        st.builds(Repeat, st.lists(inner, min_size=1, max_size=2).map(tuple), st.integers(1, 9)),
    ),
    max_leaves=4,
)


@st.composite
def rooms(draw: st.DrawFn) -> Scene:
    scene = Scene(dt=1 / draw(st.sampled_from([60, 120, 1000])), seed=draw(st.integers(0, 99)))
    scene.devices["stick"] = "translate3"
    scene.add_robot("arm", load("scara"), pose=draw(poses))
    scene.robots["arm"].set_q(draw(st.lists(angles, min_size=4, max_size=4)))
    scene.graph.add("zone", solids=[Sphere(1.0)], content=Region())
    for name in draw(st.lists(names, max_size=5, unique=True)):
        if name in scene.graph or name == "*":
            continue
        solids = draw(st.lists(shapes, max_size=2))
        scene.graph.add(
            name,
            parent=draw(st.sampled_from(scene.graph.names)),
            pose=draw(st.just(Pose()) | poses),
            scale=draw(st.just(1.0) | sizes),
            solids=solids,
            visuals=map(Visual, solids),
            content=draw(contents),
            attributes=draw(attributes),
        )
    for source, deed in draw(st.lists(st.tuples(sources, deeds), max_size=4)):
        scene.on(source, deed, mode=draw(st.sampled_from(["on", "off", "change", "reflect"])))
    return scene


@settings(max_examples=30)
@given(scene=rooms(), change=st.data())
def test_a_saved_room_is_the_same_room(
    scene: Scene, change: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("rooms") / "room.yaml"
    save_scene(scene, path)
    again = load_scene(path)
    assert list(differences(scene, again, path.parent)) == []
    # and so it is when it was changed
    movable = [node for node in again.graph if node.parent is not None and node.robot is None]
    for node in change.draw(st.lists(st.sampled_from(movable), max_size=3, unique_by=id)):
        node.pose = change.draw(poses)
        node.attributes = change.draw(attributes)
    save_scene(again)
    assert list(differences(again, load_scene(path), path.parent)) == []


plain: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(-(10**14), 10**14),
        st.floats(allow_nan=False, allow_infinity=False),
        texts,
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)


@given(value=plain)
def test_what_is_written_is_read(value: Any) -> None:
    def unpacked(read: Any) -> Any:
        if hasattr(read, "items"):
            return [unpacked(item) for item in read.items]
        if hasattr(read, "entries"):
            return {key: unpacked(entry.value) for key, entry in read.entries.items()}
        return read.value

    read = parse_yaml(f"a: {to_yaml(value)}", path="x").get("a")
    assert unpacked(read) == value
