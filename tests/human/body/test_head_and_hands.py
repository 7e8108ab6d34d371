"""Neck and fingers beside the 39 coordinates."""

from __future__ import annotations

import numpy as np

from robotix.geometry.rotation import rotation_about
from robotix.human.body.head_and_hands import HeadAndHands, neck_rotations


def test_the_head_turns_then_nods() -> None:
    flexion, rotation = np.array([0.0, 0.3, -0.4]), np.array([0.2, 0.0, 0.7])
    expected = [
        rotation_about([0, 0, 1], r) @ rotation_about([0, 1, 0], f)
        for f, r in zip(flexion, rotation, strict=True)
    ]
    np.testing.assert_allclose(neck_rotations(flexion, rotation), expected, atol=1e-15)


def test_heads_and_hands_compare_by_value() -> None:
    assert HeadAndHands() == HeadAndHands()
    assert HeadAndHands(fingers={"left": 0.5}) != HeadAndHands()
