"""Rounded numbers and rotations of files."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.files.yaml.rounding import is_same_pose, tidy, write_point, write_rotation
from robotix.geometry import Pose

angles = st.floats(-math.pi, math.pi)


@pytest.mark.parametrize(
    ("number", "expected"), [(0.1 + 0.2, 0.3), (-0.0, 0.0), (1e-7, 1e-7), (1.25, 1.25)]
)
def test_noise_in_the_last_digits_is_removed(number: float, expected: float) -> None:
    assert tidy(number) == expected and math.copysign(1, tidy(number)) == math.copysign(1, expected)


def test_the_origin_is_not_written() -> None:
    assert write_point(np.array([1e-12, 0.0, -1e-12])) == []
    assert write_point(np.array([0.1 + 0.2, 0.0, 0.0])) == [0.3, 0.0, 0.0]


@pytest.mark.parametrize("key", ["rpy_deg", "rpy", "quaternion"])
@given(angles, st.floats(-1.5, 1.5), angles)
def test_a_written_rotation_is_the_same_rotation(
    key: str, roll: float, pitch: float, yaw: float
) -> None:
    pose = Pose.at(0, 0, 0, rpy=(roll, pitch, yaw))
    written = write_rotation(pose, key=key)
    match written:
        case {"rpy_deg": degrees}:
            back = Pose.at(0, 0, 0, rpy=np.radians(degrees))  # type: ignore[arg-type]
        case {"rpy": rpy}:
            back = Pose.at(0, 0, 0, rpy=rpy)  # type: ignore[arg-type]
        case {"quaternion": quaternion}:
            back = Pose.from_quaternion((0, 0, 0), quaternion)  # type: ignore[arg-type]
        case _:
            back = Pose()
    assert is_same_pose(back, pose)


def test_no_rotation_is_not_written() -> None:
    assert write_rotation(Pose.at(1, 2, 3)) == {}
