"""Arms that come near the trunk are pushed away from it, and only they move."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.geometry import Array
from robotix.human.body.manikin import GROUPS
from robotix.human.evaluation.self_overlap import deepest_self_overlap
from robotix.human.motion.arm_clearance import ArmClearance
from robotix.human.motion.styles import posture_of
from robotix.kinematics import Posture


def pushed(q: Array, dq: Array | None = None) -> Array:
    """Return the rates that open the gaps of the arms, (n_dof,)."""
    model = manikin().model
    rates = np.zeros(model.n_dof)
    still = np.zeros(model.n_dof) if dq is None else dq
    ArmClearance(model, 0.01).add_rates(Posture(model, q), still, rates)
    return rates


def test_arms_that_are_clear_are_left_alone() -> None:
    wide = posture_of(manikin(), {"shoulder_abduction": 60})
    np.testing.assert_array_equal(pushed(wide), 0.0)


@pytest.mark.parametrize("turn", [20, 40])
def test_a_forearm_in_the_trunk_is_pushed_out(turn: float) -> None:
    across = {"shoulder_internal_rotation": turn, "elbow_flexion": 100, "shoulder_flexion": -10}
    q = posture_of(manikin(), across)
    rates = pushed(q)
    arms = np.zeros(len(q), dtype=bool)
    arms[GROUPS["right_arm"]] = arms[GROUPS["left_arm"]] = True
    assert abs(rates[arms]).max() > 0
    np.testing.assert_array_equal(rates[~arms], 0.0)
    before, what = deepest_self_overlap(manikin(), q[None])
    assert before > 0.005 and "arm" in what
    for _ in range(200):  # as the performer adds them to the velocity, tick by tick
        q = q + 0.01 * pushed(q) / 0.1
    assert deepest_self_overlap(manikin(), q[None])[0] < before / 4
