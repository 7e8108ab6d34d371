"""Forward dynamics undoes inverse dynamics."""

from __future__ import annotations

import numpy as np
import pytest

from robotix.dynamics import PointWrench, forward_dynamics, inverse_dynamics
from robotix.errors import BadModel
from robotix.model import Body, Joint, Model
from robotix.model.robots import load


@pytest.mark.parametrize("name", ["kuka_lwr", "planar_3r", "kuka_lwr_rail", "human"])
def test_accelerations_are_those_that_the_efforts_were_made_for(name: str) -> None:
    model, rng = load(name), np.random.default_rng(1)
    q, dq, ddq = rng.uniform(-1, 1, (3, 4, model.n_dof))
    pull = PointWrench(model.tip, np.array([1.0, 2.0, 3.0, 0.1, 0.2, 0.3]))
    tau = inverse_dynamics(model, q, dq=dq, ddq=ddq, wrenches=[pull])
    found = forward_dynamics(model, q, dq=dq, tau=tau, wrenches=[pull])
    np.testing.assert_allclose(found, ddq, rtol=0, atol=1e-8)
    one = forward_dynamics(model, q[0], dq=dq[0], tau=tau[0], wrenches=[pull])
    np.testing.assert_allclose(one, found[0], rtol=0, atol=1e-10)


def test_a_pendulum_falls_as_the_textbook_says() -> None:
    rod = Body(
        "rod",
        Joint("j", "revolute", axis=np.array([0.0, 1.0, 0.0]), armature=0.5),
        mass=2.0,
        com=np.array([0.3, 0.0, 0.0]),
    )
    (found,) = forward_dynamics(Model("pendulum", (rod,)), [0.0])
    assert found == pytest.approx(2 * 9.81 * 0.3 / (2 * 0.3**2 + 0.5))


def test_what_moves_no_mass_is_refused() -> None:
    light = Model("light", (Body("a", Joint("j", "revolute")),))
    with pytest.raises(BadModel, match="joint 'j': moves no mass"):
        forward_dynamics(light, [0.0])
    arm = load("planar_3r")
    with pytest.raises(ValueError, match="tau"):
        forward_dynamics(arm, [0.0, 0.0, 0.0], tau=[1.0])


def test_a_robot_without_joints_has_no_accelerations() -> None:
    still = Model("still", (Body("a", Joint("j")),))
    assert forward_dynamics(still, np.zeros((3, 0))).shape == (3, 0)
