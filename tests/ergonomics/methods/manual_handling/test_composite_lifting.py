"""The composite and the variable lifting index."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.lifts import lifts, make_lift

from robotix.ergonomics import Lift, composite_lifting_index, lifting_index, variable_lifting_index


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


# -- the variable index ----------------------------------------------------------------------------


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


def test_variable_index_by_hand() -> None:
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
    rate = round(4 * lift.per_minute) / 4  # so that sums are exact: FM falls to 0 at a frequency
    together = Lift(**{**vars(lift), "per_minute": rate * count})
    found = variable_lifting_index([Lift(**{**vars(lift), "per_minute": rate})] * count)
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


def test_bad_variable_jobs_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one lift"):
        variable_lifting_index([])
    with pytest.raises(ValueError, match="share its hours"):
        variable_lifting_index([make_lift(hours=1), make_lift(hours=8)])
