"""A copy of a room is saved as the room itself would be, however the room goes on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.authoring import load_scene
from robotix.authoring.save.comparing import differences
from robotix.authoring.save.save import save_scene
from robotix.geometry import Pose
from robotix.scene.console.console import run_command
from robotix.scene.events.events import Event, Signal
from robotix.scene.room_copy import copy_of_room
from robotix.scene.scene import Scene

ROOM = """
robotix: 1
name: first
robots: {arm: {model: planar_3r, at: [0, 1, 0]}}
people: {anna: {at: [3, 3, 0]}}
devices: {glove: hand}
objects:
  table: {box: [1, 1, 0.1], at: [1, 0, 0.7]}
  cup: {box: [0.1, 0.1, 0.1], at: [0, 0, 0.1], on: table}
rules:
  - {when: {event: red}, mode: reflect, do: {colour: {node: cup, colour: [1, 0, 0]}}}
  - {when: {event: go}, do: {attach: {node: cup, to: arm}}}
"""


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    (tmp_path / "room.yaml").write_text(ROOM)
    return load_scene(tmp_path / "room.yaml")


def change(scene: Scene) -> None:
    """Change all that a file says of a room."""
    for line in (
        "move @1;(10, 20, 30)",
        "place table; (5, 5, 5)",
        "colour table; red",
        "add post; sphere (0.1)",
        "hide cup",
        "keep_posture here",
    ):
        assert not run_command(scene, line)
    scene.robots["arm"].set_q([0.1, 0.2, 0.3])
    scene.robots["arm"].node.pose = Pose(translation=np.array([7.0, 7.0, 7.0]))
    scene.devices["stick"] = "move6"
    scene.on(Signal("new"), scene_rule := next(iter(scene.rules)).command)
    assert scene_rule is not None
    scene.name = "second"
    scene.step()


def test_a_copy_stays_as_the_room_was(scene: Scene, tmp_path: Path) -> None:
    scene.emit(Event(Signal("red"), True))
    scene.emit(Event(Signal("go"), True))
    scene.step()
    scene.robots["arm"].set_q([0.3, 0.2, 0.1])
    save_scene(scene, tmp_path / "now.yaml")
    room = copy_of_room(scene)
    assert not list(differences(room, scene, tmp_path))
    change(scene)
    assert len(set(differences(room, scene, tmp_path))) >= 5
    save_scene(room, tmp_path / "later.yaml")
    assert (tmp_path / "later.yaml").read_text() == (tmp_path / "now.yaml").read_text()


def test_the_room_does_not_notice(scene: Scene) -> None:
    before = scene.graph.structure, scene.graph.moves, scene.graph.touches
    room = copy_of_room(scene)
    assert (scene.graph.structure, scene.graph.moves, scene.graph.touches) == before
    assert all(node.graph is scene.graph for node in scene.graph)
    assert all(node.graph is room.graph for node in room.graph)
    assert {node.name: node.row for node in scene.graph} == {
        node.name: node.row for node in room.graph
    }
    room.graph["cup"].pose = Pose(translation=np.array([9.0, 9.0, 9.0]))
    assert scene.graph["cup"].pose.translation[0] == 0
