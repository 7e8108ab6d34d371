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


def test_one_lift_is_its_own_composite() -> None:
    lift = make_lift(per_minute=3)
    assert composite_lifting_index([lift]).index == lifting_index(lift).index


def test_bad_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one lift"):
        composite_lifting_index([])
    with pytest.raises(ValueError, match="share its hours"):
        composite_lifting_index([make_lift(hours=1), make_lift(hours=8)])
