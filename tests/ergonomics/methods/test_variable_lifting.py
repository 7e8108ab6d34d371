"""The variable lifting index."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lifts import lifts, make_lift

from robotix.ergonomics import Lift, lifting_index, variable_lifting_index


def of_index(fili: float, **changes: float) -> Lift:
    """Return a lift with this FILI: all multipliers are 1 but that of the frequency."""
    return make_lift(load=23 * fili, **changes)


def test_limits_of_the_categories() -> None:
    """FILI from 0.3 to 2.5: 0.67, 1.0, 1.4, 1.8, 2.1 and 2.5, as ergonomiesite.be has them."""
    fili = [0.3, 0.7, 1.2, 1.6, 2.0, 2.5]
    found = variable_lifting_index([of_index(each, per_minute=0.2, hours=8) for each in fili])
    edges = sorted(round(each.high, 2) for each in found.categories)
    assert edges == [0.67, 1.03, 1.40, 1.77, 2.13, 2.50]
    assert [len(each.results) for each in found.categories] == [1] * 6


def test_by_hand() -> None:
    """Two categories of 3 lifts a minute in all, two thirds of which are light."""
    job = [of_index(0.4, per_minute=1, hours=8), of_index(0.5, per_minute=1, hours=8)]
    job.append(of_index(1.2, per_minute=1, hours=8))
    found = variable_lifting_index(job)
    light = 0.45  # the mean of 0.4 and 0.5, which lie in the lowest category, 0.4 to 0.533
    assert found.index == pytest.approx(1.2 / 0.75 + light * (1 / 0.55 - 1 / 0.75))
    assert [each.single_lift_index for each in found.categories] == pytest.approx([1.2, light])
    assert found.verdict.level == 2
    assert any("no worked example" in line for line in found.sources)


@given(lift=lifts, count=st.integers(1, 5))
def test_equal_lifts_are_one_lift_at_their_common_frequency(lift: Lift, count: int) -> None:
    together = Lift(**{**vars(lift), "per_minute": lift.per_minute * count})
    found = variable_lifting_index([lift] * count)
    assert found.index == pytest.approx(lifting_index(together).index)


@given(jobs=st.lists(lifts.map(lambda lift: Lift(**{**vars(lift), "hours": 8.0})), min_size=1))
def test_no_category_is_worse_than_the_whole(jobs: list[Lift]) -> None:
    found = variable_lifting_index(jobs)
    assert 1 <= len(found.categories) <= 7
    assert sum(len(each.results) for each in found.categories) == len(jobs)
    assert found.index >= max(each.index for each in found.categories) - 1e-9
    for worse, better in pairwise(found.categories):
        assert worse.index >= better.index


def test_a_lift_that_may_not_be_done_decides() -> None:
    found = variable_lifting_index([make_lift(), make_lift(horizontal=0.8)])
    assert math.isinf(found.index) and found.verdict.level == 3


def test_bad_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one lift"):
        variable_lifting_index([])
    with pytest.raises(ValueError, match="share its hours"):
        variable_lifting_index([make_lift(hours=1), make_lift(hours=8)])
