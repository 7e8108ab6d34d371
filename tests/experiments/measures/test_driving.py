"""One set of measures for people and for simulated operators."""

from __future__ import annotations

import numpy as np
import pytest

import robotix as rx
from robotix.experiments.measures.driving import DrivingLog, measure_driving


def test_a_straight_reach_is_measured() -> None:
    model, log = rx.load("kuka_lwr"), DrivingLog()
    q = np.array([0.0, 0.5, 0.0, -1.2, 0.0, 0.6, 0.0])
    for s in np.linspace(0.0, 1.0, 101):
        smooth = s**3 * (10 - 15 * s + 6 * s**2)  # least jerk
        log.add(np.array([0.3 * smooth, 0.0, 0.0]), q)
    found = measure_driving(log, model, dt=0.01)
    assert found["path_length"] == pytest.approx(0.3, abs=1e-9)
    assert found["time_near_singularity"] == 0.0
    assert -2.0 < found["sparc"] < -1.0 and found["log_dimensionless_jerk"] < 0.0


def test_a_stretched_arm_is_near_a_singularity() -> None:
    model, log = rx.load("kuka_lwr"), DrivingLog()
    for k in range(61):
        log.add(np.array([0.01 * k, 0.0, 0.0]), np.zeros(model.n_dof))
    assert measure_driving(log, model, dt=0.01)["time_near_singularity"] > 0.5


def test_without_motion_nothing_is_measured() -> None:
    log = DrivingLog()
    assert measure_driving(log, rx.load("kuka_lwr"), dt=0.01) == {}
    log.add(np.zeros(3), np.zeros(7))
    assert measure_driving(log, rx.load("kuka_lwr"), dt=0.01) == {}
