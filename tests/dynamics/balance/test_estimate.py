"""What sensors say about mass and momentum, against the simulation that they sense."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics.balance import MomentumEstimator
from robotix.dynamics.simulation import Mechanism, Simulation, World
from robotix.dynamics.simulation.sensors import AttitudeSensor, Gyroscope, JointEncoders
from robotix.errors import BadModel
from robotix.model.robots import load

MODEL = load("vhrp26")


def test_sensors_give_centre_of_mass_and_momentum_about_an_ankle() -> None:
    rng = np.random.default_rng(4)
    simulation = Simulation(World(mechanisms=(Mechanism("robot", MODEL),)))
    estimator = MomentumEstimator(MODEL, root="pelvis")
    for _ in range(5):
        q = np.clip(rng.normal(0, 0.4, MODEL.n_dof), MODEL.lower, MODEL.upper)
        simulation.set_state("robot", q, rng.normal(0, 1.0, MODEL.n_dof))
        estimator.update(
            AttitudeSensor("robot/pelvis").read(simulation),
            Gyroscope("robot/pelvis").read(simulation),
            *JointEncoders("robot").read(simulation),
        )
        found = estimator.about("left_foot")
        true = simulation.momentum()
        ankle, speed = simulation.pose("robot/left_foot"), simulation.twist("robot/left_foot")[:3]
        r = true.com - ankle.translation
        v = true.linear / true.mass - speed
        np.testing.assert_allclose(found.com, r, atol=1e-12)
        np.testing.assert_allclose(
            found.momentum, true.angular + true.mass * np.cross(r, v), atol=1e-10
        )
        np.testing.assert_allclose(found.rotation, ankle.rotation, atol=1e-12)


def test_a_fixed_root_needs_no_balance() -> None:
    with pytest.raises(BadModel, match="does not float"):
        MomentumEstimator(load("ur5"), root=load("ur5").bodies[0].name)
