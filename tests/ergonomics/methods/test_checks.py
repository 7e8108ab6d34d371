"""Range checks of the inputs of the methods."""

import math

import pytest

from robotix.ergonomics.methods.checks import (
    check_angle,
    check_hours,
    check_not_negative,
    check_one_of,
    check_range,
)


@pytest.mark.parametrize("value", [-0.1, 2.1, math.nan, math.inf])
def test_values_out_of_range_are_refused(value: float) -> None:
    with pytest.raises(ValueError, match="arm must be from 0 to 2 m"):
        check_range("arm", value, low=0, high=2, unit="m")
    check_range("arm", 2.0, low=0, high=2)


@pytest.mark.parametrize("hours", [0.0, -1.0, 8.1, math.nan])
def test_hours_are_those_of_a_shift(hours: float) -> None:
    with pytest.raises(ValueError, match="hours of lifting"):
        check_hours("lifting", hours)
    check_hours("lifting", 8.0)


@pytest.mark.parametrize("value", [-1e-9, math.inf, math.nan])
def test_amounts_are_finite_and_not_negative(value: float) -> None:
    with pytest.raises(ValueError, match="finite number of kg"):
        check_not_negative("load", value, unit="kg")
    check_not_negative("load", 0.0, unit="kg")


def test_angles_are_checked_in_degrees() -> None:
    check_angle("neck", math.radians(90), low=-60, high=90)
    with pytest.raises(ValueError, match="from -60 to 90 degrees, got 91"):
        check_angle("neck", math.radians(91), low=-60, high=90)


def test_an_unknown_word_comes_with_the_nearest_known_one() -> None:
    check_one_of("coupling", "good", ("good", "fair"))
    with pytest.raises(ValueError, match="did you mean 'good'"):
        check_one_of("coupling", "god", ("good", "fair"))
