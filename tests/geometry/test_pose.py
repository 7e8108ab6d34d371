"""Poses: laws of the group, ways to write them down, and what is refused."""

import math
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.geometry import Array, Pose, rotation_about

numbers = st.floats(-10, 10)


@st.composite
def poses(draw: st.DrawFn) -> Pose:
    quaternion = np.array([draw(numbers) for _ in range(4)])
    quaternion[0] += not quaternion.any()
    return Pose.from_quaternion([draw(numbers) for _ in range(3)], quaternion)


def assert_same(a: Pose, b: Pose) -> None:
    np.testing.assert_allclose(a.matrix, b.matrix, atol=1e-12)


@given(a=poses(), b=poses(), c=poses())
def test_products_may_be_grouped_in_any_way(a: Pose, b: Pose, c: Pose) -> None:
    assert_same((a @ b) @ c, a @ (b @ c))


@given(pose=poses())
def test_the_default_changes_nothing(pose: Pose) -> None:
    assert_same(pose @ Pose(), pose)
    assert_same(Pose() @ pose, pose)


@given(pose=poses())
def test_the_inverse_undoes(pose: Pose) -> None:
    assert_same(pose @ pose.inverse(), Pose())
    assert_same(pose.inverse() @ pose, Pose())


@given(a=poses(), b=poses(), points=st.lists(st.tuples(numbers, numbers, numbers), min_size=1))
def test_a_product_maps_as_its_parts_do(a: Pose, b: Pose, points: list[tuple[float, ...]]) -> None:
    np.testing.assert_allclose((a @ b).apply(points), a.apply(b.apply(points)), atol=1e-11)
    np.testing.assert_allclose(a.apply(points)[0], a.apply(points[0]))
    homogeneous = a.matrix @ [*points[0], 1.0]
    np.testing.assert_allclose(a.apply(points[0]), homogeneous[:3], atol=1e-11)


@given(pose=poses())
def test_every_way_to_write_a_pose_gives_it_back(pose: Pose) -> None:
    x, y, z = pose.translation
    assert_same(Pose.at(x, y, z, rpy=pose.rpy), pose)
    assert_same(Pose.from_quaternion(pose.translation, pose.quaternion), pose)
    assert_same(Pose.from_matrix(pose.matrix), pose)
    angle = math.hypot(*pose.rotation_vector)
    if angle > 0:
        turned = Pose(rotation_about(pose.rotation_vector, angle), pose.translation)
        assert_same(turned, pose)


def test_points_may_have_any_number_of_dimensions() -> None:
    pose = Pose.at(1, 2, 3, rpy=(0, 0, math.pi / 2))
    mapped = pose.apply(np.ones((4, 5, 3)))
    np.testing.assert_allclose(mapped, np.full((4, 5, 3), [0, 3, 4]), atol=1e-15)


def test_names_cancel() -> None:
    world_from_hand, hand_from_tip = Pose.at(1, 0, 0, rpy=(0, 0, math.pi / 2)), Pose.at(0.5, 0, 0)
    world_from_tip = world_from_hand @ hand_from_tip
    np.testing.assert_allclose(world_from_tip.translation, [1, 0.5, 0], atol=1e-15)


def test_poses_cannot_be_changed() -> None:
    source = np.eye(3)
    pose = Pose(source)
    source[0, 0] = 7.0
    assert pose.rotation[0, 0] == 1.0
    with pytest.raises(ValueError, match="read-only"):
        pose.translation[0] = 1.0
    with pytest.raises(FrozenInstanceError):
        pose.rotation = np.eye(3)  # type: ignore[misc]


def test_poses_travel() -> None:
    pose = Pose.at(1, 2, 3, rpy=(0.1, 0.2, 0.3))
    assert_same(pickle.loads(pickle.dumps(pose)), pose)


def test_a_coarse_rotation_is_made_exact_and_stays_so() -> None:
    """Single precision from a file must not add up over a long chain of products."""
    coarse = rotation_about([1, 2, 3], 0.7).astype(np.float32).astype(float)
    step = Pose(coarse)
    np.testing.assert_allclose(step.rotation, coarse, atol=1e-6)
    pose = step
    for _ in range(500):
        pose = pose @ step
    np.testing.assert_allclose(pose.rotation @ pose.rotation.T, np.eye(3), atol=1e-11)


BAD_ROTATIONS = [
    np.eye(4),
    np.diag([1.0, 1.0, -1.0]),  # a mirror
    2 * np.eye(3),
    np.diag([1.0, 1.0, 1.001]),
    np.zeros((3, 3)),
    np.full((3, 3), math.nan),
    np.full((3, 3), 1e200),
]


@pytest.mark.parametrize("rotation", BAD_ROTATIONS)
def test_what_is_no_rotation_is_refused(rotation: Array) -> None:
    with pytest.raises(ValueError, match="rotation must be"):
        Pose(rotation)


@pytest.mark.parametrize("translation", [[0, 0], [0, 0, math.inf], [[0, 0, 0]], [math.nan] * 3])
def test_what_is_no_translation_is_refused(translation: list[float]) -> None:
    with pytest.raises(ValueError, match="translation must be"):
        Pose(translation=np.array(translation))


def test_what_is_no_matrix_of_a_pose_is_refused() -> None:
    with pytest.raises(ValueError, match="matrix must be"):
        Pose.from_matrix(np.eye(4)[:3])
    with pytest.raises(ValueError, match="last row"):
        Pose.from_matrix(np.diag([1.0, 1.0, 1.0, 2.0]))
    with pytest.raises(ValueError, match="rotation must be"):
        Pose.from_matrix(np.diag([2.0, 1.0, 1.0, 1.0]))


def test_bad_angles_are_refused() -> None:
    with pytest.raises(ValueError, match="rpy must be"):
        Pose.at(0, 0, 0, rpy=(0, 0))
    with pytest.raises(ValueError, match="quaternion must be other than zero"):
        Pose.from_quaternion([0, 0, 0], [0, 0, 0, 0])
