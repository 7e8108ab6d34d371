"""Things are added, copied, coloured and deleted by hand, and all of it can be undone."""

from __future__ import annotations

import numpy as np
import pytest

import robotix as rx
from robotix.geometry import Box, Cylinder, Pose, Sphere
from robotix.scene.commands.basic import Say, Together
from robotix.scene.commands.falling import Fall
from robotix.scene.commands.things import users_of
from robotix.scene.console.console import install_console, run_command
from robotix.scene.events.events import Button
from robotix.scene.scene import Scene


def room() -> Scene:
    scene = Scene()
    top = Box(np.array([1.0, 0.6, 0.04]))
    scene.graph.add("table", solids=[top], pose=Pose.at(1, 0, 0.7))
    scene.graph.add("cup_1", parent="table", solids=[Sphere(0.04)], pose=Pose.at(0.1, 0, 0.06))
    scene.graph.add("floor", solids=[Box(np.array([9.0, 9, 0.1]))], pose=Pose.at(0, 0, -0.05))
    scene.add_robot("arm", rx.load("planar_3r"))
    install_console(scene)
    return scene


def run(scene: Scene, line: str) -> str:
    return run_command(scene, line)


def test_a_shape_is_added_where_it_is_said_and_taken_back() -> None:
    scene = room()
    assert run(scene, "add post; cylinder (0.05, 1); (2, 0, 0.5)") == ""
    post = scene.graph["post"]
    assert isinstance(post.solids[0], Cylinder) and len(post.visuals) == 1
    np.testing.assert_allclose(post.world_position, [2, 0, 0.5])
    run(scene, "undo")
    assert "post" not in scene.graph
    run(scene, "redo")
    assert "post" in scene.graph


@pytest.mark.parametrize(
    "line",
    [
        "add post", "add post; cone (1, 2)", "add post; box (1, 2)", "add post; sphere (-1)",
        "add table; sphere (0.1)", "add post; sphere (500)", "add post; sphere (0.1); (1e9, 0, 0)",
        "add post; sphere (nan)", "add ; sphere (0.1)", "copy world", "delete world", "copy arm",
        "delete arm/link_1", "colour arm; red", "colour cup_1; reddish", "colour cup_1",
        "delete nothing",
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_said_and_changes_nothing(line: str) -> None:
    scene = room()
    names = scene.graph.names
    assert run(scene, line) != ""
    assert scene.graph.names == names and not scene.history.can_undo


def test_a_copy_has_all_that_stands_on_it_and_is_beside_it() -> None:
    scene = room()
    assert run(scene, "copy table") == "table_2 is a copy of table."
    copy = scene.graph["table_2"]
    assert [node.name for node in copy.branch()] == ["table_2", "cup_2"]
    np.testing.assert_allclose(copy.world_position, [1, 0.65, 0.7])  # its width and a gap
    run(scene, "undo")
    assert "table_2" not in scene.graph and "cup_2" not in scene.graph
    run(scene, "copy cup_1")
    np.testing.assert_allclose(scene.graph["cup_2"].pose.translation, [0.1, 0.13, 0.06])
    assert scene.graph["cup_2"].parent is scene.graph["table"]


def test_a_colour_is_that_of_the_branch() -> None:
    scene = room()
    assert run(scene, "colour table; #ff8000") == ""
    for name in ("table", "cup_1"):
        material = scene.graph[name].attributes.material
        if scene.graph[name].visuals or name == "table":
            assert material is not None and material.colour == (1.0, 128 / 255, 0.0)
    run(scene, "undo")
    assert scene.graph["table"].attributes.material is None


def test_what_something_needs_is_not_deleted() -> None:
    scene = room()
    scene.on(
        Button("keyboard", "B"), Together((Say("down"), Fall("cup_1", ("floor",)))), name="drop"
    )
    assert "the rule 'drop' needs it" in run(scene, "delete table")
    assert "the rule 'drop' needs it" in run(scene, "delete floor")
    run(scene, "add ball; sphere (0.1); (3, 0, 0)")
    scene.robot("arm").add_obstacle("ball", 0.05)
    assert "keeps clear of it" in run(scene, "delete ball")
    scene.robot("arm").avoidance = None
    assert run(scene, "delete ball") == "" and "ball" not in scene.graph
    run(scene, "undo")
    np.testing.assert_allclose(scene.graph["ball"].world_position, [3, 0, 0])
    assert list(users_of(scene, {"ball"})) == []
