"""Servos that hold: gains from the inertia that each joint moves."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from oracles.pin_oracle import build

from robotix.dynamics.simulation.holding import holding_servos, moved_inertia
from robotix.errors import BadField
from robotix.model.robots import load


def test_an_arm_moves_the_diagonal_of_its_mass_matrix() -> None:
    model = load("panda")
    q = model.neutral + 0.1
    theirs = build(model)
    mass = pin.crba(theirs, theirs.createData(), q)
    np.testing.assert_allclose(moved_inertia(model, q), np.diag(mass), rtol=1e-9)


def test_an_ankle_moves_all_that_stands_on_it() -> None:
    model = load("vhrp26")
    inertia = moved_inertia(model)
    assert np.isnan(inertia[:6]).all()
    ankle, hip = model.dof_index("left_ankle_pitch"), model.dof_index("left_hip_pitch")
    above = model.mass * 0.26**2  # roughly: the robot without a foot, 0.26 m above the ankle
    assert inertia[ankle] == pytest.approx(above, rel=0.2)
    assert inertia[ankle] > 5 * inertia[hip]


def test_gains_give_frequency_and_damping() -> None:
    model = load("ur5")
    inertia = moved_inertia(model)
    servos = holding_servos(model, frequency=20.0, damping_ratio=0.7)
    for name, J in zip(model.dof_names, inertia, strict=True):
        assert servos[name].stiffness == pytest.approx(400 * J)
        assert servos[name].damping == pytest.approx(28 * J)


def test_bad_values_are_refused() -> None:
    for wrong in ({"frequency": 0.0}, {"frequency": 1e6}, {"damping_ratio": -1.0}):
        with pytest.raises(BadField):
            holding_servos(load("ur5"), **wrong)
