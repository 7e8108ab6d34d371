"""ViSHARD10 in closed form: exact to rounding, cyclic, and decoupled into stages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.errors import BadField
from robotix.haptics.devices.vishard10 import (
    device_angles,
    height_joints,
    height_rates,
    inverse_function,
    make_scara_stage,
    make_wrist_stage,
    posture_above,
    stage_angles,
    vishard10,
)
from robotix.kinematics import Posture


def test_the_inverse_function_is_exact_and_keeps_the_orientation() -> None:
    rng, rotations = np.random.default_rng(0), []
    for position in rng.uniform(-1, 1, (200, 3)) * [0.49, 0.49, 0.42]:
        q = inverse_function(position, theta5_0=0.7, wrist=(-0.4, 0.3, 1.1))
        pose = world_poses(vishard10(), q)["flange"]
        np.testing.assert_allclose(pose.translation, position, rtol=0, atol=1e-12)
        rotations.append(pose.rotation)
    assert np.ptp(np.array(rotations), axis=0).max() < 1e-12


def test_the_inverse_function_is_cyclic() -> None:
    angles = np.linspace(0, 2 * math.pi, 100)
    path = [inverse_function([0.3 * math.cos(a), 0.3 * math.sin(a), 0.1]) for a in angles]
    np.testing.assert_allclose(path[0], path[-1], rtol=0, atol=1e-12)
    assert abs(np.diff(path, axis=0)).max() < 0.2  # no jump between


@pytest.mark.parametrize("z", [-0.424, -0.2, 0.0, 0.35])
def test_joints_six_and_seven_lift_straight_up(z: float) -> None:
    theta6, theta7 = height_joints(z)
    assert theta6 == pytest.approx(math.acos(z / 0.424), abs=1e-12)
    assert theta7 == pytest.approx(-2 * theta6, abs=1e-12)
    q = device_angles(np.array([0.3, -0.5, 0.8, 0.1]), (theta6, theta7), np.zeros(4))
    tip = world_poses(vishard10(), q)["flange"].translation
    stage = Posture(make_scara_stage(), q[:4]).position()
    np.testing.assert_allclose(tip, [stage[0], stage[1], z], rtol=0, atol=1e-12)


def test_rates_of_the_lift_are_the_slope_of_its_height() -> None:
    rate6, rate7 = height_rates(1.1, 0.5)
    assert 2 * 0.212 * -math.sin(1.1) * rate6 == pytest.approx(0.5)
    assert rate7 == -2 * rate6
    assert height_rates(0.0, 0.5) == (0.0, -0.0)  # stretched: it cannot lift


def test_stages_have_the_jacobians_of_the_device() -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        scara, wrist = rng.uniform(-3, 3, 4), rng.uniform(-3, 3, 4)
        q = device_angles(scara, height_joints(rng.uniform(-0.4, 0.4)), wrist)
        there = stage_angles(q)
        np.testing.assert_allclose(there[0], scara)
        np.testing.assert_allclose(there[1], wrist, atol=1e-12)
        J = Posture(vishard10(), q).jacobian()
        plane = Posture(make_scara_stage(), scara).jacobian()[:2]
        np.testing.assert_allclose(plane, J[:2, :4], atol=1e-12)
        turns = Posture(make_wrist_stage(), wrist).jacobian()[3:]
        np.testing.assert_allclose(turns, J[3:, [4, 7, 8, 9]], atol=1e-12)
        np.testing.assert_allclose(J[:3, [4, 7, 8, 9]], 0, atol=1e-12)  # axes through the tip


@pytest.mark.parametrize(
    ("x", "theta1", "theta3"),  # printed for the start postures of experiment 1
    [(0.05, 1.9093, -2.2479), (0.2, 1.7453, -1.9198), (0.4, 1.5157, -1.4607),
     (0.6, 1.2567, -0.9425), (0.8, 0.9165, -0.2622)],
)  # fmt: skip
def test_start_postures_are_those_of_the_paper(x: float, theta1: float, theta3: float) -> None:
    bend = -math.pi / 4
    q = posture_above(x, bends=(bend, bend), wrist=(math.pi / 2, 0, 0, 0), height=(1.0, -2.0))
    assert q[0] == pytest.approx(theta1, abs=1e-4)
    assert q[2] == pytest.approx(theta3, abs=1e-4)
    np.testing.assert_allclose(Posture(vishard10(), q).position()[:2], [x, 0], atol=1e-12)


def test_positions_out_of_reach_are_rejected() -> None:
    with pytest.raises(BadField, match="z must be between"):
        height_joints(0.5)
    with pytest.raises(BadField, match="x must be between"):
        inverse_function([0.6, 0, 0])
    with pytest.raises(BadField, match="x must be between"):
        posture_above(1.2, bends=(0.0, 0.0), wrist=np.zeros(4), height=(1.0, -2.0))
