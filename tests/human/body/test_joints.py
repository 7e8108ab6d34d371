"""The joints of the manikin: axes, ranges and directions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from support.people import SIDES, manikin

from robotix.kinematics import Posture

# degrees; axes of the right side while standing, as in the published table
RANGES = {
    "hip_flexion": ("-y", -30, 120),
    "hip_abduction": ("-x", -30, 45),
    "knee_flexion": ("+y", 0, 135),
    "ankle_dorsiflexion": ("-y", -50, 35),  # under load, by the lunge test; 20 without
    "subtalar_inversion": ("+x", -20, 35),
    "toe_extension": ("-y", -40, 70),
    "shoulder_internal_rotation": ("+z", -90, 70),
    "elbow_flexion": ("-y", 0, 150),
    "wrist_flexion": ("+x", -70, 80),
}


@pytest.mark.parametrize("name", RANGES)
def test_axes_and_ranges(name: str) -> None:
    axis, low, high = RANGES[name]
    direction = np.eye(3)["xyz".index(axis[1])] * float(f"{axis[0]}1")
    joints = {joint.name: joint for joint in manikin().model.joints}
    right, left = joints[f"right_{name}"], joints[f"left_{name}"]
    np.testing.assert_array_equal(right.axis, direction)
    np.testing.assert_array_equal(left.axis, direction * (-1, 1, -1))
    for joint in (right, left):
        assert (joint.lower, joint.upper) == (math.radians(low), math.radians(high))
        assert 2 <= joint.velocity <= 20 and 20 <= joint.acceleration <= 200


MOVES = {  # positive joint: where a point of the right side goes
    "right_hip_flexion": ("right_knee", "x", 1),
    "right_hip_abduction": ("right_knee", "y", -1),
    "right_hip_internal_rotation": ("right_toe", "y", 1),
    "right_knee_flexion": ("right_ankle", "x", -1),
    "right_ankle_dorsiflexion": ("right_ball_inner", "z", 1),
    "right_toe_extension": ("right_toe", "z", 1),
    "right_subtalar_inversion": ("right_foot", "y", 1),
    "L5S1_flexion": ("head", "x", 1),
    "L5S1_lateral_right": ("head", "y", -1),
    "L5S1_axial_left": ("head", "y", 1),
    "right_shoulder_flexion": ("right_hand", "x", 1),
    "right_shoulder_abduction": ("right_hand", "y", -1),
    "right_elbow_flexion": ("right_hand", "x", 1),
    "right_wrist_flexion": ("right_hand", "y", 1),
    "right_wrist_radial_deviation": ("right_hand", "x", 1),
}


@pytest.mark.parametrize("joint", MOVES)
def test_joints_move_the_way_their_names_say(joint: str) -> None:
    point, axis, sign = MOVES[joint]
    model = manikin().model
    q = np.zeros(39)
    q[model.dof_index(joint)] = 0.2
    shift = Posture(model, q).position(point) - Posture(model).position(point)
    assert sign * shift["xyz".index(axis)] > 0.005


def test_palms_turn_back_when_the_forearms_pronate() -> None:
    model = manikin().model
    q = np.zeros(39)
    for side in SIDES:
        q[model.dof_index(f"{side}_forearm_pronation")] = math.pi / 2
    for side, palm in (("right", (0.0, 1.0, 0.0)), ("left", (0.0, -1.0, 0.0))):
        turned = Posture(model, q).pose(f"{side}_hand").rotation @ palm
        np.testing.assert_allclose(turned, [-1, 0, 0], atol=1e-12)
