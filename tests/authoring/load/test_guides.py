"""Hinges and slides as properties of objects, and the furniture that has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import check_scene, load_scene
from robotix.authoring.rooms import examples_folder
from robotix.authoring.save.save import save_room
from robotix.geometry import Array
from robotix.scene import Inputs, Reading, Scene
from robotix.scene.commands.handles import hand_command_of

FURNITURE = examples_folder() / "scenes" / "furniture"
ROOM = """robotix: 1
devices: {glove: hand}
objects:
  door: {box: [0.04, 0.8, 2], at: [0, 0.4, 1], hinge: {origin: [0, -0.4, 0], upper_deg: 90}}
  handle: {sphere: 0.03, at: [-0.05, 0.3, 0], on: door}
  drawer: {box: [0.4, 0.4, 0.2], at: [2, 0, 0.5], slide: {axis: [1, 0, 0], upper: 0.3}}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "room.yaml").write_text(ROOM)
    return load_scene(tmp_path / "room.yaml")


def lead(scene: Scene, node: str, start: Array, end: Array) -> None:
    """Grip a node with a hand, move the hand, and let go."""
    for k, share in enumerate(np.linspace(0.0, 1.0, 60)):
        x, y, z = (start + share * (end - start)).tolist()
        hand = Reading(position=(x, y, z), quaternion=(1, 0, 0, 0))
        lines = (f"grab {node}; glove",) if k == 1 else ()
        scene.step(Inputs(devices={"glove": hand}, commands=lines))
    scene.step(Inputs(commands=("let_go glove",)))


def test_any_hand_opens_a_door_by_its_handle_and_no_farther(scene: Scene) -> None:
    handle = scene.graph["handle"].world_position
    lead(scene, "handle", handle, np.array([-2.0, -1.0, 1.0]))
    turn = scene.graph["door"].world_pose.rotation
    assert np.degrees(np.arctan2(turn[1, 0], turn[0, 0])) == pytest.approx(90.0, abs=1e-6)
    hinge = scene.graph["door"].world_pose.apply(np.array([0.0, -0.4, 0.0]))
    np.testing.assert_allclose(hinge, [0, 0, 1], atol=1e-9)


def test_a_drawer_moves_along_its_slide(scene: Scene) -> None:
    lead(scene, "drawer", np.array([2.2, 0.0, 0.5]), np.array([2.35, 0.4, 0.9]))
    x, y, z = scene.graph["drawer"].world_position
    assert x == pytest.approx(2.15, abs=0.01)
    assert (y, z) == pytest.approx((0.0, 0.5), abs=1e-9)
    lead(scene, "drawer", np.array([2.35, 0.0, 0.5]), np.array([4.0, 0.0, 0.5]))
    assert scene.graph["drawer"].world_position[0] == pytest.approx(2.3, abs=1e-9)


def test_properties_are_saved(scene: Scene, tmp_path: Path) -> None:
    save_room(scene, "copy.yaml")
    again = load_scene(tmp_path / "copy.yaml")
    assert again.assets.guides == scene.assets.guides


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("hinge: {lower_deg: 20, upper_deg: 30}", "lower_deg"),
        ("hinge: {axis: [0, 0, 0]}", "axis"),
        ("slide: {upper: -1}", "upper"),
        ("hinge: {}, slide: {}", "one of the two"),
    ],
)
def test_wrong_guides_are_refused(entry: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "room.yaml"
    path.write_text(f"robotix: 1\nobjects:\n  lid: {{box: [1, 1, 1], {entry}}}\n")
    (problem,) = check_scene(path)
    assert words in str(problem) and problem.line == 3


@pytest.mark.parametrize("file", sorted(path.name for path in FURNITURE.glob("*.yaml")))
def test_every_piece_of_furniture_stands_on_the_floor(file: str) -> None:
    assert check_scene(FURNITURE / file) == []
    scene = load_scene(FURNITURE / file)
    scene.graph.update()
    lowest = min(
        float(
            (node.world_pose @ solid.pose).translation[2]
            - abs(solid.pose.rotation[2]) @ solid.size / 2
        )
        for node in scene.graph
        for solid in node.solids
        if hasattr(solid, "size")
    )
    assert lowest == pytest.approx(0.0, abs=0.05)


def test_a_room_is_furnished_by_includes() -> None:
    scene = load_scene(FURNITURE.parent / "furnished.yaml")
    for name in ("front_leaf", "back_handle", "low_drawer", "low_handle"):
        assert hand_command_of(scene, scene.graph[name]) is not None
    assert hand_command_of(scene, scene.graph["table"]) is None
    assert {"left_chair", "right_chair", "shelf"} <= set(scene.graph.names)
