"""Models of the trunk muscles."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from robotix.ergonomics import (
    AbdominalPressure,
    BackTask,
    SingleMuscle,
    TenMuscles,
    low_back_load,
)
from robotix.ergonomics.methods.back_models import load_low_back


def make_task(**changes: float) -> BackTask:
    usual = {"upper_weight": 450.0, "upper_arm": 0.25, "load": 200.0, "load_arm": 0.4}
    return BackTask(**{**usual, "angle": math.radians(35), **changes})


def test_abdominal_pressure_by_hand() -> None:
    """90° of the hip, 192.5 N·m: P = 1e-4 · 10.6 · 192.5^1.8 = 13.72 mmHg on 465 cm²."""
    pressure = AbdominalPressure(math.pi / 2)
    force = 1e-4 * (43 - 0.36 * 90) * 192.5**1.8 * 133.322 * 0.0465
    assert pressure.force(192.5) == pytest.approx(force)
    assert pressure.arm == pytest.approx(0.15)
    found = low_back_load(make_task(), model=SingleMuscle(abdominal=pressure))
    muscle = (192.5 - 0.15 * force) / 0.05
    assert found.muscle_force == pytest.approx(muscle)
    assert found.compression == pytest.approx(650 * math.cos(math.radians(35)) + muscle - force)


def test_abdominal_pressure_is_never_negative() -> None:
    assert AbdominalPressure(math.radians(120)).force(200.0) == 0.0
    assert AbdominalPressure().force(-50.0) == 0.0


@pytest.mark.parametrize("moment", [150.0, 7.0, -30.0])
def test_ten_muscles_as_linear_programmes(moment: float) -> None:
    """First the least highest intensity, then the least compression, over both sides."""
    table = load_low_back().ten_muscles
    area = np.tile(np.array(table.area_cm2) * 1e-4, 2)
    along = np.tile(np.cos(np.radians(table.line_deg)), 2)
    side = np.repeat([1.0, -1.0], 5)
    coronal = side * np.tile([0.054, 0.063, 0.036, 0.135, 0.135], 2) * along
    sagittal = np.tile(np.array(table.sagittal_arm_cm) / 100, 2) * along
    equal, target = np.vstack([sagittal, coronal]), np.array([moment, 0.0])
    first = linprog(
        np.r_[np.zeros(10), 1.0],
        A_ub=np.hstack([np.diag(1 / area), -np.ones((10, 1))]),
        b_ub=np.zeros(10),
        A_eq=np.hstack([equal, np.zeros((2, 1))]),
        b_eq=target,
    )
    second = linprog(
        along,
        A_eq=equal,
        b_eq=target,
        bounds=[(0, highest) for highest in first.fun * area * (1 + 1e-9)],
    )
    found = TenMuscles().balance(moment)
    assert found.muscle_compression == pytest.approx(second.fun, rel=1e-6)
    assert found.muscle_force == pytest.approx(second.x.sum(), rel=1e-6)


def test_a_moment_backwards_is_held_by_the_abdominal_muscle() -> None:
    found = low_back_load(make_task(upper_arm=-0.1, load=0.0))
    assert found.moment == -45.0
    assert found.muscle_force == pytest.approx(45 / 0.108)


@given(moment=st.floats(0, 400), hip=st.floats(0, math.pi))
def test_abdominal_pressure_never_presses(moment: float, hip: float) -> None:
    task = make_task(load=0.0, upper_arm=0.0, more_moment=moment)
    eased = low_back_load(task, model=SingleMuscle(abdominal=AbdominalPressure(hip)))
    assert eased.compression <= low_back_load(task).compression + 1e-9
    assert eased.muscle_force >= 0


@given(arm=st.floats(0.03, 0.1))
def test_muscle_force_goes_as_one_over_its_arm(arm: float) -> None:
    found = low_back_load(make_task(), model=SingleMuscle(arm))
    assert found.muscle_force * arm == pytest.approx(192.5)


@pytest.mark.parametrize("arm", [0.0, -0.05, 5.0, math.nan])
def test_bad_muscle_arms_are_refused(arm: float) -> None:
    with pytest.raises(ValueError, match=r"muscle arm must be from 0\.01 to 0\.2 m"):
        SingleMuscle(arm)
