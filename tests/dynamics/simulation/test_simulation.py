"""Simulations: state in and out, contacts, servos, divergence."""

from __future__ import annotations

import numpy as np
import pytest
from support.random_trees import random_posture

from robotix.dynamics.simulation import (
    Mechanism,
    RigidObject,
    Servo,
    Simulation,
    SimulationDiverged,
    World,
)
from robotix.errors import UnknownName
from robotix.geometry import Box, Halfspace, Pose, Sphere
from robotix.model.robots import load

FLOOR = RigidObject("floor", (Halfspace(),), mobility="static")


def test_coordinates_come_back() -> None:
    rng = np.random.default_rng(2)
    model = load("panda")
    simulation = Simulation(World(mechanisms=(Mechanism("arm", model, Pose.at(1, 2, 3)),)))
    q, dq = random_posture(model, rng), rng.normal(size=model.n_dof)
    simulation.set_state("arm", q, dq)
    np.testing.assert_allclose(simulation.q("arm"), q, atol=1e-15)
    np.testing.assert_allclose(simulation.dq("arm"), dq, atol=1e-15)


def test_a_ball_comes_to_rest_on_the_floor() -> None:
    ball = RigidObject("ball", (Sphere(0.1),), Pose.at(0, 0, 1), mass=2.0)
    simulation = Simulation(World((FLOOR, ball)))
    simulation.step(3000)
    assert simulation.pose("ball").translation[2] == pytest.approx(0.1, abs=1e-3)
    force = np.sum([contact.force for contact in simulation.contacts()], axis=0)
    assert abs(force[2]) == pytest.approx(2.0 * 9.81, rel=1e-3)


def test_a_driven_box_carries_and_pushes_but_is_never_pushed() -> None:
    tray = RigidObject(
        "tray", (Box(np.array([1.0, 1.0, 0.1])),), Pose.at(0, 0, 0.5), mobility="driven"
    )
    load_ = RigidObject("load", (Box(np.full(3, 0.1)),), Pose.at(0, 0, 0.6), mass=1.0)
    simulation = Simulation(World((FLOOR, tray, load_)))
    speed, dt = 0.2, simulation.settings.dt
    for k in range(1000):
        simulation.set_pose("tray", Pose.at(speed * k * dt, 0, 0.5), twist=(speed, 0, 0, 0, 0, 0))
        simulation.step()
    assert simulation.pose("tray").translation[0] == pytest.approx(0.2, abs=1e-6)
    assert simulation.pose("load").translation[0] == pytest.approx(0.2, abs=0.01)


def test_a_servo_holds_a_posture() -> None:
    model = load("panda")
    servos = {name: Servo(2000.0, 100.0) for name in model.dof_names}
    simulation = Simulation(World(mechanisms=(Mechanism("arm", model, servos=servos),)))
    start = simulation.q("arm")
    simulation.step(2000)
    assert abs(simulation.q("arm") - start).max() < 0.05


def test_what_diverges_is_set_back() -> None:
    ball = RigidObject("ball", (Sphere(0.1),), mass=1.0)
    simulation = Simulation(World((ball,)))
    simulation.step(10)
    before = simulation.snapshot()
    simulation.push("ball", (1e9, 0, 0))
    with pytest.raises(SimulationDiverged, match="ball"):
        simulation.step(10)
    np.testing.assert_array_equal(simulation.pose("ball").translation[0], 0.0)
    assert simulation.snapshot()[0] == before[0]


def test_unknown_names_are_told() -> None:
    simulation = Simulation(World((FLOOR,)))
    with pytest.raises(UnknownName, match="body"):
        simulation.pose("flor")
    with pytest.raises(UnknownName, match="mechanism"):
        simulation.q("arm")
