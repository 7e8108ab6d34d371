"""The probability of a disorder from the damage of a day."""

import math

import pytest

from robotix.ergonomics.methods.fatigue import disorder_probability


def test_the_probability_is_logistic_and_nothing_without_damage() -> None:
    assert disorder_probability(0.0, intercept=1.0, slope=2.0) == 0
    assert disorder_probability(1.0, intercept=0.0, slope=2.0) == 0.5
    found = disorder_probability(0.1, intercept=1.5, slope=0.9)
    assert math.log(found / (1 - found)) == pytest.approx(1.5 - 0.9)
