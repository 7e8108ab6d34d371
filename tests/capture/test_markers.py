"""Markers: units, axes, gaps, smoothing and sampling."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.signal import butter, filtfilt
from support.marker_waves import wave, with_gap

from robotix.capture.markers import MarkerGap, MarkerSet, metres_per, z_up
from robotix.errors import UnknownName
from robotix.geometry import Pose


def test_markers_are_read_by_name() -> None:
    markers = wave()
    assert markers["b"].shape == (101, 3)
    assert markers.rate == pytest.approx(100)
    np.testing.assert_allclose(markers.middle(["a", "b"]), 1.5 * markers["a"])
    with pytest.raises(UnknownName, match="no marker 'c'"):
        markers["c"]


@pytest.mark.parametrize(
    ("names", "times", "shape", "what"),
    [
        (("a", "a"), [0.0, 1.0], (2, 2, 3), "two markers have the name 'a'"),
        (("a",), [0.0, 0.0], (2, 1, 3), "each later than"),
        (("a",), [], (0, 1, 3), "one time or more"),
        (("a",), [0.0, math.inf], (2, 1, 3), "finite"),
        (("a",), [0.0], (1, 2, 3), "positions must be"),
    ],
)
def test_impossible_markers_are_refused(
    names: tuple[str, ...], times: list[float], shape: tuple[int, ...], what: str
) -> None:
    with pytest.raises(ValueError, match=what):
        MarkerSet(names, np.array(times), np.zeros(shape))


def test_gaps_are_told_and_only_short_ones_inside_are_filled() -> None:
    markers = with_gap(wave(), "a", rows=slice(50, 60))
    markers = with_gap(markers, "b", rows=slice(0, 5))
    assert markers.gaps() == [MarkerGap("a", 0.49, 0.6), MarkerGap("b", 0.0, 0.05)]
    filled = markers.filled(longest=0.2)
    np.testing.assert_allclose(filled["a"], wave()["a"], atol=2e-4)
    assert filled.gaps() == [MarkerGap("b", 0.0, 0.05)]  # nobody knows where it came from
    assert markers.filled(longest=0.1).gaps() == markers.gaps()


def test_half_a_place_is_no_place() -> None:
    positions = wave().positions.copy()
    positions[3, 0, 1] = np.nan
    assert np.isnan(MarkerSet(("a", "b"), wave().times, positions)["a"][3]).all()


def test_smoothing_is_butterworth_there_and_back() -> None:
    rng = np.random.default_rng(0)
    noisy = MarkerSet(("a",), np.arange(300) / 100, rng.normal(size=(300, 1, 3)).cumsum(axis=0))
    b, a = butter(2, 6.0 / (math.sqrt(2) - 1) ** 0.25 / 50)
    expected = filtfilt(b, a, noisy["a"], axis=0, padlen=60)
    np.testing.assert_allclose(noisy.smoothed(6.0)["a"][20:-20], expected[20:-20], atol=1e-3)


def test_smoothing_halves_the_power_at_the_cutoff_and_keeps_what_is_slow() -> None:
    t = np.arange(2000) / 200

    def amplitude(frequency: float) -> float:
        curve = np.sin(2 * np.pi * frequency * t)
        markers = MarkerSet(("a",), t, np.stack([curve] * 3, axis=1)[:, None])
        return float(abs(markers.smoothed(6.0)["a"][500:1500, 0]).max())

    assert amplitude(0.5) == pytest.approx(1.0, abs=1e-3)
    assert amplitude(6.0) == pytest.approx(math.sqrt(0.5), abs=0.01)
    assert amplitude(40.0) < 1e-3


def test_smoothing_does_not_reach_across_gaps() -> None:
    gappy = with_gap(wave(), "a", rows=slice(50, 60))
    smooth = gappy.smoothed(6.0)
    assert np.isnan(smooth["a"][50:60]).all()
    np.testing.assert_allclose(smooth["a"][:50], gappy.rows(0, 50).smoothed(6.0)["a"])


def test_resampling_goes_through_the_rows_and_keeps_gaps() -> None:
    markers = with_gap(wave(), "a", rows=slice(50, 60))
    finer = markers.resampled(200.0)
    np.testing.assert_allclose(finer.positions[::2], markers.positions, atol=1e-9)
    exact = wave(201, rate=200.0)
    np.testing.assert_allclose(finer["b"][2:-2], exact["b"][2:-2], atol=1e-6)
    assert np.isnan(finer["a"][99:120]).all()


def test_turning_axes_keeps_right_and_left() -> None:
    for up in ("x", "y", "z"):
        turned = z_up(np.eye(3), up)
        assert np.linalg.det(turned) == pytest.approx(1)
        np.testing.assert_array_equal(turned["xyz".index(up)], [0, 0, 1])
    np.testing.assert_array_equal(z_up([1, 2, 3], "y"), [3, 1, 2])  # z forward becomes x


def test_units_have_names_or_are_numbers() -> None:
    assert metres_per("mm") == metres_per(" MM ") == metres_per(0.001) == 0.001
    assert metres_per("meters") == 1.0
    with pytest.raises(UnknownName, match="unit of length 'furlong'"):
        metres_per("furlong")
    with pytest.raises(ValueError, match="positive"):
        metres_per(-1.0)


def test_moving_is_seeing_from_another_frame() -> None:
    pose = Pose.at(1, 2, 3, rpy=(0.1, 0.2, 0.3))
    np.testing.assert_allclose(wave().moved(pose)["a"], pose.apply(wave()["a"]))
