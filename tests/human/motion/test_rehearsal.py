"""Rehearsals keep the zero-moment point of the whole body inside the support."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin
from support.performed_tasks import performed

from robotix.human.evaluation.report import measure
from robotix.human.motion.zero_moment import zmp_margins
from robotix.human.tasks.tasks import perform


@pytest.mark.parametrize("task", ["stand_up", "sit_down"])
def test_a_rehearsed_task_is_balanced_with_its_inertia(task: str) -> None:
    assert zmp_margins(perform(task, manikin(), rehearsed=False)).min() < -0.01
    rehearsed = performed(task)
    assert zmp_margins(rehearsed).min() > 0.0
    report = measure(rehearsed)
    assert report.foot_slip < 1e-3 and report.limit_violation == 0
    again = perform(task, manikin())
    np.testing.assert_array_equal(again.motion.q, rehearsed.motion.q)


def test_a_static_style_needs_no_rehearsal() -> None:
    slow = perform("sit_down", manikin(), style="slow")
    once = perform("sit_down", manikin(), style="slow", rehearsed=False)
    np.testing.assert_array_equal(slow.motion.q, once.motion.q)
    assert slow.motion.duration > 1.4 * performed("sit_down").motion.duration
