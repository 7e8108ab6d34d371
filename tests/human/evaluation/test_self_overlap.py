"""What counts as overlap of the body with itself."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin
from support.performed_tasks import BODIES

from robotix.human.evaluation.self_overlap import deepest_self_overlap
from robotix.human.motion.styles import posture_of


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
def test_standing_with_arms_away_nobody_overlaps(sex: str, percentile: float) -> None:
    body = manikin(sex, percentile=percentile)
    q = posture_of(body, {"shoulder_abduction": 25})
    assert deepest_self_overlap(body, q[None])[0] < 0.0025  # thick thighs touch


def test_neighbours_and_the_fold_of_the_hip_do_not_count() -> None:
    sitting = posture_of(
        manikin(), {"hip_flexion": 100, "knee_flexion": 100, "shoulder_abduction": 40}
    )
    assert deepest_self_overlap(manikin(), sitting[None]) == (0.0, "")


def test_legs_that_cross_are_told() -> None:
    body = manikin()
    q = posture_of(body, {"hip_abduction": -10, "shoulder_abduction": 40})
    depth, names = deepest_self_overlap(body, np.stack([body.relaxed, q]))
    assert depth > 0.02
    assert "right" in names and "left" in names
