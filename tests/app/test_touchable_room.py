"""The things of a room, touched by the handle of a device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.app.touchable_room import TouchableRoom
from robotix.authoring import load_scene
from robotix.errors import BadField, UnknownName
from robotix.geometry import Pose
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.environment import FreeDamping
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import OperatorArm
from robotix.scene import Scene

# A table whose top is a mesh of two heights: 0.70 m, and 0.72 m beyond y = 0.1
TOP = """
v -0.4 -0.4 0.66
v 0.4 -0.4 0.66
v 0.4 0.4 0.66
v -0.4 0.4 0.66
v -0.4 -0.4 0.70
v 0.4 -0.4 0.70
v 0.4 0.1 0.70
v -0.4 0.1 0.70
v -0.4 0.1 0.72
v 0.4 0.1 0.72
v 0.4 0.4 0.72
v -0.4 0.4 0.72
f 1 4 3 2
f 5 6 7 8
f 8 7 10 9
f 9 10 11 12
f 1 2 6 5
f 2 3 11 10 7 6
f 3 4 12 11
f 4 1 5 8 9 12
"""
ROOM = """
robotix: 1
objects:
  table: {mesh: top.obj, at: [0.6, 0, 0]}
"""
BASE = Pose(translation=np.array([0.0, 0.0, 0.93]))  # the handle begins at (0.6, 0, 0.73)


def make(tmp_path: Path, room: str = ROOM) -> tuple[Scene, TouchableRoom]:
    (tmp_path / "top.obj").write_text(TOP)
    file = tmp_path / "room.yaml"
    file.write_text(room)
    scene = load_scene(file)
    loop = HapticLoop(
        vishard10(), reference_posture(), arm=OperatorArm(stiffness=0.0, damping=20.0),
        elements=[TouchableRoom.spare_element(), FreeDamping(30.0)],
    )  # fmt: skip
    return scene, TouchableRoom(scene, loop, base=BASE, radius=0.01)


def push(room: TouchableRoom, force: tuple[float, float, float], ticks: int) -> None:
    room.loop.push(force)
    for _ in range(ticks):
        room.step()


def test_the_mesh_of_a_table_is_felt(tmp_path: Path) -> None:
    _, room = make(tmp_path)
    np.testing.assert_array_equal(room.force, 0.0)
    push(room, (0.0, 0.0, -6.0), 180)
    assert room.touched == ("table",)
    np.testing.assert_allclose(room.force, (0.0, 0.0, -6.0), atol=0.1)
    height = (BASE.apply(room.loop.position))[2]
    assert height == pytest.approx(0.70 + 0.01 - 6.0 / 2000.0, abs=1e-3)  # on a spring
    assert room.loop.outcome().reason is StopReason.running


def test_a_step_of_the_mesh_stops_a_motion_along_it(tmp_path: Path) -> None:
    _, room = make(tmp_path)
    push(room, (0.0, 5.0, -6.0), 360)
    y = BASE.apply(room.loop.position)[1]
    assert y == pytest.approx(0.1 - 0.01 + 5.0 / 2000.0, abs=2e-3)
    np.testing.assert_allclose(room.force, (0.0, 5.0, -6.0), atol=0.2)
    assert len(room.tool.contacts) >= 1


def test_things_that_move_are_felt_where_they_are(tmp_path: Path) -> None:
    scene, room = make(tmp_path)
    push(room, (0.0, 0.0, -6.0), 120)
    node = scene.graph["table"]
    for _ in range(30):  # a table that rises by 3 cm
        node.pose = Pose(translation=node.pose.translation + np.array([0, 0, 1e-3]))
        room.step()
    push(room, (0.0, 0.0, -6.0), 120)
    assert BASE.apply(room.loop.position)[2] == pytest.approx(0.737, abs=2e-3)


def test_free_things_are_pushed(tmp_path: Path) -> None:
    room_file = """
robotix: 1
physics: {friction: 0.3}
objects:
  floor: {box: [2, 2, 0.1], at: [0.6, 0, 0.65]}
  box: {box: [0.2, 0.2, 0.1], at: [0.72, 0, 0.75], body: {mass: 1}}
"""
    scene, room = make(tmp_path, room_file)
    room.loop.push((6.0, 0.0, 0.0))
    forces, touched = [], set()
    for _ in range(180):
        room.step()
        forces.append(room.force)
        touched |= set(room.touched)
    assert touched == {"box"}
    assert scene.graph["box"].world_position[0] > 0.78
    felt = np.mean(forces[60:], axis=0)  # it is bumped along, tick by tick
    np.testing.assert_allclose(felt, (0.3 * 9.81, 0.0, 0.0), atol=0.45)
    scene.plugins.close()


def test_wrong_rooms_are_refused(tmp_path: Path) -> None:
    scene, room = make(tmp_path)
    with pytest.raises(UnknownName):
        TouchableRoom(scene, room.loop, things=["tabel"])
    with pytest.raises(BadField, match="position"):  # the handle would begin inside
        TouchableRoom(scene, room.loop, base=Pose(translation=np.array([0.0, 0.0, 0.88])))
    empty = tmp_path / "empty.yaml"
    empty.write_text("robotix: 1\n")
    with pytest.raises(ValueError, match="nothing in this room"):
        TouchableRoom(load_scene(empty), room.loop)
