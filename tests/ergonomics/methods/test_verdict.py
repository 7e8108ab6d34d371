"""Verdicts: levels of scores, and steps with their reasons."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics.methods.verdict import Level, judge, levels_of, no_verdict, scored

LEVELS = (Level(1.0, "low", "none"), Level(3.0, "medium", "look"), Level(9.0, "high", "act"))


@pytest.mark.parametrize(
    ("score", "name"), [(0.0, "low"), (1.0, "low"), (1.1, "medium"), (3.0, "medium"), (99, "high")]
)
def test_an_edge_belongs_to_the_milder_level(score: float, name: str) -> None:
    verdict = judge(score, LEVELS)
    assert verdict.name == name and verdict.levels == 3 and verdict.is_given


@given(st.lists(st.floats(0, 20), min_size=1))
def test_arrays_are_judged_as_single_scores(scores: list[float]) -> None:
    expected = [judge(score, LEVELS).level for score in scores]
    np.testing.assert_array_equal(levels_of(np.array(scores), LEVELS), expected)


def test_without_verified_data_there_is_no_verdict() -> None:
    assert not no_verdict("the limit is unverified").is_given


def test_points_that_apply_are_added_with_their_reasons() -> None:
    step = scored(
        "arm",
        2,
        "raised",
        extras=[(True, 1, "abducted"), (False, 9, "never"), (True, -1, "supported")],
    )
    assert (step.part, step.score) == ("arm", 2)
    assert "abducted: +1" in step.reason and "never" not in step.reason
    assert scored("arm", 1, "hanging", extras=[(True, -1, "supported")]).score == 1
