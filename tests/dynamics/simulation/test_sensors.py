"""Sensors: exact values against the state, noise only by a generator."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.simulation import Mechanism, RigidObject, Simulation, World
from robotix.dynamics.simulation.holding import holding_servos
from robotix.dynamics.simulation.sensors import (
    AttitudeSensor,
    CameraPose,
    ContactSensor,
    FootForceSensor,
    Gyroscope,
    JointEncoders,
)
from robotix.errors import BadField, UnknownName
from robotix.geometry import Box, Halfspace, Pose
from robotix.model.robots import load

FLOOR = RigidObject("floor", (Halfspace(),), mobility="static")
MODEL = load("vhrp26")


@pytest.fixture
def standing() -> Simulation:
    part = Mechanism("robot", MODEL, servos=holding_servos(MODEL))
    simulation = Simulation(World((FLOOR,), (part,)))
    simulation.step(500)
    return simulation


def test_attitude_and_gyroscope_are_those_of_the_body() -> None:
    box = RigidObject("box", (Box(np.array([0.1, 0.2, 0.3])),), mass=1.0)
    simulation = Simulation(World((box,)))
    pose = Pose.at(0, 0, 1, rpy=(0.3, -0.2, 0.9))
    rates = np.array([0.4, -0.5, 0.6])  # in the world
    simulation.set_pose("box", pose, twist=(0, 0, 0, *rates))
    np.testing.assert_allclose(AttitudeSensor("box").read(simulation), pose.rotation, atol=1e-15)
    np.testing.assert_allclose(
        Gyroscope("box").read(simulation), pose.rotation.T @ rates, atol=1e-15
    )


def test_noise_needs_a_generator_and_is_repeated_by_its_seed(standing: Simulation) -> None:
    sensor = Gyroscope("robot/pelvis", noise=0.1)
    exact = sensor.read(standing)
    np.testing.assert_array_equal(exact, Gyroscope("robot/pelvis").read(standing))
    one, two = (sensor.read(standing, np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    many = np.array([sensor.read(standing, rng) - exact for rng in [np.random.default_rng(0)]
                     for _ in range(2000)])  # fmt: skip
    assert many.std() == pytest.approx(0.1, rel=0.05)
    rotation = AttitudeSensor("robot/pelvis", noise=0.01).read(standing, np.random.default_rng(1))
    np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-12)


def test_encoders_read_joints_but_not_the_root(standing: Simulation) -> None:
    q, dq = JointEncoders("robot").read(standing)
    assert np.isnan(q[:6]).all() and np.isnan(dq[:6]).all()
    np.testing.assert_array_equal(q[6:], standing.q("robot")[6:])
    np.testing.assert_array_equal(dq[6:], standing.dq("robot")[6:])
    step = 2 * np.pi / 4096
    rounded, _ = JointEncoders("robot", resolution=step).read(standing)
    np.testing.assert_allclose(rounded[6:] / step, np.round(q[6:] / step), atol=1e-9)


def test_feet_carry_the_weight_and_the_pressure_is_below_the_centre_of_mass(
    standing: Simulation,
) -> None:
    feet = [FootForceSensor(f"robot/{side}_foot") for side in ("left", "right")]
    readings = [foot.read(standing) for foot in feet]
    assert sum(each.force[2] for each in readings) == pytest.approx(8.0 * 9.81, rel=1e-6)
    com = standing.momentum().com
    for foot, each in zip(feet, readings, strict=True):
        pressure = standing.pose(foot.body).apply([*each.centre_of_pressure, 0.0])
        assert pressure[0] == pytest.approx(com[0], abs=2e-4)
        by_points = np.zeros(3)
        for contact in standing.contacts():
            if foot.body in (contact.first, contact.second):
                sign = 1 if contact.second == foot.body else -1
                at = contact.position - standing.pose(foot.body).translation
                by_points += np.cross(at, sign * contact.force)
        np.testing.assert_allclose(each.moment[:2], by_points[:2], atol=2e-4)


def test_without_load_there_is_no_centre_of_pressure() -> None:
    simulation = Simulation(World((FLOOR,), (Mechanism("robot", MODEL, Pose.at(0, 0, 1)),)))
    simulation.step(10)
    reading = FootForceSensor("robot/left_foot").read(simulation)
    np.testing.assert_allclose(reading.force, 0.0, atol=1e-12)
    assert np.isnan(reading.centre_of_pressure).all()
    assert not ContactSensor("robot/left_foot").read(simulation)


def test_contact_sensors_tell_what_touches(standing: Simulation) -> None:
    assert ContactSensor("robot/left_foot").read(standing)
    assert ContactSensor("robot/left_foot", "floor").read(standing)
    assert not ContactSensor("robot/left_foot", "robot/right_foot").read(standing)
    assert not ContactSensor("robot/head").read(standing)


def test_the_head_camera_moves_with_the_head(standing: Simulation) -> None:
    point = MODEL.point("head_camera")
    camera = CameraPose(f"robot/{point.body}", point.pose)
    pose = camera.read(standing)
    np.testing.assert_allclose(pose.translation, [0.035, 0, 0.503], atol=2e-3)
    np.testing.assert_allclose(pose.rotation[:, 2], [1, 0, 0], atol=2e-3)


def test_unknown_names_and_bad_values_are_refused(standing: Simulation) -> None:
    with pytest.raises(UnknownName, match="left_foot"):
        FootForceSensor("robot/lft_foot").read(standing)
    with pytest.raises(UnknownName, match="mechanism"):
        JointEncoders("rebot").read(standing)
    for make in (Gyroscope, AttitudeSensor, FootForceSensor):
        with pytest.raises(BadField, match="noise"):
            make("robot/pelvis", noise=-1.0)
    with pytest.raises(BadField, match="resolution"):
        JointEncoders("robot", resolution=-1.0)
