"""Reach envelopes: bounded by the arm, larger when leaning, mirrored from side to side."""

from __future__ import annotations

import numpy as np
import pytest
from support.assessed import assessed, assessed_posture, man, turned, woman

from robotix.ergonomics import ReachEnvelope, reach_envelope
from robotix.ergonomics.signals.reach import reach_use

SAMPLES = 8000


@pytest.fixture(scope="module")
def standing() -> ReachEnvelope:
    return reach_envelope(man(), samples=SAMPLES)


def arm_length() -> float:
    body = man().anthropometry
    return body["upper_arm_length"] + body["forearm_length"] + body["grip_length"]


def test_nothing_is_farther_than_the_arm_is_long(standing: ReachEnvelope) -> None:
    assert standing.farthest == pytest.approx(arm_length(), abs=1e-3)
    near, far = standing.farthest_ahead
    assert 0.3 < near < far <= arm_length() + 1e-9


def test_the_comfortable_is_inside_the_possible(standing: ReachEnvelope) -> None:
    easy, most = (
        np.linalg.norm(places - standing.shoulder, axis=1)
        for places in (standing.comfortable, standing.maximum)
    )
    known = ~np.isnan(easy) & ~np.isnan(most)
    assert known.sum() > 20
    assert (easy[known] <= most[known] + 0.02).all()  # both are sampled
    assert np.isnan(easy).sum() > np.isnan(most).sum()


def test_who_sits_reaches_as_far_but_lower(standing: ReachEnvelope) -> None:
    sitting = reach_envelope(man(), stance="sitting", samples=SAMPLES)
    assert sitting.farthest == pytest.approx(standing.farthest, abs=1e-6)
    drop = man().anthropometry["hip_height"] - man().anthropometry["knee_height"]
    assert standing.shoulder[2] - sitting.shoulder[2] == pytest.approx(drop)


def test_leaning_reaches_farther_and_both_sides_alike(standing: ReachEnvelope) -> None:
    leaning = reach_envelope(man(), lean=0.35, samples=SAMPLES)
    assert leaning.farthest_ahead[1] > standing.farthest_ahead[1] + 0.1
    left = reach_envelope(man(), side="left", samples=SAMPLES)
    assert left.shoulder[1] == -standing.shoulder[1]
    assert left.farthest == pytest.approx(standing.farthest, abs=1e-6)
    assert reach_envelope(woman(), samples=SAMPLES).farthest < standing.farthest


def test_asking_for_a_place(standing: ReachEnvelope) -> None:
    ahead = standing.shoulder + np.array([0.9 * arm_length(), 0, 0])
    assert standing.reaches(ahead) and not standing.reaches(ahead, comfortably=True)
    assert not standing.reaches(standing.shoulder + np.array([1.1 * arm_length(), 0, 0]))
    assert standing.reaches(np.nanmean(standing.comfortable, axis=0), comfortably=True)


def test_the_table_and_the_seed(standing: ReachEnvelope) -> None:
    columns = standing.columns()
    assert {len(values) for values in columns.values()} == {len(standing.azimuth)}
    again = reach_envelope(man(), samples=SAMPLES)
    np.testing.assert_array_equal(again.maximum, standing.maximum)


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="side is right or left"):
        reach_envelope(man(), side="up")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="lean must be from 0 to 1"):
        reach_envelope(man(), lean=2.0)


def test_how_far_hands_are_stretched() -> None:
    found = assessed("reach")
    right, left = reach_use(found.performance, found.angles)
    assert (right.side, left.side) == ("right", "left")
    assert right.reach.max() <= right.longest + 1e-9
    assert right.reach.shape == found.times.shape
    still = assessed_posture(man(), turned(man(), elbow_flexion=90))
    assert all(use.is_comfortable.all() for use in reach_use(still.performance, still.angles))
    high = assessed_posture(man(), turned(man(), elbow_flexion=90, shoulder_flexion=80))
    assert not any(use.is_comfortable.any() for use in reach_use(high.performance, high.angles))
