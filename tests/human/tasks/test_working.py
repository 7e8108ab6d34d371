"""Work over the head, on the knees and on a chair."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin
from support.performed_tasks import performed

from robotix.ergonomics import assess
from robotix.human.evaluation.report import measure
from robotix.human.tasks.tasks import perform
from robotix.kinematics import Posture


def test_the_hands_stay_over_the_head_as_long_as_one_says() -> None:
    performance = perform("overhead", manikin(), parameters={"seconds": 3.0, "height": 1.9})
    assert measure(performance).success
    model, heights = performance.manikin.model, []
    for q in performance.motion.q:
        heights.append(Posture(model, q).position("right_hand")[2])
    assert max(heights) == pytest.approx(1.9, abs=0.01)
    high = np.sum(np.array(heights) > 1.89) * 0.01
    assert 3.0 <= high <= 3.8


def test_who_kneels_is_seen_to_kneel() -> None:
    assessment = assess(performed("kneel"))
    assert assessment.facts.stance(0) == "kneeling"
    owas = next(found for found in assessment.findings if found.key == "owas")
    assert owas.note.removeprefix("code ")[2] == "6"  # the legs: kneeling
    names = {phase.contact.name for phase in performed("kneel").contacts}
    assert {"right_knee", "left_knee"} <= names


def test_who_works_on_a_chair_sits_all_the_time() -> None:
    assessment = assess(performed("seated"))
    assert assessment.facts.is_sitting.all()
    (phase,) = performed("seated").loads
    positions, _ = performed("seated").load_poses("part")
    np.testing.assert_allclose(positions[0], positions[-1], atol=0.02)
    assert phase.load.hands == ("right",)


@pytest.mark.parametrize("task", ["overhead", "kneel", "seated"])
def test_a_heavier_tool_loads_the_back_more(task: str) -> None:
    light, heavy = (
        assess(perform(task, manikin(), parameters={"load": load})).back.compression.max()
        for load in (0.5, 4.0)
    )
    assert heavy > light
