"""How robots are told: what their masses mean, in the world's axes."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

import robotix as rx
from robotix.geometry import Pose
from robotix.kinematics import dynamic_ellipsoid, impact_ellipsoid
from robotix.model import Model
from robotix.scene.scene import Scene
from robotix.server.live.robot_states import MAX_HALF_AXIS, StateMaker
from robotix.server.live.snapshot import describe_robot, snapshot_robot
from robotix.server.wire.protocol import RobotState

TURN = Pose.at(1.0, 2.0, 0.0, rpy=(0.0, 0.0, np.pi / 2))


def state_of(model: Model, q: list[float]) -> RobotState:
    scene = Scene()
    robot = scene.add_robot("arm", model, pose=TURN)
    robot.set_q(np.array(q))
    scene.step()
    facts = describe_robot(scene, robot)
    now = snapshot_robot(scene, robot, is_watched=True)
    return StateMaker().state(now, {"arm": facts}, whole=True)


@pytest.mark.parametrize("name", ["kuka_lwr", "ur5"])
def test_ellipsoids_of_masses_turn_with_the_robot(name: str) -> None:
    model = rx.load(name)
    q = [0.3] * model.n_dof
    state, posture = state_of(model, q), rx.Posture(model, q)
    for found, expected in (
        (state.acceleration, dynamic_ellipsoid(posture)),
        (state.impact, impact_ellipsoid(posture)),
    ):
        halves = np.array(found).T
        np.testing.assert_allclose(np.linalg.norm(halves, axis=0), expected.half_lengths)
        np.testing.assert_allclose(
            TURN.rotation.T @ halves, expected.axes * expected.half_lengths, atol=1e-9
        )


def test_a_blow_that_goes_into_the_base_is_cut_off() -> None:
    state = state_of(rx.load("planar_3r"), [0.3, 0.4, 0.5])
    # Nothing gives way out of the plane.
    assert np.linalg.norm(state.impact, axis=1).max() == pytest.approx(MAX_HALF_AXIS)
    assert b"Infinity" not in msgspec.json.encode(state)


def test_a_robot_without_masses_has_no_such_ellipsoids(tmp_path: Path) -> None:
    file = tmp_path / "light.urdf"
    file.write_text(LIGHT)
    state = state_of(rx.load(file), [0.3])
    assert state.ellipsoid and not state.acceleration and not state.impact


LIGHT = """<robot name="light"><link name="base"/><link name="arm"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="arm"/>
<origin xyz="0 0 1"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
</joint></robot>"""
