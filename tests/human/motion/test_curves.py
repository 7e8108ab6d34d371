"""Smooth curves: through their points, at rest at their ends."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array, exp_rotation
from robotix.human.motion.curves import (
    clamped_spline,
    lower_envelope,
    minimum_jerk,
    partial_rotations,
    pitch_rotations,
    ramp,
    sampled_curve,
    translated,
    yaw_rotations,
)


def test_minimum_jerk_starts_and_ends_at_rest() -> None:
    t = np.linspace(0, 1, 1001)
    s = minimum_jerk(t)
    assert s[0] == 0 and s[-1] == 1 and (np.diff(s) >= 0).all()
    rate, bend = np.gradient(s, t), np.gradient(np.gradient(s, t), t)
    assert abs(rate[[0, -1]]).max() < 1e-2 and abs(bend[[1, -2]]).max() < 0.2
    np.testing.assert_allclose(rate.max(), 1.875, rtol=1e-3)
    np.testing.assert_array_equal(minimum_jerk([-1.0, 2.0]), [0.0, 1.0])


def test_a_course_goes_through_its_points_in_time() -> None:
    times, points = [0.0, 0.5, 0.8, 2.0], [[0.0, 1.0], [1.0, 1.0], [2.0, 0.0], [2.0, 2.0]]
    np.testing.assert_allclose(clamped_spline(times, points, at=times), points, atol=1e-12)
    t = np.linspace(0, 2, 2001)
    rate = np.gradient(clamped_spline(times, points, at=t), t, axis=0)
    assert abs(rate[[0, -1]]).max() < 0.02
    assert abs(np.diff(rate, axis=0)).max() < 0.05  # no jumps of speed


@given(arrays(float, (4, 3), elements=st.floats(-1, 1)), st.integers(5, 60))
def test_a_sampled_curve_ends_at_its_last_point(points: Array, ticks: int) -> None:
    rows = sampled_curve(points, ticks)
    assert rows.shape == (ticks, 3)
    np.testing.assert_allclose(rows[-1], points[-1], atol=1e-9)


def test_a_curve_that_goes_nowhere_stays() -> None:
    np.testing.assert_array_equal(sampled_curve([[1.0, 2.0]] * 3, 4), [[1.0, 2.0]] * 4)


@given(arrays(float, 50, elements=st.floats(-1, 1)), st.integers(1, 10))
def test_a_lower_envelope_is_nowhere_above(values: Array, width: int) -> None:
    assert (lower_envelope(values, width=width) <= values + 1e-12).all()


@given(arrays(float, 3, elements=st.floats(-2, 2)))
def test_turning_is_the_exponential(vector: Array) -> None:
    for share, rotation in zip(ramp(5), partial_rotations(vector, ramp(5)), strict=True):
        np.testing.assert_allclose(rotation, exp_rotation(share * vector), atol=1e-12)


def test_yaw_turns_left_and_pitch_bows() -> None:
    np.testing.assert_allclose(yaw_rotations(np.pi / 2) @ [1, 0, 0], [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(pitch_rotations(np.pi / 2) @ [0, 0, 1], [1, 0, 0], atol=1e-12)
    np.testing.assert_array_equal(translated([1.0, 2.0], x=1.0, z=5.0), [2.0, 2.0])
