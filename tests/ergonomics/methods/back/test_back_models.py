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
    BackModel,
    BackTask,
    SingleMuscle,
    TenMuscles,
    low_back_load,
)
from robotix.ergonomics.methods.back.trunk_muscles import load_trunk_muscles
from robotix.geometry import Array


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


def independent_geometry() -> tuple[Array, Array, Array]:
    """Return areas, directions and moments per force of ten muscles, from the printed constants."""
    lean = math.sqrt(0.5)
    areas, directions, arms = [], [], []
    for side in (1, -1):  # left, right; forward, left, up
        for area, place, pull in (
            (31, (-4.4, 5.4), (0, 0, -1)),  # erector spinae
            (3, (-5.6, 6.3), (0, -side * lean, -lean)),  # latissimus dorsi, to the middle
            (13, (10.8, 3.6), (0, 0, -1)),  # rectus abdominis
            (5, (3.8, 13.5), (-lean, 0, -lean)),  # internal oblique, down and back
            (5, (3.8, 13.5), (lean, 0, -lean)),  # external oblique, down and forward
        ):
            areas.append(area * 1e-4)
            directions.append(pull)
            arms.append(np.cross([place[0] / 100, side * place[1] / 100, 0], pull))
    return np.array(areas), np.array(directions), np.array(arms)


def by_linear_programming(moment: Array) -> tuple[float, float]:
    """Return highest intensity (N/cm²) and compression (N) of two programmes by SciPy."""
    areas, directions, arms = independent_geometry()
    equal, target = (areas[:, None] * arms).T * 1e4, -moment[[1, 0, 2]]
    first = linprog(
        np.r_[np.zeros(10), 1.0],
        A_ub=np.hstack([np.eye(10), -np.ones((10, 1))]),
        b_ub=np.zeros(10),
        A_eq=np.hstack([equal, np.zeros((3, 1))]),
        b_eq=target,
    )
    second = linprog(
        -areas * directions[:, 2] * 1e4,
        A_eq=equal,
        b_eq=target,
        bounds=[(0, first.fun * (1 + 1e-9))] * 10,
    )
    return first.fun, second.fun


SPECIAL = [(150, 0, 0), (7, 0, 0), (-30, 0, 0), (0, 25, 0), (0, 0, 20), (60, 60, 0), (80, 0, -25)]
RANDOM = np.random.default_rng(4).normal(scale=70, size=(30, 3)).tolist()


def test_ten_muscles_as_linear_programmes_in_three_dimensions() -> None:
    """First the least highest intensity, then the least compression, over both sides."""
    moments = np.array([*SPECIAL, *RANDOM], dtype=float)
    expected = np.array([by_linear_programming(moment) for moment in moments])
    muscles = load_trunk_muscles()
    forces = muscles.shared(-moments[:, [1, 0, 2]])
    np.testing.assert_allclose(forces @ muscles.arms, -moments[:, [1, 0, 2]], atol=1e-8)
    assert forces.min() >= 0
    np.testing.assert_allclose(
        (forces / muscles.areas).max(axis=1) / 1e4, expected[:, 0], rtol=1e-6
    )
    found = TenMuscles().forces(moments)
    np.testing.assert_allclose(found.compression, expected[:, 1], rtol=1e-6)


def test_compiled_and_plain_code_share_alike() -> None:
    moments = np.array([*SPECIAL, *RANDOM], dtype=float)
    muscles = load_trunk_muscles()
    many = muscles.shared(moments)
    few = np.vstack([muscles.shared(row[None]) for row in moments])
    np.testing.assert_allclose(many, few, atol=1e-9)
    assert not muscles.shared(np.zeros((6, 3))).any()


def test_ten_muscles_are_symmetric() -> None:
    moments = np.array(RANDOM)
    here, mirrored = (TenMuscles().forces(m) for m in (moments, moments * [1, -1, -1]))
    np.testing.assert_allclose(here.compression, mirrored.compression, rtol=1e-9)
    np.testing.assert_allclose(here.left, -mirrored.left, atol=1e-6)


@pytest.mark.parametrize("model", [SingleMuscle(), SingleMuscle(0.06), TenMuscles()], ids=str)
def test_side_and_twisting_moments_press_in_every_model(model: BackModel) -> None:
    plain = model.balance(60.0).muscle_compression
    assert model.balance(60.0, side=30.0).muscle_compression > 1.05 * plain
    assert model.balance(60.0, twist=15.0).muscle_compression > 1.02 * plain
    assert "side" in model.balance(60.0, side=30.0).reason


def test_a_muscle_with_a_line_of_action() -> None:
    """2/3 of 0.36 m at 12°: tension 2705.5 N presses 2646.4 N and pulls back 562.5 N."""
    line = math.radians(12)
    arm = 2 / 3 * 0.36 * math.sin(line)
    found = SingleMuscle(arm, line=line).balance(2705.5 * arm)
    assert found.muscle_force == pytest.approx(2705.5)
    assert found.muscle_compression == pytest.approx(2646.4, abs=0.1)
    assert found.muscle_forward == pytest.approx(-562.5, abs=0.1)
    task = BackTask(upper_weight=550.0, upper_arm=2705.5 * arm / 550.0, angle=math.pi / 2)
    model = SingleMuscle(arm, line=line)
    assert low_back_load(task, model=model).shear == pytest.approx(12.5, abs=0.1)


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
