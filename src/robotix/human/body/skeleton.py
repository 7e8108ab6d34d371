"""Positions of the joint centres of a body at `q = 0`.

Frame: origin on the floor under the middle of the hips, x forward, y left, z up. The body stands
upright, arms down, palms facing the thighs, feet flat and pointing forward. All joints lie in the
frontal plane through the hips, but those of the spine, which are a little behind, and the toes'.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

import numpy as np

from robotix.geometry import Array
from robotix.human.body.anthropometry import Anthropometry

__all__ = ["SIDES", "Side", "Skeleton", "make_skeleton"]

Side: TypeAlias = Literal["right", "left"]
Skeleton: TypeAlias = Mapping[str, Array]  # position of every joint centre and landmark, m

SIDES: dict[Side, float] = {"right": -1.0, "left": 1.0}  # sign of y
KNUCKLE_RATIO = 0.464  # of hand length: third knuckle, by de Leva's hands STYL-MET3 and STYL-DAC3
EYE_FORWARD_RATIO = 0.4  # of head length, assumed


def make_skeleton(body: Anthropometry) -> Skeleton:
    """Return joint centres (`l5s1`, `right_knee`, …) and landmarks (`crown`, `right_grip`, …)."""
    l5s1 = body["hip_height"] + body["l5s1_above_hip"]
    t12l1 = l5s1 + body["t12l1_above_l5s1"]
    spine = -body["spine_behind_hip"]
    positions = {
        "pelvis": (0.0, 0.0, body["hip_height"]),  # the middle of the hips
        "l5s1": (spine, 0.0, l5s1),
        "t12l1": (spine, 0.0, t12l1),
        "chest": (0.0, 0.0, (t12l1 + body["neck_height"]) / 2),
        "suprasternale": (0.0, 0.0, body["suprasternale_height"]),
        "neck": (0.0, 0.0, body["neck_height"]),
        "head": (0.0, 0.0, body.stature - body["ear_to_crown"]),
        "eyes": (
            EYE_FORWARD_RATIO * body["head_length"],
            0.0,
            body.stature - body["eye_to_crown"],
        ),
        "crown": (0.0, 0.0, body.stature),
    }
    limbs = {**_leg(body), **_arm(body)}
    for side, sign in SIDES.items():
        positions |= {f"{side}_{name}": (x, sign * y, z) for name, (x, y, z) in limbs.items()}
    return {name: np.array(position) for name, position in positions.items()}


def _leg(body: Anthropometry) -> dict[str, tuple[float, float, float]]:
    y, back = body["hip_half_width"], -body["heel_to_ankle"]
    return {
        "hip": (0.0, y, body["hip_height"]),
        "knee": (0.0, y, body["knee_height"]),
        "ankle": (0.0, y, body["ankle_height"]),
        "toe": (back + body["heel_to_ball"], y, body["toe_joint_height"]),  # the toes' joint
        "heel": (back, y, 0.0),
        "toe_tip": (back + body["foot_length"], y, 0.0),
    }


def _arm(body: Anthropometry) -> dict[str, tuple[float, float, float]]:
    y, shoulder = body["shoulder_half_width"], body["shoulder_height"]
    elbow = shoulder - body["upper_arm_length"]
    wrist = elbow - body["forearm_length"]
    return {
        "shoulder": (0.0, y, shoulder),
        "elbow": (0.0, y, elbow),
        "wrist": (0.0, y, wrist),
        "grip": (0.0, y, wrist - body["grip_length"]),
        "knuckle": (0.0, y, wrist - KNUCKLE_RATIO * body["hand_length"]),
        "fingertip": (0.0, y, wrist - body["hand_length"]),
    }
