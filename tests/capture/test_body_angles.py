"""Angles between joint centres of known figures."""

import numpy as np
import pytest

from robotix.capture.body_angles import body_angles


def points(**at: tuple[float, float, float]) -> dict[str, np.ndarray]:
    return {name: np.array([position]) for name, position in at.items()}


def test_a_straight_leg_is_zero_and_a_right_angle_is_a_quarter_turn() -> None:
    straight = points(right_hip=(0, 0, 1), right_knee=(0, 0, 0.5), right_ankle=(0, 0, 0))
    bent = straight | points(right_ankle=(-0.5, 0, 0.5))
    assert dict(body_angles(straight))["right_knee"] == pytest.approx(0.0)
    assert dict(body_angles(bent))["right_knee"] == pytest.approx(np.pi / 2)


@pytest.mark.parametrize("lean", [-0.3, 0.0, 0.7])
@pytest.mark.parametrize("heading", [0.0, 1.0, -2.5])
def test_the_lean_of_the_trunk_does_not_depend_on_the_heading(lean: float, heading: float) -> None:
    c, s = np.cos(heading), np.sin(heading)
    trunk = np.array([np.sin(lean) * c, np.sin(lean) * s, np.cos(lean)])
    left = 0.15 * np.array([-s, c, 0.0])
    found = body_angles(
        {
            "right_hip": -left[None],
            "left_hip": left[None],
            "right_shoulder": (trunk - left)[None],
            "left_shoulder": (trunk + left)[None],
        }
    )
    assert dict(found)["trunk_lean"] == pytest.approx(lean)


def test_angles_without_all_their_points_are_left_out() -> None:
    assert dict(body_angles(points(right_hip=(0, 0, 1), right_knee=(0, 0, 0.5)))) == {}
