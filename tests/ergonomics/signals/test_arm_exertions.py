"""Exertions of the arms of a posture."""

from __future__ import annotations

import numpy as np
import pytest
from support.assessed import turned, woman

from robotix.ergonomics import arm_exertion, arm_strength


def test_hands_in_front_are_alike_on_both_sides() -> None:
    q = turned(woman(), shoulder_flexion=30, elbow_flexion=70)
    lifted = np.array([0.0, 0.0, 40.0])
    right, left = (arm_exertion(woman(), q, side, lifted) for side in ("right", "left"))
    assert right.hand == pytest.approx(left.hand, abs=1e-6)
    forward, outward, up = right.hand
    assert 0.25 < forward < 0.5 and abs(outward) < 0.1 and -0.4 < up < 0.1
    assert right.force == pytest.approx(40) and right.direction[2] > 39
    found = arm_strength(right)
    assert found.assist < -5 and 20 < found.for_percent(75) < 120


def test_a_push_to_the_left_is_inward_for_the_right_arm() -> None:
    q = turned(woman(), shoulder_flexion=30, elbow_flexion=70)
    push = np.array([0.0, 30.0, 0.0])  # the base frame has y to the left
    right, left = (arm_exertion(woman(), q, side, push) for side in ("right", "left"))
    assert right.direction[1] == pytest.approx(-30) and left.direction[1] == pytest.approx(30)


def test_far_hands_are_refused() -> None:
    with pytest.raises(ValueError, match="must be from"):
        arm_exertion(woman(), turned(woman(), shoulder_flexion=-40), "right", np.ones(3))
