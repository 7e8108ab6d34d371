"""A haptic handle in a room: a robot follows it, and what touches the robot is felt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.app.haptic_handle import HapticHandle, ReflectedForce
from robotix.authoring import load_scene
from robotix.errors import BadField
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.loop.environment import FreeDamping
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import OperatorArm
from robotix.scene import Scene

ROOM = """
robotix: 1
devices: {handle: hand}
robots:
  arm: {model: panda, q_deg: [0, 20, 0, -110, 0, 130, 45]}
objects:
  wall: {box: [0.02, 1.0, 1.0], at: [WALL, 0, 0.5]}
start:
  - track_init: {device: handle, scale: 1.0, robot: arm}
  - track_toggle: arm
  - stop_at_contact: arm
"""


TABLE = """
robotix: 1
devices: {handle: hand}
robots:
  arm: {model: panda, q_deg: [0, 20, 0, -110, 0, 130, 45]}
objects:
  table: {box: [0.6, 0.8, 0.04], at: [0.55, 0, 0.28]}
start:
  - track_init: {device: handle, scale: 1.0, robot: arm}
  - track_toggle: arm
  - stop_at_contact: arm
"""  # the flange begins 11 mm above the table


def in_room(
    tmp_path: Path, room: str, *, delay: float = 0.0,
    reflects: ReflectedForce = ReflectedForce.contact,
) -> tuple[Scene, HapticHandle]:  # fmt: skip
    file = tmp_path / "room.yaml"
    file.write_text(room)
    scene = load_scene(file)
    loop = HapticLoop(
        vishard10(), reference_posture(), arm=OperatorArm(stiffness=0.0, damping=20.0),
        elements=[HapticHandle.spare_element(), FreeDamping(30.0)],
    )  # fmt: skip
    return scene, HapticHandle(scene, loop, robot="arm", delay=delay, reflects=reflects)


def make(
    tmp_path: Path, *, wall: float = 5.0, delay: float = 0.0,
    reflects: ReflectedForce = ReflectedForce.contact,
) -> tuple[Scene, HapticHandle]:  # fmt: skip
    room = ROOM.replace("WALL", str(wall))
    return in_room(tmp_path, room, delay=delay, reflects=reflects)


def at_table(tmp_path: Path, *, is_simulated: bool = False) -> tuple[Scene, HapticHandle]:
    room = TABLE
    if is_simulated:
        room = room.replace("robotix: 1", "robotix: 1\nphysics: true")
        room = room.replace("model: panda", "model: panda, simulated: true")
        room = room.replace("  - stop_at_contact: arm", "")
    return in_room(tmp_path, room)


def push(handle: HapticHandle, force: tuple[float, float, float], ticks: int) -> None:
    handle.loop.push(force)
    for _ in range(ticks):
        handle.step()


def test_the_robot_follows_the_handle(tmp_path: Path) -> None:
    scene, handle = make(tmp_path)
    start, tip = handle.loop.position, handle._tip_position()
    push(handle, (0.0, 4.0, 0.0), 60)
    push(handle, (0.0, 0.0, 0.0), 120)
    moved = handle.loop.position - start
    assert moved[1] > 0.02
    np.testing.assert_allclose(handle._tip_position() - tip, moved, atol=0.01)
    scene.plugins.close()


def test_a_wall_that_stops_the_robot_is_felt(tmp_path: Path) -> None:
    free, pressed = (make(tmp_path, wall=wall)[1] for wall in (5.0, 0.70))
    for handle in (free, pressed):
        push(handle, (6.0, 0.0, 0.0), 240)
    assert pressed.loop.outcome().reason is StopReason.running
    assert pressed.lag[0] > 0.005
    assert pressed.loop.rendered[0] > free.loop.rendered[0] + 2.0
    assert pressed.loop.position[0] < free.loop.position[0] - 0.02


def test_the_reflected_force_comes_late(tmp_path: Path) -> None:
    scene, handle = make(tmp_path, wall=0.70, delay=0.1, reflects=ReflectedForce.position_error)
    handle._tip = handle._tip + np.array([0.02, 0.0, 0.0])  # a step of the lag
    felt = []
    for _ in range(round(0.1 / scene.dt) + 1):
        handle._reflect()
        felt.append(float(handle.loop._elements[0, 12]))
    assert felt[:-1] == [0.0] * (len(felt) - 1)
    assert felt[-1] == pytest.approx(8.0)


def test_free_motion_is_not_felt_however_far_the_robot_lags(tmp_path: Path) -> None:
    _, handle = make(tmp_path)
    handle.loop.push((0.0, 8.0, 0.0))
    for _ in range(60):
        handle.step()
        np.testing.assert_array_equal(handle.robot_force, 0.0)
    assert np.linalg.norm(handle.lag) > 0.005  # that is what a position error would reflect


def test_a_table_is_felt_along_its_normal_and_holds_the_hand(tmp_path: Path) -> None:
    _, handle = at_table(tmp_path)
    push(handle, (0.0, 0.0, -8.0), 480)
    assert abs(handle.lag[0]) > 0.01  # the arm slides on the table: that is not felt
    np.testing.assert_allclose(handle.robot_force, (0.0, 0.0, -8.0), atol=0.2)  # 2.5 %
    np.testing.assert_allclose(handle.loop.hand_wrench[:3], (0.0, 0.0, -8.0), atol=0.2)


def test_the_simulated_contact_force_is_the_one_that_the_joints_carry(tmp_path: Path) -> None:
    scene, handle = at_table(tmp_path, is_simulated=True)
    handle.loop.push((0.0, 0.0, -5.0))
    for _ in range(20):
        handle.step()
        np.testing.assert_array_equal(handle.robot_force, 0.0)  # not at the table yet
    push(handle, (0.0, 0.0, -5.0), 400)
    force = handle.robot_force
    assert force[2] == pytest.approx(-5.0, rel=0.1)  # the hand's
    assert np.hypot(force[0], force[1]) < abs(force[2])  # within the cone of friction
    mirror = scene.physics.mirror
    assert mirror is not None
    tip, wrench = handle._tip_position(), np.zeros(6)
    for point in mirror.contact_points():  # on the robot, about its tip
        on_robot = point.force if point.second.startswith("arm/") else -point.force
        wrench += [*on_robot, *np.cross(point.position - tip, on_robot)]
    np.testing.assert_allclose(wrench[:3], -force, atol=0.15)  # of the instant, of the tick
    data = mirror.room.simulation.data
    carried = (data.qfrc_bias - data.qfrc_actuator - data.qfrc_passive)[:7]
    J = np.array(handle.robot.posture.jacobian())
    np.testing.assert_allclose(J.T @ wrench, carried, atol=0.16)  # N m: 5 % of the largest
    scene.plugins.close()


def test_what_the_robot_holds_is_felt(tmp_path: Path) -> None:
    room = TABLE.replace("[0.55, 0, 0.28]", "[0.55, 0, 0.18]")
    room = room.replace("start:", "  rod: {box: [0.02, 0.02, 0.1], at: [0.62, 0, 0.261]}\nstart:")
    scene, handle = in_room(tmp_path, room + "  - attach: {node: rod, to: arm/flange}\n")
    push(handle, (0.0, 0.0, -6.0), 360)
    assert scene.contacts.distance("rod", "table").distance < 1e-3
    np.testing.assert_allclose(handle.robot_force, (0.0, 0.0, -6.0), atol=0.3)


def test_a_thing_that_is_pushed_is_felt_by_its_friction(tmp_path: Path) -> None:
    things = """
  floor: {box: [2, 2, 0.1], at: [0.5, 0, 0.15]}
  box: {box: [0.3, 0.4, 0.24], at: [0.83, 0, 0.32], body: {mass: 1, friction: 0.3}}
start:"""
    room = ROOM.replace("WALL", "5").replace("robotix: 1", "robotix: 1\nphysics: {friction: 0.3}")
    scene, handle = in_room(tmp_path, room.replace("\nstart:", things))
    handle.loop.push((6.0, 0.0, 0.0))
    forces = []
    for _ in range(180):
        handle.step()
        forces.append(handle.robot_force)
    assert scene.graph["box"].world_position[0] > 0.85  # it slides
    felt = np.mean(np.array(forces)[-60:], axis=0)
    assert felt[0] == pytest.approx(0.3 * 1.0 * 9.81, rel=0.05)
    scene.plugins.close()


def test_wrong_numbers_are_refused(tmp_path: Path) -> None:
    scene, handle = make(tmp_path)
    with pytest.raises(BadField, match="scale"):
        HapticHandle(scene, handle.loop, scale=0.0)
    with pytest.raises(BadField, match="delay"):
        HapticHandle(scene, handle.loop, delay=-1.0)
