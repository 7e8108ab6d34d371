"""Rotations: laws of the group, and the places where formulas lose their digits."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.geometry import (
    Array,
    exp_rotation,
    log_rotation,
    quaternion_from_rotation,
    quaternions_from_rotations,
    rotation_about,
    rotation_from_quaternion,
    rotation_from_rpy,
    rpy_from_rotation,
    skew,
)

# Anything, with many zeros, tiny numbers and right angles among it.
angles = st.floats(-10, 10) | st.sampled_from(
    [0.0, 1e-300, 1e-16, 1e-9, 1e-4, math.pi / 2, -math.pi / 2, math.pi, -math.pi, 2 * math.pi]
)
vectors = st.tuples(angles, angles, angles).map(np.array)


def assert_rotation(matrix: Array) -> None:
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(3), atol=2e-15)
    assert np.linalg.det(matrix) == pytest.approx(1)


@given(a=vectors, b=vectors)
def test_skew_multiplies_as_a_cross_product(a: Array, b: Array) -> None:
    np.testing.assert_allclose(skew(a) @ b, np.cross(a, b), atol=1e-12)


@given(vector=vectors)
def test_exp_gives_a_rotation_about_its_vector(vector: Array) -> None:
    R = exp_rotation(vector)
    assert_rotation(R)
    np.testing.assert_allclose(R @ vector, vector, atol=1e-13)
    assert np.trace(R) == pytest.approx(1 + 2 * math.cos(math.hypot(*vector)), abs=1e-13)


@given(vector=vectors)
def test_exp_of_the_opposite_is_the_inverse(vector: Array) -> None:
    np.testing.assert_allclose(exp_rotation(-vector), exp_rotation(vector).T, atol=1e-15)


@given(vector=vectors)
def test_exp_undoes_log(vector: Array) -> None:
    R = exp_rotation(vector)
    logarithm = log_rotation(R)
    assert math.hypot(*logarithm) <= math.pi * (1 + 1e-15)
    np.testing.assert_allclose(exp_rotation(logarithm), R, atol=3e-15)


@pytest.mark.parametrize(
    "angle", [1e-300, 1e-20, 1e-12, 1e-9, 1e-8, 1e-4, 1e-3, 1.0, 3.0, 3.14159, math.pi - 1e-12]
)
@pytest.mark.parametrize("axis", [(1, 0, 0), (0, -1, 0), (1, 2, -2), (-0.1, 1e-3, 5)])
def test_log_undoes_exp_to_the_last_digits(angle: float, axis: tuple[float, ...]) -> None:
    vector = angle * np.array(axis) / math.hypot(*axis)
    np.testing.assert_allclose(
        log_rotation(exp_rotation(vector)), vector, rtol=1e-14, atol=1e-15 * angle
    )


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0, 0.8), (-2, 3, 6)])
def test_half_a_turn_has_a_logarithm(axis: tuple[float, ...]) -> None:
    unit = np.array(axis) / math.hypot(*axis)
    logarithm = log_rotation(2 * np.outer(unit, unit) - np.eye(3))  # exactly π
    assert math.hypot(*logarithm) == pytest.approx(math.pi, abs=1e-14)
    assert abs(logarithm @ unit) == pytest.approx(math.pi, abs=1e-14)


def test_nothing_is_the_logarithm_of_the_identity() -> None:
    np.testing.assert_array_equal(log_rotation(np.eye(3)), np.zeros(3))
    np.testing.assert_array_equal(exp_rotation(np.zeros(3)), np.eye(3))


@given(vector=vectors, length=st.sampled_from([1e-300, 1e-150, 1.0, 1e150, 1e300]))
def test_any_length_of_a_quaternion_will_do(vector: Array, length: float) -> None:
    R = exp_rotation(vector)
    w, x, y, z = quaternion = quaternion_from_rotation(R)
    assert w >= 0
    assert math.hypot(w, x, y, z) == pytest.approx(1, abs=1e-15)
    np.testing.assert_allclose(rotation_from_quaternion(length * quaternion), R, atol=2e-15)
    np.testing.assert_allclose(rotation_from_quaternion(-quaternion), R, atol=2e-15)


@given(st.lists(vectors, max_size=4))
def test_many_quaternions_are_found_as_each_of_them(listed: list[Array]) -> None:
    rotations = np.array([exp_rotation(vector) for vector in listed]).reshape(-1, 3, 3)
    found = quaternions_from_rotations(rotations)
    assert found.shape == (len(listed), 4)
    assert (found[:, 0] >= 0).all()
    for quaternion, rotation in zip(found, rotations, strict=True):
        np.testing.assert_allclose(rotation_from_quaternion(quaternion), rotation, atol=1e-14)
        one = quaternion_from_rotation(rotation)
        assert abs(quaternion @ one) == pytest.approx(1.0, abs=1e-14)
    paired = quaternions_from_rotations(np.stack([rotations, rotations]))
    np.testing.assert_array_equal(paired, np.stack([found, found]))


def test_quaternions_are_scalar_first() -> None:
    R = rotation_from_quaternion([math.cos(0.2), 0, 0, math.sin(0.2)])
    np.testing.assert_allclose(R, rotation_about([0, 0, 1], 0.4), atol=1e-15)


@pytest.mark.parametrize("length", [1e-200, 1.0, 1e200])
def test_any_length_of_an_axis_will_do(length: float) -> None:
    quarter = rotation_about([0, length, 0], math.pi / 2)
    np.testing.assert_allclose(quarter @ [0, 0, 1], [1, 0, 0], atol=1e-15)


def test_roll_pitch_and_yaw_turn_about_fixed_axes_in_this_order() -> None:
    x, y, z = np.eye(3)
    turned = rotation_about(z, 0.3) @ rotation_about(y, 0.2) @ rotation_about(x, 0.1)
    np.testing.assert_allclose(rotation_from_rpy(0.1, 0.2, 0.3), turned, atol=1e-15)


@given(roll=angles, pitch=angles, yaw=angles)
def test_rpy_gives_the_rotation_back(roll: float, pitch: float, yaw: float) -> None:
    R = rotation_from_rpy(roll, pitch, yaw)
    found = rpy_from_rotation(R)
    assert abs(found[1]) <= math.pi / 2
    np.testing.assert_allclose(rotation_from_rpy(*found), R, atol=3e-12)


@pytest.mark.parametrize("short", [0.0, 1e-17, 1e-13, 1e-12, 1e-10, 1e-8, 1e-5])
@pytest.mark.parametrize("side", [-1, 1])
def test_rpy_at_and_near_gimbal_lock(short: float, side: int) -> None:
    R = rotation_from_rpy(0.7, side * (math.pi / 2 - short), -1.1)
    found = rpy_from_rotation(R)
    np.testing.assert_allclose(rotation_from_rpy(*found), R, atol=2e-12)
    if short < 1e-13:
        assert found[0] == 0


BAD = [
    (skew, [1, 2]),
    (exp_rotation, [0, math.nan, 0]),
    (exp_rotation, [[1, 2, 3]]),
    (log_rotation, np.full((3, 3), math.inf)),
    (rotation_from_quaternion, [0, 0, 0, 0]),
    (rotation_from_quaternion, [1, 0, 0]),
    (rotation_from_quaternion, [1, math.inf, 0, 0]),
    (quaternion_from_rotation, np.eye(4)),
    (rpy_from_rotation, np.eye(2)),
    (lambda axis: rotation_about(axis, 1.0), [0, 0, 0]),
    (lambda axis: rotation_about(axis, math.nan), [0, 0, 1]),
    (lambda angles: rotation_from_rpy(*angles), [0, math.inf, 0]),
]


@pytest.mark.parametrize(("function", "values"), BAD)
def test_bad_numbers_are_refused(function: Callable[[object], Array], values: object) -> None:
    with pytest.raises(ValueError, match="must"):
        function(values)
