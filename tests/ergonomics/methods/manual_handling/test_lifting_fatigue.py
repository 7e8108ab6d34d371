"""LiFFT: published examples and laws."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.ergonomics import RepeatedLift, lifting_fatigue

POUND, INCH = 0.45359237, 0.0254


def test_the_first_example_of_the_authors_calculator() -> None:
    """30 lb at 16 inches, 760 times a day: a 40 % probability of a high-risk job."""
    lift = RepeatedLift(load=30 * POUND, arm=16 * INCH, per_day=760)
    assert lift.moment == pytest.approx(40 * 12 * POUND * INCH * 9.81)  # 40 ft·lb
    found = lifting_fatigue([lift])
    assert found.probability == pytest.approx(0.40, abs=0.01)
    assert found.verdict.name == "moderate risk"


def test_the_example_of_the_manuscript() -> None:
    """13 kg at 40 cm, 400 times: 51 N·m, 0.000011 a lift, 0.0043 a day [Gallagher2017]."""
    found = lifting_fatigue([RepeatedLift(load=13, arm=0.40, per_day=400)])
    assert round(found.lifts[0].moment) == 51
    assert round(found.damage / 400, 6) == 0.000011
    assert found.damage == pytest.approx(0.0043, rel=0.02)  # coefficients are printed rounded


def test_an_exoskeleton_of_30_newton_metres_saves_70_percent_of_the_damage() -> None:
    """As [Zelik2022] says; the damage saved does not depend on the lift."""
    whole = lifting_fatigue([RepeatedLift(load=15, arm=0.5, per_day=500)])
    eased = lifting_fatigue([RepeatedLift(load=15 - 30 / 9.81 / 0.5, arm=0.5, per_day=500)])
    assert 1 - eased.damage / whole.damage == pytest.approx(0.70, abs=0.03)


def test_damage_adds_up_and_is_shared() -> None:
    light, heavy = (
        RepeatedLift(load=5, arm=0.4, per_day=300),
        RepeatedLift(load=20, arm=0.5, per_day=100),
    )
    found = lifting_fatigue([light, heavy])
    alone = lifting_fatigue([light]).damage + lifting_fatigue([heavy]).damage
    assert found.damage == pytest.approx(alone)
    assert sum(found.shares) == pytest.approx(1) and found.shares[1] > 0.8
    assert found.verdict.level == 3 or found.probability <= 0.5


@given(load=st.floats(0, 40), arm=st.floats(0, 0.8), more=st.floats(1e-3, 10))
def test_more_load_does_more_damage(load: float, arm: float, more: float) -> None:
    one = lifting_fatigue([RepeatedLift(load=load, arm=arm, per_day=100)])
    two = lifting_fatigue([RepeatedLift(load=load + more, arm=arm, per_day=100)])
    assert two.damage >= one.damage and two.probability >= one.probability
    assert 0 <= one.probability <= 1


def test_no_lifts_do_no_damage() -> None:
    found = lifting_fatigue([RepeatedLift(load=10, arm=0.4, per_day=0)])
    assert found.damage == 0 and found.probability == 0 and found.shares == (0.0,)
    assert found.verdict.level == 1


def test_high_moments_call_for_caution() -> None:
    found = lifting_fatigue([RepeatedLift(load=30, arm=0.5, per_day=10)])
    assert "caution" in found.steps[0].reason


def test_bad_lifts_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one lift"):
        lifting_fatigue([])
    with pytest.raises(ValueError, match="arm of the load"):
        RepeatedLift(load=10, arm=40, per_day=10)
    with pytest.raises(ValueError, match="repetitions"):
        RepeatedLift(load=10, arm=0.4, per_day=-1)
