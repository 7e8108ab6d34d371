"""Walking on the flat and around a hole."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES
from support.performed_tasks import performed

from robotix.human import GROUPS, mirrored
from robotix.kinematics.batch import forward_batch


def test_a_walk_repeats_itself_mirrored() -> None:
    performance = performed("walk")
    landings = [p.start for p in performance.contacts if p.contact.name.endswith("foot")]
    first, second = sorted(landings)[4:6]  # the steps in the middle
    period = performance.row_at(second) - performance.row_at(first)
    row = performance.row_at(first)
    joints = slice(GROUPS["right_leg"].start, None)
    for k in range(period):
        here, there = performance.motion.q[[row + k, row + k + period]]
        np.testing.assert_allclose(mirrored(here)[joints], there[joints], atol=0.03)


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
    assert pelvis[-1, 0] - pelvis[0, 0] == pytest.approx(2.0, abs=0.02)
    assert np.ptp(pelvis[:, 2]) < 0.05


def test_the_hole_is_walked_around() -> None:
    performance = performed("walk_around_hole")
    (hole,) = performance.environment.holes
    feet = [forward_batch(performance.manikin.model, performance.motion.q, point=f"{side}_foot")[0]
            for side in SIDES]  # fmt: skip
    assert hole.gap(np.vstack(feet)) > 0.02
    assert max(abs(foot[:, 1]).max() for foot in feet) > hole.radius
