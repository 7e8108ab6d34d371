"""Statics: against Pinocchio, against the sum over segments, and in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pin_oracle import Oracle, build
from support.every_joint import planar_2r
from support.people import manikin, random_q
from support.random_trees import make_random_tree, random_posture

from robotix.dynamics import (
    PointWrench,
    effort_contributions,
    inverse_dynamics,
    resisting_efforts,
    static_efforts,
)
from robotix.geometry import Array, Pose
from robotix.kinematics import Posture
from robotix.model import Body, ControlPoint, Joint, Model
from robotix.model.robots import load, robot_names

MODELS = [*robot_names(), *range(20)]


def model_of(name: str | int) -> Model:
    return load(name) if isinstance(name, str) else make_random_tree(np.random.default_rng(name))


@pytest.mark.parametrize("name", MODELS)
def test_gravity_as_pinocchio(name: str | int) -> None:
    model, rng = model_of(name), np.random.default_rng(5)
    q = random_posture(model, rng)
    oracle = Oracle(model, build(model), q=q)
    wrench = rng.normal(size=6) * 100
    exact = oracle.gravity_torques - oracle.jacobian(model.tip).T @ wrench
    tau = static_efforts(model, q, wrenches=[PointWrench(model.tip, wrench)])
    np.testing.assert_allclose(tau, exact, rtol=1e-9, atol=1e-6)


def over_segments(model: Model, q: Array) -> Array:
    """Return minus the sum of Jᵀ f over the weight of every segment."""
    posture, tau = Posture(model, q), np.zeros(model.n_dof)
    for body in model.bodies:
        centre = ControlPoint(body.name, Pose(translation=body.com))
        tau -= posture.jacobian(centre)[:3].T @ (body.mass * model.gravity)
    return tau


@given(seed=st.integers(0, 2**32 - 1))
def test_gravity_is_the_sum_over_segments(seed: int) -> None:
    model = make_random_tree(np.random.default_rng(seed))
    q = random_posture(model, np.random.default_rng(seed))
    np.testing.assert_allclose(static_efforts(model, q), over_segments(model, q), atol=1e-9)


def test_statics_is_dynamics_at_rest() -> None:
    model = manikin().model
    q = np.array([random_q(model, seed) for seed in range(5)])
    push = [PointWrench("left_hand", np.arange(6.0))]
    np.testing.assert_allclose(
        static_efforts(model, q, wrenches=push),
        inverse_dynamics(model, q, wrenches=push),
        atol=1e-9,
    )


def test_each_cause_has_its_share() -> None:
    model, rng = manikin().model, np.random.default_rng(0)
    q = np.array([random_q(model, seed) for seed in range(3)])
    pulls = [PointWrench(f"{side}_hand", rng.normal(size=6)) for side in ("right", "left")]
    shares = effort_contributions(model, q, wrenches=pulls)
    np.testing.assert_allclose(shares.gravity, static_efforts(model, q), atol=1e-12)
    np.testing.assert_allclose(shares.total, static_efforts(model, q, wrenches=pulls), atol=1e-9)
    arm = [model.dof_index(name) for name in model.dof_names if name.startswith("left_elbow")]
    assert abs(shares.wrenches[0][:, arm]).max() == 0  # what the right hand holds
    assert abs(shares.wrenches[1][:, arm]).min() > 0


def test_two_links_in_closed_form() -> None:
    model, (one, two) = planar_2r((0.5, 0.3)), (0.4, -0.9)
    tip = [0.5 * np.cos(one) + 0.3 * np.cos(one + two), 0.5 * np.sin(one) + 0.3 * np.sin(one + two)]
    elbow = [0.5 * np.cos(one), 0.5 * np.sin(one)]
    fx, fy = 7.0, -3.0
    wrench = np.array([fx, fy, 0, 0, 0, 2.0])
    tau = static_efforts(model, [one, two], wrenches=[PointWrench("tip", wrench)])
    exact = [-(x * fy - y * fx) - 2.0 for x, y in (tip, np.subtract(tip, elbow))]
    np.testing.assert_allclose(tau, exact, atol=1e-12)


def test_a_wrench_on_what_never_moves_costs_nothing() -> None:
    stand, arm = Body("stand", Joint("bolts")), Body("arm", Joint("hinge", "revolute"), "stand")
    model, pull = Model("crane", (stand, arm)), np.ones(6)
    on_stand, on_arm = (
        resisting_efforts(model, [[0.3]], wrenches=[PointWrench(name, pull)])
        for name in ("stand", "arm")
    )
    assert on_stand.tolist() == [[0.0]]
    np.testing.assert_allclose(on_arm, [[-1.0]])
