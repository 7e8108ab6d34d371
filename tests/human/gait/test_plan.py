"""Gait planning: feet land on their footprints, and the plan is smooth."""

import numpy as np
import pytest
from support.standing_people import person_of

from robotix.human import Side
from robotix.human.gait.footprints import Footprint, Gait, current_footprints
from robotix.human.gait.plan import plan_gait


def test_a_footprint_maps_points_by_its_heading() -> None:
    turned = Footprint("right", np.array([1.0, 2.0, 0.0]), yaw=np.pi / 2)
    np.testing.assert_allclose(turned.apply(np.array([0.1, 0.0, 0.0])), [1.0, 2.1, 0.0], atol=1e-12)


def test_a_faster_pace_divides_all_times() -> None:
    gait, fast = Gait(), Gait().at_pace(2.0)
    assert fast.first == pytest.approx(gait.first / 2)
    assert fast.lift == gait.lift


@pytest.mark.parametrize("first", ["right", "left"])
def test_feet_end_on_their_footprints_and_stance_feet_do_not_move(first: Side) -> None:
    person = person_of()
    start = current_footprints(person)
    other: Side = "left" if first == "right" else "right"
    prints = [
        Footprint(side, start[side].position + np.array([0.25, 0.0, 0.0]))
        for side in (first, other)
    ]
    plan = plan_gait(person, prints, gait=Gait())
    for print_ in prints:
        foot = plan.feet[print_.side]
        np.testing.assert_allclose(foot.positions[-1], print_.position, atol=1e-9)
        assert np.linalg.norm(np.diff(foot.positions, axis=0), axis=1).max() < 0.05
    moving = {
        side: np.linalg.norm(np.diff(plan.feet[side].positions[:, :2], axis=0), axis=1) > 1e-9
        for side in (first, other)
    }
    assert not (moving[first] & moving[other]).any()  # one foot is always in stance
