"""ViSHARD10 against the closed-form equations and the start postures of its publication."""

from __future__ import annotations

import math

import numpy as np
import pytest
from oracles.recursive_fk import world_poses

from robotix.geometry import Array
from robotix.model import Model
from robotix.model.robots import load

L1 = L3 = 0.25
L6 = 0.212


def tip(model: Model, q: Array) -> Array:
    return world_poses(model, q)["flange"].translation


def closed_form(x: float, y: float, z: float, *, turn: float, roll: float, wrist: Array) -> Array:
    """The device's inverse function (its equations 21-23), wrist angles kept in space."""
    q = np.zeros(10)
    q[0] = math.acos(y / (2 * L1)) - 3 * math.pi / 2
    q[1] = -2 * math.acos(y / (2 * L1)) + 2 * math.pi
    q[2] = math.acos(x / (2 * L3)) - q[0] - q[1]
    q[3] = -2 * math.acos(x / (2 * L3)) + 2 * math.pi
    q[5] = math.acos(z / (2 * L6))
    q[6] = -2 * q[5]
    q[4] = turn - q[:4].sum()
    q[7] = roll - q[5] - q[6]
    q[8:] = wrist
    return q


def test_vishard_reaches_what_its_inverse_function_asks_for() -> None:
    model, rng = load("vishard10"), np.random.default_rng(0)
    seen = []
    for x, y, z in rng.uniform(-1, 1, (200, 3)) * [0.49, 0.49, 0.42]:
        q = closed_form(x, y, z, turn=0.7, roll=-0.4, wrist=np.array([0.3, 1.1]))
        pose = world_poses(model, q)["flange"]
        np.testing.assert_allclose(pose.translation, [x, y, z], atol=1e-12)
        seen.append(pose.rotation)
    assert np.ptp(np.array(seen), axis=0).max() < 1e-12  # the same orientation everywhere


def test_vishard_axes_meet_in_the_tip_while_six_and_seven_lift() -> None:
    model, rng = load("vishard10"), np.random.default_rng(1)
    for q in rng.uniform(-3, 3, (20, 10)):
        q[6] = -2 * q[5]
        poses = world_poses(model, q)
        for i in (5, 8, 9, 10):
            frame = poses[f"link{i}"]
            offset = poses["flange"].translation - frame.translation
            assert np.linalg.norm(np.cross(frame.rotation[:, 2], offset)) < 1e-12
            turned = q.copy()
            turned[i - 1] += 0.9
            np.testing.assert_allclose(tip(model, turned), tip(model, q), atol=1e-12)
        assert tip(model, q)[2] == pytest.approx(2 * L6 * math.cos(q[5]), abs=1e-12)
        lowered = q.copy()
        lowered[5:7] = 0.4, -0.8
        np.testing.assert_allclose(tip(model, lowered)[:2], tip(model, q)[:2], atol=1e-12)


def test_vishard_at_zero() -> None:
    model = load("vishard10")
    poses = world_poses(model, np.zeros(10))
    z, x = [0, 0, 1], [1, 0, 0]
    directions = [z, z, z, z, z, x, x, x, z, x]
    points = [(0, 0.71), (0.25, 0.71), (0.5, 0.71), (0.75, 0.71), (1.0, 0.71)]
    points += [(1.47, 0), (1.47, 0.212), (1.47, 0.424), (1.0, 0.424), (1.0, 0.424)]
    for i, (direction, (px, pz)) in enumerate(zip(directions, points, strict=True), start=1):
        frame = poses[f"link{i}"]
        np.testing.assert_allclose(frame.rotation[:, 2], direction, atol=1e-15)
        offset = frame.translation - [px, 0, pz]
        np.testing.assert_allclose(np.cross(direction, offset), 0, atol=1e-15)
    np.testing.assert_allclose(poses["flange"].translation, [1.0, 0, 0.424], atol=1e-15)
    turned = [[0, 0, 1], [1, 0, 0], [0, 1, 0]]
    np.testing.assert_allclose(poses["flange"].rotation, turned, atol=1e-15)
    np.testing.assert_allclose(poses["scara_end"].translation, [1.0, 0, 0.71], atol=1e-15)
    assert np.isinf(model.lower).all() and np.isinf(model.upper).all()
    assert model.mass == pytest.approx(23.0)


@pytest.mark.parametrize(
    ("radius", "theta1", "theta3", "elbow_y"),
    [
        (0.05, 1.9093, -2.2479, 0.4613),
        (0.2, 1.7453, -1.9198, 0.4510),
        (0.4, 1.5157, -1.4607, 0.4164),
        (0.6, 1.2567, -0.9425, 0.3513),
        (0.8, 0.9165, -0.2622, 0.2311),
    ],
)
def test_vishard_starts_its_circles(
    radius: float, theta1: float, theta3: float, elbow_y: float
) -> None:
    """First experiment of the published device: start postures of the five circles."""
    q = np.zeros(10)
    q[:4] = theta1, -math.pi / 4, theta3, -math.pi / 4
    q[5], q[6] = 5 * math.pi / 6, -5 * math.pi / 3
    poses = world_poses(load("vishard10"), q)
    assert np.hypot(*poses["flange"].translation[:2]) == pytest.approx(radius, abs=2e-4)
    assert poses["scara_elbow"].translation[1] == pytest.approx(elbow_y, abs=2e-4)
    assert poses["flange"].translation[2] == pytest.approx(-0.36719, abs=1e-5)
