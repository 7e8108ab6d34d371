"""Attributes: what commands change about nodes, and what is left when they are off again."""

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from support.hands import problems

from robotix.geometry import Pose, Sphere
from robotix.model import Visual
from robotix.scene.commands.attributes import Hide, SetAttribute, SetColour, Show, Wireframe
from robotix.scene.events.events import Signal
from robotix.scene.graph.content import Material
from robotix.scene.scene import Command, Scene

GO = Signal("go")


def run(scene: Scene, *states: bool) -> None:
    """Let the signal switch in one tick after the other."""
    for state in states:
        scene.emit("go", state=state)
        scene.step()


def room(*commands: Command) -> Scene:
    """Return a room with a red cup and its handle, and rules that follow `go`."""
    scene = Scene()
    cup = scene.graph.add("cup", visuals=[Visual(Sphere(0.1), (1.0, 0.0, 0.0, 0.5))])
    scene.graph.add("handle", parent=cup)
    scene.assets.materials["gold"] = Material((1.0, 0.8, 0.0), metalness=1.0, name="gold")
    for command in commands:
        scene.on(GO, command, mode="reflect")
    return scene


def looks(scene: Scene, name: str = "cup") -> Any:
    return scene.graph[name].attributes


def test_show_hide_and_wireframe_follow_the_event() -> None:
    scene = room(Wireframe("cup"), Hide("cup"), Show("handle"))
    run(scene, True)
    assert (looks(scene).wireframe, looks(scene).visible) == (True, False)
    run(scene, False)
    assert (looks(scene).wireframe, looks(scene).visible) == (False, True)
    assert not looks(scene, "handle").visible


def test_set_restores_what_was_before() -> None:
    scene = room(
        SetAttribute(
            "cup", visible=False, collidable=False, pickable=False, at=(1, 2, 3), rpy=(0, 0, 1)
        )
    )
    scene.graph["cup"].pose = Pose.at(0, 0, 5)
    before, pose = looks(scene), scene.graph["cup"].pose.matrix
    run(scene, True)
    assert not (looks(scene).visible or looks(scene).collidable or looks(scene).pickable)
    assert not (looks(scene, "handle").collidable or looks(scene, "handle").pickable)
    there = Pose.at(1, 2, 3, rpy=(0, 0, 1)).matrix
    np.testing.assert_allclose(scene.graph["cup"].pose.matrix, there, atol=1e-12)
    run(scene, False)
    assert looks(scene) == before
    np.testing.assert_array_equal(scene.graph["cup"].pose.matrix, pose)


def test_colour_reaches_the_branch_and_keeps_the_rest() -> None:
    scene = room(SetColour("cup", (0.0, 1.0, 0.0)))
    run(scene, True)
    assert looks(scene).material == Material((0.0, 1.0, 0.0), 0.5)
    assert looks(scene, "handle").material == Material((0.0, 1.0, 0.0))
    run(scene, False)
    assert looks(scene).material is None


def test_a_material_is_one_of_the_scene_and_can_be_changed_in_part() -> None:
    scene = room(SetAttribute("cup", material="gold", opacity=0.3))
    run(scene, True)
    assert looks(scene).material == Material((1.0, 0.8, 0.0), 0.3, 1.0, name="gold")


def test_an_unknown_material_is_named_and_nothing_is_changed() -> None:
    scene = room(SetAttribute("cup", material="gild", visible=False))
    run(scene, True)
    assert "did you mean 'gold'" in problems(scene)[0]
    assert looks(scene).visible


@given(switches=st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=12))
def test_layers_come_off_in_any_order(switches: list[tuple[str, bool]]) -> None:
    colours = {"a": (1.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0), "c": (0.0, 0.0, 1.0)}
    scene = room()
    for name, colour in colours.items():
        scene.on(Signal(name), SetColour("cup", colour), mode="reflect")
    on = list[str]()
    for name, state in switches:
        scene.emit(name, state=state)
        scene.step()
        if name in on:
            on.remove(name)
        if state:
            on.append(name)
        material = looks(scene).material
        assert (material.colour if material else None) == (colours[on[-1]] if on else None)


def test_what_somebody_else_changed_meanwhile_stays() -> None:
    scene = room(SetAttribute("cup", visible=False))
    run(scene, True)
    scene.graph["cup"].set(visible=True)
    run(scene, False, True)
    assert not looks(scene).visible
    run(scene, False)
    assert looks(scene).visible


def test_off_before_on_changes_nothing() -> None:
    scene = room(SetAttribute("cup", visible=False, at=(1, 1, 1)), SetColour("cup", (0, 0, 0)))
    before = looks(scene)
    run(scene, False)
    assert looks(scene) == before
    assert not problems(scene)


def test_a_command_for_a_node_that_is_gone_is_a_problem_and_no_more() -> None:
    scene = room(SetColour("cup", (0, 0, 0)))
    run(scene, True)
    scene.graph.remove("cup")
    run(scene, False)
    assert "no node 'cup'" in problems(scene)[0]
    scene.step()
    assert not problems(scene)
