"""Filters for recorded trajectories."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.signal import butter, filtfilt
from support.marker_waves import wave, with_gap

from robotix.capture.markers import MarkerSet


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
