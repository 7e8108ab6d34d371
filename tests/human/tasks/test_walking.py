"""Walking on the flat and around a hole."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin
from support.performed_tasks import BODIES, performed

from robotix.human import GROUPS, mirrored
from robotix.human.evaluation.report import measure
from robotix.human.evaluation.stepping import step_figures
from robotix.human.gait.walking import step_parts
from robotix.human.tasks.tasks import perform
from robotix.kinematics.batch import forward_batch


def test_a_walk_repeats_itself_mirrored() -> None:
    performance = perform("walk", manikin(), parameters={"distance": 6.0})
    landings = [p.start for p in performance.contacts if p.contact.name.endswith("foot")]
    first, second = sorted(landings)[6:8]  # the steps in the middle
    period = performance.row_at(second) - performance.row_at(first)
    row = performance.row_at(first)
    joints = slice(GROUPS["right_leg"].start, None)
    for k in range(period):
        here, there = performance.motion.q[[row + k, row + k + period]]
        np.testing.assert_allclose(mirrored(here)[joints], there[joints], atol=0.06)


def test_arms_swing_against_the_legs() -> None:
    performance = performed("walk")
    model, q = performance.manikin.model, performance.motion.q
    left = forward_batch(model, q, point="left_foot")[0][:, 0]
    right = forward_batch(model, q, point="right_foot")[0][:, 0]
    arm = q[:, model.dof_index("right_shoulder_flexion")]
    assert np.corrcoef(left - right, arm)[0, 1] > 0.8
    assert np.degrees(np.ptp(arm)) > 20


def test_a_walk_gets_there_with_a_steady_pelvis() -> None:
    performance = performed("walk")
    pelvis = forward_batch(performance.manikin.model, performance.motion.q, point="pelvis")[0]
    assert pelvis[-1, 0] - pelvis[0, 0] == pytest.approx(4.0, abs=0.02)
    steady = slice(len(pelvis) // 3, 2 * len(pelvis) // 3)
    assert np.ptp(pelvis[steady, 2]) < 0.06


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
def test_people_walk_as_people_do(sex: str, percentile: float) -> None:
    """People walk at 1.2 to 1.4 m/s, sway by about 4 cm and rise by 2 to 5 cm."""
    found = step_figures(performed("walk", sex, percentile))
    assert found.speed is not None and found.sway is not None and found.rise is not None
    assert 1.2 < found.speed < 1.4
    assert 0.015 < found.sway < 0.06
    assert 0.012 < found.rise < 0.05


def test_shoulders_turn_against_the_hips() -> None:
    """With a rigid trunk the moment of a leg about the vertical exceeds the friction of a sole."""
    performance = performed("walk", "f", 5.0)
    model, q = performance.manikin.model, performance.motion.q
    left, right = (forward_batch(model, q, point=f"{side}_foot")[0][:, 0] for side in SIDES)
    twist = q[:, model.dof_index("L5S1_axial_left")]
    assert abs(np.corrcoef(left - right, twist)[0, 1]) > 0.8
    assert 5 < np.degrees(np.ptp(twist)) < 40
    assert measure(performance).infeasible == 0


def test_first_and_last_steps_are_shorter() -> None:
    parts = step_parts(6.3, (0.5, 0.8))
    assert parts.sum() == pytest.approx(6.3) and parts.max() == 1.0
    np.testing.assert_allclose(parts, parts[::-1])
    assert parts[0] < parts[1] < 1.0
    short = step_parts(0.9, (0.5, 0.8))
    assert short.sum() == pytest.approx(0.9) and short.max() < 1.0
    np.testing.assert_allclose(step_parts(2.4), [0.8, 0.8, 0.8])


def test_feet_land_on_the_heel_and_leave_from_the_toes() -> None:
    performance = performed("walk")
    names = [p.contact.name for p in sorted(performance.contacts, key=lambda p: p.start)]
    assert names.count("left_heel") >= 2 and names.count("left_toes") >= 2
    order = [name.partition("_")[2] for name in names if name.startswith("left")]
    assert order[2:6] == ["heel", "foot", "toes", "heel"]


@pytest.mark.parametrize("speed", [0.5, 0.8, 1.1])
def test_a_speed_can_be_given(speed: float) -> None:
    performance = perform("walk", manikin(), parameters={"speed": speed, "distance": 3.0})
    found = step_figures(performance)
    assert found.speed == pytest.approx(speed, rel=0.12)
    assert measure(performance).success


def test_the_slow_style_could_stop_at_any_instant() -> None:
    report = measure(perform("walk", manikin(), style="slow", parameters={"distance": 2.0}))
    assert report.success and report.com_margin > 0.01


def test_the_hole_is_walked_around() -> None:
    performance = performed("walk_around_hole")
    (hole,) = performance.environment.holes
    feet = [forward_batch(performance.manikin.model, performance.motion.q, point=f"{side}_foot")[0]
            for side in SIDES]  # fmt: skip
    assert hole.gap(np.vstack(feet)) > 0.02
    assert max(abs(foot[:, 1]).max() for foot in feet) > hole.radius
