"""The lifts of a performance, as inputs of the lifting equation."""

from __future__ import annotations

import numpy as np
import pytest
from support.assessed import assessed, performed, woman
from support.people import SIDES

from robotix.kinematics import Posture


def test_the_places_of_a_lift_are_measured_from_the_body() -> None:
    (lift,) = assessed("lift").lifts
    performance = performed("lift")
    for end in (lift.origin, lift.destination):
        given = end.result.lift
        q = performance.motion.q[end.row]
        posture = Posture(woman().model, q)
        hands = np.mean([posture.position(f"{side}_hand") for side in SIDES], axis=0)
        ankles = np.mean([posture.position(f"{side}_ankle") for side in SIDES], axis=0)
        assert given.horizontal == pytest.approx(np.linalg.norm((hands - ankles)[:2]))
        assert given.vertical == pytest.approx(hands[2], abs=0.003)
        assert given.asymmetry < np.radians(1)
        assert given.load == 10
    rise = lift.destination.result.lift.vertical - lift.origin.result.lift.vertical
    assert lift.origin.result.lift.distance == pytest.approx(rise)
    assert lift.worse.result.index >= lift.origin.result.index
    assert lift.notes == ()


def test_carrying_and_one_hand_are_said_not_to_be_covered() -> None:
    (carried,) = assessed("carry").lifts
    assert any("carried over" in note for note in carried.notes)
    reach = assessed("reach")
    assert reach.lifts == () and reach.finding("lifting_index") is None
    assert any("one hand" in note for note in reach.notes)
