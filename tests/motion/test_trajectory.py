"""Pose paths and trajectories."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.point_paths import PATHS, WAYPOINTS

from robotix.geometry import Array, Pose, exp_rotation, log_rotation, rotation_from_rpy
from robotix.motion import PosePath, Profile, Spline, Trajectory

vectors = arrays(float, 3, elements=st.floats(-2, 2))


START = Pose(rotation_from_rpy(0.3, -0.2, 0.9), np.array([0.1, 0, 0.4]))


END = Pose(rotation_from_rpy(-1.3, 0.7, 2.9), np.array([0.6, -0.5, 0.2]))


TRAJECTORIES = [
    Trajectory(PosePath.straight(START, END), Profile.minimum_jerk(2.0)),
    Trajectory(PosePath(Spline(WAYPOINTS), START.rotation, END.rotation), Profile.quintic(3.0)),
    Trajectory(PosePath(PATHS[2], START.rotation), Profile.minimum_jerk(1.5)),
    Trajectory(PosePath.straight(START, Pose(END.rotation, START.translation)), Profile.cubic(1.0)),
]


@given(first=vectors, last=vectors, part=st.floats(0, 0.99))
def test_orientation_turns_at_a_constant_rate(first: Array, last: Array, part: float) -> None:
    path = PosePath(PATHS[0], exp_rotation(first), exp_rotation(last))
    step = path.pose(part + 0.01).rotation @ path.pose(part).rotation.T
    np.testing.assert_allclose(log_rotation(step), 0.01 * path.rotation_vector, atol=1e-9)
    np.testing.assert_allclose(path.pose(1.0).rotation, exp_rotation(last), atol=1e-9)
    assert np.linalg.norm(path.rotation_vector) <= math.pi + 1e-9


@pytest.mark.parametrize("trajectory", TRAJECTORIES)
@settings(max_examples=25)
@given(part=st.floats(0.01, 0.99))
def test_twist_and_acceleration_are_time_derivatives(trajectory: Trajectory, part: float) -> None:
    t, h = part * trajectory.duration, 1e-5
    before, after = trajectory.pose(t - h), trajectory.pose(t + h)
    linear = (after.translation - before.translation) / (2 * h)
    angular = log_rotation(after.rotation @ before.rotation.T) / (2 * h)
    np.testing.assert_allclose(trajectory.twist(t), [*linear, *angular], atol=1e-6)
    slope = (trajectory.twist(t + h) - trajectory.twist(t - h)) / (2 * h)
    np.testing.assert_allclose(trajectory.acceleration(t), slope, atol=2e-3)


@pytest.mark.parametrize("trajectory", TRAJECTORIES)
def test_a_trajectory_rests_at_its_ends(trajectory: Trajectory) -> None:
    for t in (-1.0, 0.0, trajectory.duration, trajectory.duration + 1):
        np.testing.assert_allclose(trajectory.twist(t), 0, atol=1e-12)
    last = trajectory.pose(trajectory.duration + 1).translation
    np.testing.assert_allclose(trajectory.pose(trajectory.duration).translation, last)


def test_only_rotations_are_orientations() -> None:
    with pytest.raises(ValueError, match="orthonormal"):
        PosePath(PATHS[0], 2 * np.eye(3))


def test_straight_reaches_both_poses() -> None:
    path = PosePath.straight(START, END)
    np.testing.assert_allclose(path.pose(0).matrix, START.matrix, atol=1e-12)
    np.testing.assert_allclose(path.pose(1).matrix, END.matrix, atol=1e-12)
