"""Distal Upper Extremity Tool, against the examples of its paper [Gallagher2018]."""

from __future__ import annotations

import pytest

from robotix.ergonomics import RepeatedExertion, hand_fatigue


def day(*exertions: tuple[int, float]) -> list[RepeatedExertion]:
    return [RepeatedExertion(rating=rating, per_day=count) for rating, count in exertions]


def test_one_task() -> None:  # p. 10-11, figure 2
    found = hand_fatigue(day((2, 5400)))
    assert found.damage == pytest.approx(0.0074, abs=5e-5)
    assert 100 * found.probability == pytest.approx(26.5, abs=0.05)
    assert found.verdict.level == 1


def test_four_tasks() -> None:  # p. 12, figure 3
    found = hand_fatigue(day((2, 5184), (4, 180), (10, 60), (2, 3752)))
    assert found.damage == pytest.approx(0.59703, abs=1e-4)
    # printed: 60.5; equations 6 and 7 with the printed damage give 60.0
    assert 100 * found.probability == pytest.approx(60.0, abs=0.05)
    assert found.steps[2].score / found.damage == pytest.approx(0.976, abs=5e-4)
    assert found.verdict.level == 2


@pytest.mark.parametrize(
    ("efforts", "hours", "damage"),
    [  # table 3: efforts a minute and rating
        ([(3.75, 2), (1.5, 4), (4.5, 6)], 10, 0.3283155),
        ([(10, 2), (4, 2)], 9, 0.0103572),
        ([(2.73, 2), (30, 2), (5.4545, 4), (2.7273, 2)], 10, 0.07044737),
    ],
)
def test_jobs_of_table_3(efforts: list[tuple[float, int]], hours: float, damage: float) -> None:
    found = hand_fatigue(day(*((rating, 60 * hours * rate) for rate, rating in efforts)))
    assert found.damage == pytest.approx(damage, rel=2e-3)


def test_the_cut_point() -> None:  # p. 12: 0.03 is a probability of 36.2 %
    found = hand_fatigue(day((2, 0.03 / 0.00000137)))
    assert 100 * found.probability == pytest.approx(36.2, abs=0.1)


def test_what_is_no_rating_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number from 0 to 10, got 11"):
        RepeatedExertion(rating=11, per_day=1)
    with pytest.raises(ValueError, match="at least one"):
        hand_fatigue([])
    assert hand_fatigue(day((2, 0))).probability == 0
