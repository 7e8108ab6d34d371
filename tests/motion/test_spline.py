"""Splines through points, parametrised by arc length."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.point_paths import WAYPOINTS

from robotix.geometry import Array
from robotix.motion import Spline


@settings(max_examples=25)
@given(points=arrays(float, (6, 3), elements=st.floats(-1, 1)))
def test_spline_passes_through_its_points(points: Array) -> None:
    assume(np.linalg.norm(np.diff(points, axis=0), axis=1).min() > 0.05)
    try:
        spline = Spline(points)
    except ValueError as error:
        assert "turns back" in str(error)
        return
    np.testing.assert_allclose(spline.point(0), points[0], atol=1e-12)
    np.testing.assert_allclose(spline.point(spline.length), points[-1], atol=1e-12)
    knots = spline._table[0][np.searchsorted(spline._table[1], spline._knots)]
    for s, point in zip(knots, points, strict=True):
        np.testing.assert_allclose(spline.point(float(s)), point, atol=1e-9)
    h = 1e-6 * spline.length
    for s in knots[1:-1]:  # position, tangent and curvature run on across the points
        before, after = spline.curvature(float(s) - h), spline.curvature(float(s) + h)
        assert np.linalg.norm(after - before) <= 1e-3 * (1 + np.linalg.norm(before)) ** 3


def test_spline_is_the_natural_one_of_scipy() -> None:
    from scipy.interpolate import CubicSpline

    spline = Spline(WAYPOINTS)
    peer = CubicSpline(spline._knots, WAYPOINTS, bc_type="natural")
    for u in np.linspace(0, spline._knots[-1], 50):
        for order in range(3):
            np.testing.assert_allclose(spline._derivative(u, order), peer(u, order), atol=1e-12)


def test_two_points_make_a_straight_spline() -> None:
    spline = Spline(WAYPOINTS[:2])
    assert spline.length == pytest.approx(math.dist(*WAYPOINTS[:2]), rel=1e-14)
    np.testing.assert_allclose(spline.curvature(0.1), 0, atol=1e-12)
