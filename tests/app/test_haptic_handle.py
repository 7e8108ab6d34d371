"""A haptic handle in a room: a robot follows it, and what stops the robot is felt."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from robotix.app.haptic_handle import HapticHandle
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


def make(tmp_path: Path, *, wall: float = 5.0, delay: float = 0.0) -> tuple[Scene, HapticHandle]:
    file = tmp_path / "room.yaml"
    file.write_text(ROOM.replace("WALL", str(wall)))
    scene = load_scene(file)
    loop = HapticLoop(
        vishard10(), reference_posture(), arm=OperatorArm(stiffness=0.0, damping=20.0),
        elements=[HapticHandle.spare_element(), FreeDamping(30.0)],
    )  # fmt: skip
    return scene, HapticHandle(scene, loop, robot="arm", delay=delay)


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
    assert np.linalg.norm(handle.loop.rendered[:3]) < 6.0
    scene.plugins.close()


def test_a_wall_that_stops_the_robot_is_felt(tmp_path: Path) -> None:
    free, pressed = (make(tmp_path, wall=wall)[1] for wall in (5.0, 0.62))
    for handle in (free, pressed):
        push(handle, (6.0, 0.0, 0.0), 240)
    assert pressed.loop.outcome().reason is StopReason.running
    assert pressed.lag[0] > 0.005
    assert pressed.loop.rendered[0] > free.loop.rendered[0] + 2.0
    assert pressed.loop.position[0] < free.loop.position[0] - 0.02


def test_the_reflected_force_comes_late(tmp_path: Path) -> None:
    scene, handle = make(tmp_path, wall=0.62, delay=0.1)
    handle._tip = handle._tip + np.array([0.02, 0.0, 0.0])  # a step of the lag
    felt = []
    for _ in range(round(0.1 / scene.dt) + 1):
        handle._reflect()
        felt.append(float(handle.loop._elements[0, 12]))
    assert felt[:-1] == [0.0] * (len(felt) - 1)
    assert felt[-1] == pytest.approx(8.0)


def test_wrong_numbers_are_refused(tmp_path: Path) -> None:
    scene, handle = make(tmp_path)
    with pytest.raises(BadField, match="scale"):
        HapticHandle(scene, handle.loop, scale=0.0)
    with pytest.raises(BadField, match="delay"):
        HapticHandle(scene, handle.loop, delay=-1.0)
