"""Inverse dynamics: against Pinocchio, and by the balance of power."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.pin_dynamics import EffortOracle
from oracles.pin_oracle import build
from support.people import manikin, random_q
from support.random_trees import make_random_tree, random_posture

from robotix.dynamics import PointWrench, inverse_dynamics, motion_efforts, point_accelerations
from robotix.geometry import Array
from robotix.kinematics import Posture
from robotix.model import Model
from robotix.model.robots import load, robot_names
from robotix.motion import Motion

EXACT: dict[str, Any] = {"rtol": 1e-9, "atol": 1e-6}  # N m, N
SEEDS = st.integers(0, 2**32 - 1)


@cache
def person() -> tuple[Model, Any]:
    model = manikin().model
    return model, build(model)


def check_against_pinocchio(model: Model, theirs: Any, q: Array, rng: np.random.Generator) -> None:
    dq, ddq = rng.normal(size=(2, model.n_dof))
    names = [model.tip, model.bodies[rng.integers(len(model.bodies))].name]
    wrenches = [(name, rng.normal(size=6) * 100) for name in names]
    tau = inverse_dynamics(
        model, q, dq=dq, ddq=ddq, wrenches=[PointWrench(name, f) for name, f in wrenches]
    )
    oracle = EffortOracle(model, theirs, q=q, dq=dq)
    np.testing.assert_allclose(tau, oracle.efforts(ddq, wrenches=wrenches), **EXACT)


@given(seed=SEEDS)
def test_a_moving_person_as_pinocchio(seed: int) -> None:
    model, theirs = person()
    check_against_pinocchio(model, theirs, random_q(model, seed), np.random.default_rng(seed))


@pytest.mark.parametrize("name", robot_names())
def test_robots_of_the_library_as_pinocchio(name: str) -> None:
    model, rng = load(name), np.random.default_rng(3)
    theirs = build(model)
    for _ in range(3):
        check_against_pinocchio(model, theirs, random_posture(model, rng), rng)


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_as_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng)
    check_against_pinocchio(model, build(model), random_posture(model, rng), rng)


@pytest.mark.parametrize("seed", range(10))
def test_accelerations_of_points_as_pinocchio(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng)
    q, (dq, ddq) = random_posture(model, rng), rng.normal(size=(2, model.n_dof))
    found = point_accelerations(model, q, dq=dq, ddq=ddq, points=["tool", "base"])
    oracle = EffortOracle(model, build(model), q=q, dq=dq)
    for k, name in enumerate(("tool", "base")):
        exact = oracle.bias(name) + oracle.jacobian(name) @ ddq
        np.testing.assert_allclose(found[0, k], exact[:3], **EXACT)


def test_many_rows_are_single_ones() -> None:
    model, _ = person()
    rng = np.random.default_rng(0)
    q = np.array([random_q(model, seed) for seed in range(4)])
    dq, ddq = rng.normal(size=(2, 4, model.n_dof))
    push = rng.normal(size=(4, 6))
    tau = inverse_dynamics(model, q, dq=dq, ddq=ddq, wrenches=[PointWrench("right_hand", push)])
    for i in range(4):
        one = [PointWrench("right_hand", push[i])]
        single = inverse_dynamics(model, q[i], dq=dq[i], ddq=ddq[i], wrenches=one)
        np.testing.assert_array_equal(tau[i], single)


def energy(model: Model, q: Array, dq: Array) -> float:
    posture = Posture(model, q)
    kinetic = float(dq @ posture.mass_matrix @ dq) / 2
    return kinetic - model.mass * float(model.gravity @ posture.com)


@given(seed=SEEDS)
def test_power_of_efforts_and_wrenches_is_the_rate_of_energy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = make_random_tree(rng, most=8)
    posture = Posture(model, random_posture(model, rng))
    dq, ddq = rng.normal(size=(2, model.n_dof))
    wrench, h = rng.normal(size=6) * 10, 1e-5
    tau = inverse_dynamics(model, posture.q, dq=dq, ddq=ddq, wrenches=[PointWrench("tool", wrench)])
    power = tau @ dq + wrench @ posture.jacobian("tool") @ dq
    after, before = (
        energy(model, posture.moved(t * dq + t * t / 2 * ddq).q, dq + t * ddq) for t in (h, -h)
    )
    scale = max(1.0, abs(power), float(abs(tau).max()))
    assert abs((after - before) / (2 * h) - power) < 1e-4 * scale


def swaying(model: Model, count: int = 201) -> Motion:
    """Return two seconds of a person who sways, turns and waves."""
    times = np.linspace(0, 2, count)
    phases = np.linspace(0, 3, model.n_dof)
    q = 0.2 * np.sin(2.5 * times[:, None] + phases)
    return Motion.of(model, times, q=q)


def test_work_along_a_motion_is_the_gain_of_energy() -> None:
    model, _ = person()
    motion = swaying(model)
    tau = motion_efforts(model, motion)
    power = (tau * motion.velocities).sum(axis=1)
    inner = slice(10, -10)
    work = np.trapezoid(power[inner], motion.times[inner])
    first, last = (energy(model, motion.q[i], motion.velocities[i]) for i in (10, -11))
    assert abs(power).max() > 10
    assert abs(work - (last - first)) < 0.02 * abs(power[inner]).mean()


def test_nothing_moves_in_a_motion_of_one_row() -> None:
    model, _ = person()
    motion = Motion.of(model, [0.0], q=random_q(model, 1)[None])
    gravity = Posture(model, motion.q[0]).gravity_torques
    np.testing.assert_allclose(motion_efforts(model, motion)[0], gravity, atol=1e-9)


def test_a_falling_body_needs_no_effort() -> None:
    model, _ = person()
    ddq = np.zeros(model.n_dof)
    ddq[:3] = model.gravity
    tau = inverse_dynamics(model, random_q(model, 2), ddq=ddq)
    np.testing.assert_allclose(tau, 0.0, atol=1e-9)


def test_wrong_arguments_are_refused() -> None:
    model, _ = person()
    q = np.zeros((2, model.n_dof))
    with pytest.raises(ValueError, match=r"dq of human must have the shape \(2, 39\)"):
        inverse_dynamics(model, q, dq=np.zeros(39))
    with pytest.raises(ValueError, match=r"q of human must have the shape \(N, 39\)"):
        inverse_dynamics(model, np.zeros(38))
    with pytest.raises(ValueError, match="ddq must be finite; row 0"):
        inverse_dynamics(model, q, ddq=np.full((2, 39), np.nan))
    with pytest.raises(ValueError, match="force then torque"):
        PointWrench("right_hand", np.zeros(3))
    with pytest.raises(ValueError, match="must be finite"):
        PointWrench("right_hand", np.full(6, np.inf))
    with pytest.raises(ValueError, match="3 rows for 2 postures"):
        inverse_dynamics(model, q, wrenches=[PointWrench("right_hand", np.zeros((3, 6)))])
