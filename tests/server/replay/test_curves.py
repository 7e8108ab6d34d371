"""Curves are thinned without losing a peak, and read between their values."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from robotix.server.replay.curves import Series, envelope, value_at


@given(count=st.integers(2, 200), n=st.integers(1, 3000), seed=st.integers(0, 100))
def test_no_peak_is_lost(count: int, n: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(size=n)
    series = Series(np.arange(n) / 120, values, "rad")
    times, low, high = envelope(series, start=0.0, end=n / 120, count=count)
    assert len(times) == len(low) == len(high) <= 2 * count
    assert low.min() == values.min() and high.max() == values.max()
    assert (low <= high).all() and (np.diff(times) > 0).all()


def test_few_values_are_returned_with_their_neighbours() -> None:
    series = Series(np.arange(10.0), np.arange(10.0) ** 2, "m")
    times, low, high = envelope(series, start=2.5, end=4.5, count=50)
    assert times.tolist() == [2.0, 3.0, 4.0, 5.0, 6.0][: len(times)]
    assert low.tolist() == high.tolist() == [t**2 for t in times]


def test_unknown_values_hide_no_known_ones() -> None:
    values = np.full(1000, np.nan)
    values[500] = 3.0
    _, low, high = envelope(Series(np.arange(1000.0), values, ""), start=0, end=1000, count=10)
    assert np.nanmax(high) == np.nanmin(low) == 3.0


def test_values_are_interpolated_or_held_and_unknown_outside() -> None:
    times, values = np.array([1.0, 2.0]), np.array([0.0, 10.0])
    asked = np.array([0.5, 1.25, 2.0, 2.5])
    smooth = value_at(Series(times, values, ""), asked)
    np.testing.assert_array_equal(smooth, [np.nan, 2.5, 10.0, np.nan])
    held = value_at(Series(times, values, "", is_held=True), asked)
    np.testing.assert_array_equal(held, [np.nan, 0.0, 10.0, 10.0])
    assert np.isnan(value_at(Series(times[:0], values[:0], ""), asked)).all()
