"""Any room is saved as a file that says the same, and any text is written as it is read."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from robotix.authoring import load_scene, save_scene
from robotix.authoring.save.comparing import differences
from robotix.files.yaml.parser import parse_yaml
from robotix.files.yaml.write import to_yaml
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere
from robotix.model import Visual
from robotix.model.robots import load
from robotix.scene.commands.basic import Emit, Repeat, Say, StartTimer, Together, Wait
from robotix.scene.events.events import (
    Axis,
    Button,
    ButtonHeld,
    ClientConnected,
    Collision,
    RegionEntry,
    RobotMoves,
    Signal,
    Source,
    Timer,
)
from robotix.scene.graph.content import Attributes, Content, Light, Material, Region, Viewpoint
from robotix.scene.scene import Command, Scene

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
    st.builds(ButtonHeld, st.just("stick"), names, sizes),
    st.builds(Axis, st.just("stick"), st.integers(0, 5), numbers.filter(bool)),
    st.builds(Timer, names),
    st.builds(Signal, texts),
    st.builds(ClientConnected),
    st.just(RobotMoves("arm")),
    st.just(Collision("arm", "*")),
    st.just(RegionEntry("zone", "arm/flange")),
)
commands: st.SearchStrategy[Command] = st.recursive(
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
    rate, seed = draw(st.sampled_from([60, 120, 1000])), draw(st.integers(0, 99))
    scene = Scene(dt=1 / rate, seed=seed, name=draw(texts))
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
    for source, command in draw(st.lists(st.tuples(sources, commands), max_size=4)):
        scene.on(source, command, mode=draw(st.sampled_from(["on", "off", "change", "reflect"])))
    return scene


@settings(max_examples=20)
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
