"""Velocities and accelerations of motions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.dynamics import motion_rates
from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.kinematics import Posture
from robotix.model import Body, Joint, Model
from robotix.model.robots import load
from robotix.motion import Motion

FREE = Model("free", (Body("thing", Joint("root", "floating")),))


@given(seed=st.integers(0, 2**32 - 1))
def test_cubics_are_exact_whenever_the_rows_come(seed: int) -> None:
    rng = np.random.default_rng(seed)
    model = load("kuka_lwr")
    times = np.cumsum(rng.uniform(0.005, 0.02, 40))
    a, b, c, d = rng.normal(size=(4, 1, 7))
    t = times[:, None]
    motion = Motion.of(model, times, q=a + b * t + c * t**2 + d * t**3)
    rates = motion_rates(model, motion)
    np.testing.assert_allclose(rates.dq, b + 2 * c * t + 3 * d * t**2, atol=1e-8)
    np.testing.assert_allclose(rates.ddq, 2 * c + 6 * d * t, atol=1e-6)


def tumbling(times: Array) -> Motion:
    """Return a body that turns about two axes at once, through half turns, and flies."""
    turns = [exp_rotation([0, 0, 3 * t]) @ exp_rotation([2 * t, 0, 0]) for t in times]
    q = [np.r_[np.sin(t), t * t, 0.0, log_rotation(R)] for t, R in zip(times, turns, strict=True)]
    return Motion.of(FREE, times, q=q)


def test_a_tumbling_root_gives_its_twist_and_that_ones_rate() -> None:
    times = np.arange(0, 2, 0.005)
    rates = motion_rates(FREE, tumbling(times), window=0.05)
    z, x = np.array([0, 0, 1.0]), np.array([1.0, 0, 0])
    for i in range(0, len(times), 20):
        t = times[i]
        spun = exp_rotation([0, 0, 3 * t]) @ (2 * x)
        velocity = np.r_[np.cos(t), 2 * t, 0, 3 * z + spun]
        acceleration = np.r_[-np.sin(t), 2, 0, np.cross(3 * z, spun)]
        np.testing.assert_allclose(rates.dq[i], velocity, atol=2e-3)
        np.testing.assert_allclose(rates.ddq[i], acceleration, atol=0.15)


def test_velocities_lead_from_row_to_row() -> None:
    times = np.arange(0, 1, 0.005)
    motion = tumbling(times)
    rates = motion_rates(FREE, motion)
    step = Posture(FREE, motion.q[100]).velocity_to(motion.q[101])
    middle = (rates.dq[100] + rates.dq[101]) / 2
    np.testing.assert_allclose(step, middle * 0.005, atol=1e-4)


def test_a_wider_window_is_calmer() -> None:
    model, rng = load("kuka_lwr"), np.random.default_rng(0)
    times = np.arange(0, 2, 0.01)
    noise = 1e-3 * rng.normal(size=(len(times), 7))
    motion = Motion.of(model, times, q=noise)
    narrow, wide = (np.std(motion_rates(model, motion, window=w).ddq[30:-30]) for w in (0.1, 0.3))
    differences = np.std(np.diff(noise, 2, axis=0)) / 0.01**2
    assert wide < narrow / 10
    assert narrow < differences / 10


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_short_motions_have_the_rates_they_can_have(count: int) -> None:
    model = load("kuka_lwr")
    times = np.arange(count) * 0.1
    motion = Motion.of(model, times, q=np.tile(times[:, None] ** 2, 7))
    rates = motion_rates(model, motion)
    assert rates.dq.shape == rates.ddq.shape == (count, 7)
    np.testing.assert_allclose(rates.ddq, 2.0 if count > 2 else 0.0, atol=1e-9)
    if count == 2:
        np.testing.assert_allclose(rates.dq, 0.1)


def test_wrong_arguments_are_refused() -> None:
    motion = Motion.of(FREE, [0.0], q=np.zeros((1, 6)))
    with pytest.raises(ValueError, match="does not fit model"):
        motion_rates(load("kuka_lwr"), motion)
    with pytest.raises(ValueError, match="window must be 0 s or more"):
        motion_rates(FREE, motion, window=-1.0)
