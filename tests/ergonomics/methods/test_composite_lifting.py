"""The composite lifting index."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lifts import lifts, make_lift

from robotix.ergonomics import Lift, composite_lifting_index, lifting_index


@given(jobs=st.lists(lifts.map(lambda lift: Lift(**{**vars(lift), "hours": 8.0})), min_size=1))
def test_the_composite_index_is_at_least_the_worst_lift(jobs: list[Lift]) -> None:
    found = composite_lifting_index(jobs)
    assert found.index >= max(lifting_index(lift).index for lift in jobs) - 1e-9
    assert all(step.score >= 0 for step in found.steps)
    for worse, better in pairwise(found.results):
        assert worse.index >= better.index


def test_composite_index_by_hand() -> None:
    first = make_lift(load=20.0, per_minute=1, hours=8)
    second = make_lift(load=10.0, per_minute=2, hours=8)
    expected = 20 / 23 / 0.75 + 10 / 23 * (1 / 0.55 - 1 / 0.75)
    found = composite_lifting_index([second, first])
    assert found.index == pytest.approx(expected)
    assert found.results[0].lift is first


def test_among_equal_lifts_the_more_frequent_one_is_first() -> None:
    """As the manual numbers them; the index is that of both together."""
    rare, often = (make_lift(load=12.0, per_minute=f, vertical=0.75, hours=1) for f in (0.2, 0.1))
    found = composite_lifting_index([often, rare])
    assert [result.lift.per_minute for result in found.results] == [0.2, 0.1]


def test_composite_index_in_us_units() -> None:
    pound = 0.45359237
    lifts = [
        make_lift(load=load * pound, horizontal=0.254, vertical=0.762, per_minute=f, hours=8)
        for load, f in ((30, 1), (20, 2))
    ]
    found = composite_lifting_index(lifts, form="us")
    assert found.index == pytest.approx(30 / 51 / 0.75 + 20 / 51 * (1 / 0.55 - 1 / 0.75))
    assert found.steps[0].part == "30 lb, 1 a minute"


def test_one_lift_is_its_own_composite() -> None:
    lift = make_lift(per_minute=3)
    assert composite_lifting_index([lift]).index == lifting_index(lift).index


def test_bad_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one lift"):
        composite_lifting_index([])
    with pytest.raises(ValueError, match="share its hours"):
        composite_lifting_index([make_lift(hours=1), make_lift(hours=8)])
