"""Standing up and sitting down."""

from __future__ import annotations

import numpy as np
import pytest
from support.performed_tasks import BODIES, performed

from robotix.human.evaluation.dynamic_report import measure_dynamics
from robotix.kinematics.batch import forward_batch


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize(
    ("task", "most"), [("stand_up", 45), ("sit_down", 45), ("stand_up_at_table", 52)]
)
def test_who_rises_or_sits_down_leans_as_people_do(
    task: str, most: float, sex: str, percentile: float
) -> None:
    performance = performed(task, sex, percentile)
    model, q, centres = performance.manikin.model, performance.motion.q, performance.manikin.centres
    trunk = forward_batch(model, q, point=centres["neck"])[0]
    trunk -= forward_batch(model, q, point=centres["l5s1"])[0]
    assert 30 < np.degrees(np.arctan2(trunk[:, 0], trunk[:, 2])).max() < most


@pytest.mark.parametrize(("sex", "percentile"), BODIES)
@pytest.mark.parametrize("task", ["stand_up", "sit_down"])
def test_rising_and_sitting_take_the_time_that_people_take(
    task: str, sex: str, percentile: float
) -> None:
    performance = performed(task, sex, percentile)
    assert 1.5 < performance.motion.duration < 2.5
    assert measure_dynamics(performance).zmp_outside <= 0.01
