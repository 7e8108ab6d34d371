import math

import pytest

from robotix.experiments.trial import TrialOutcome, TrialPlan


def test_a_plan_counts_repeats_from_one() -> None:
    assert TrialPlan("P01", "books").repeat == 1
    with pytest.raises(ValueError, match="counted from 1"):
        TrialPlan("P01", "books", 0)


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan])
def test_a_time_limit_is_positive(limit: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        TrialPlan("P01", "books", time_limit=limit)


def test_an_outcome_has_a_known_status_and_finite_numbers() -> None:
    with pytest.raises(ValueError, match="not 'lost'"):
        TrialOutcome("lost", 1.0)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="finite time"):
        TrialOutcome("finished", math.nan)
    with pytest.raises(ValueError, match="counted from 0"):
        TrialOutcome("finished", 1.0, -1)
    with pytest.raises(ValueError, match="leave out"):
        TrialOutcome("finished", 1.0, measures={"path_length": math.inf})
