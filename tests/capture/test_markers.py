"""Markers: units, axes and gaps."""

from __future__ import annotations

import math

import numpy as np
import pytest
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
