"""Lifts and carries of a motion, as inputs of the Liberty Mutual equations and of LiFFT."""

from __future__ import annotations

import numpy as np
import pytest
from support.assessed import assessed, assessed_posture, man

from robotix.ergonomics import Handling, Job, RepeatedLift, assess_handling, lifting_fatigue
from robotix.ergonomics.signals.handled_loads import handled_loads, repeated_loads
from robotix.kinematics import Posture


def test_a_lift_counts_with_its_larger_reach() -> None:
    found = assessed("lift")
    (lift,), (handled,) = found.lifts, found.handled
    taken, put = lift.origin.result.lift, lift.destination.result.lift
    assert handled.result is not None
    expected = assess_handling(
        Handling(
            kind="lift",
            load=taken.load,
            per_minute=found.job.per_minute,
            horizontal=max(taken.horizontal, put.horizontal),
            start=taken.vertical,
            end=put.vertical,
            handles="poor",  # a fair grip
        )
    )
    assert handled.result.women.percent == pytest.approx(expected.women.percent)
    finding = found.finding("acceptable")
    assert finding is not None and finding.what == "Women who accept it"
    assert finding.value == handled.result.women.percent


def test_the_damage_of_a_day_is_that_of_the_largest_arm() -> None:
    found = assessed("lift")
    assert found.repeated is not None
    (lift,) = found.repeated.result.lifts
    posture = Posture(
        found.performance.manikin.model, found.performance.motion.q[found.repeated.row]
    )
    hands = (posture.position("right_hand") + posture.position("left_hand")) / 2
    arm = np.linalg.norm((hands - posture.position("L5S1"))[:2])
    assert lift.arm == pytest.approx(arm)
    assert lift.per_day == pytest.approx(60 * found.job.per_minute * found.job.hours)
    expected = lifting_fatigue([RepeatedLift(load=lift.load, arm=lift.arm, per_day=lift.per_day)])
    assert found.repeated.result.damage == expected.damage
    finding = found.finding("lifft")
    assert finding is not None and finding.value == pytest.approx(100 * expected.probability)


def test_more_often_is_accepted_by_fewer_and_does_more_damage() -> None:
    found = assessed("lift")
    busy = Job(per_minute=4, hours=8)
    (often,) = handled_loads(found.performance, found.lifts, busy)
    day = repeated_loads(found.performance, busy)
    assert often.result is not None and found.handled[0].result is not None
    assert often.result.women.percent < found.handled[0].result.women.percent
    assert day is not None and found.repeated is not None
    assert day.result.damage > found.repeated.result.damage


def test_a_carry_is_assessed_as_one() -> None:
    found = assessed("carry", "m")
    kinds = [each.result.handling.kind for each in found.handled if each.result is not None]
    refused = [each.why_not for each in found.handled if each.result is None]
    assert "carry" in kinds or any("carry is beyond" in why for why in refused)
    for why in refused:
        assert why in found.notes


def test_without_a_load_there_is_nothing() -> None:
    found = assessed("stand_up")
    assert found.handled == () and found.repeated is None
    assert found.finding("acceptable") is None and found.finding("lifft") is None


def test_a_held_load_is_not_lifted() -> None:
    """A posture has no travel: it is not what the equations were made for, and the note says so."""
    found = assessed_posture(man(), np.array(man().relaxed), load=10)
    assert [each.result for each in found.handled] == [None]
    assert any("vertical travel" in note for note in found.notes)
