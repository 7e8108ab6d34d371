"""The protective separation distance, by hand calculation and as a law."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.errors import BadField
from robotix.safety.separation import (
    SeparationSettings,
    protective_separation,
    speed_for_separation,
)


def test_a_published_worked_example() -> None:
    """[Separation2026]: 1.6 and 1.0 m/s, 0.1 and 0.3 s, 0.20 + 0.10 + 0.05 m: 1.24 m."""
    settings = SeparationSettings(
        reaction_time=0.10, intrusion=0.20, person_uncertainty=0.10, robot_uncertainty=0.05
    )
    terms = protective_separation(settings, robot_speed=1.0, person_speed=1.6, stopping_time=0.3)
    assert terms.person == pytest.approx(0.64)
    assert terms.reaction == pytest.approx(0.10)
    assert terms.stopping == pytest.approx(0.15)
    assert terms.margin == pytest.approx(0.35)
    assert terms.total == pytest.approx(1.24)
    still = protective_separation(settings, robot_speed=0.0, person_speed=1.6, stopping_time=0.3)
    assert still.total == pytest.approx(0.99)


def test_by_hand_with_a_deceleration() -> None:
    settings = SeparationSettings(deceleration=4.0)
    terms = protective_separation(settings, robot_speed=0.8, person_speed=1.6)
    assert terms.person == pytest.approx(1.6 * (0.1 + 0.2))
    assert terms.stopping == pytest.approx(0.8**2 / 8)
    assert terms.total == pytest.approx(0.48 + 0.08 + 0.08 + 0.16)


speeds = st.floats(0.0, 3.0)


@given(v_r=speeds, v_h=speeds, part=st.floats(0.0, 1.0), a=st.floats(0.5, 20.0))
def test_slower_needs_less(v_r: float, v_h: float, part: float, a: float) -> None:
    settings = SeparationSettings(deceleration=a)
    full = protective_separation(settings, robot_speed=v_r, person_speed=v_h).total
    assert protective_separation(settings, robot_speed=part * v_r, person_speed=v_h).total <= full
    assert protective_separation(settings, robot_speed=v_r, person_speed=part * v_h).total <= full


@given(v_r=st.floats(0.01, 3.0), v_h=speeds, a=st.floats(0.5, 20.0))
def test_the_permitted_speed_inverts_the_distance(v_r: float, v_h: float, a: float) -> None:
    settings = SeparationSettings(deceleration=a)
    terms = protective_separation(settings, robot_speed=v_r, person_speed=v_h)
    speed = speed_for_separation(
        settings, terms.total, person_speed=v_h, travelled=v_r * settings.reaction_time
    )
    assert speed == pytest.approx(v_r, rel=1e-6, abs=1e-9)
    less = speed_for_separation(
        settings, terms.total - 0.05, person_speed=v_h, travelled=v_r * settings.reaction_time
    )
    assert less <= speed


def test_nobody_may_be_within_the_margin() -> None:
    settings = SeparationSettings()
    assert speed_for_separation(settings, settings.margin, person_speed=0.0, travelled=0.0) == 0.0


@pytest.mark.parametrize(
    ("name", "value"),
    [("reaction_time", -1.0), ("deceleration", 0.0), ("person_speed", -2.0), ("intrusion", 99.0)],
)
def test_numbers_out_of_range_are_refused(name: str, value: float) -> None:
    with pytest.raises(BadField, match=name):
        SeparationSettings(**{name: value})
