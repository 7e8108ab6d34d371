"""Collision shapes stand on the floor and end at the crown."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES, manikin

from robotix.geometry import Box, Capsule, Pose, Sphere
from robotix.human import make_anthropometry, make_manikin, mirrored
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.kinematics import Posture

bodies = st.builds(
    make_anthropometry,
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(*STATURE_RANGE),
    mass=st.floats(*MASS_RANGE),
)


@settings(max_examples=40)
@given(body=bodies)
def test_the_solids_stand_on_the_floor_and_end_at_the_crown(body: Any) -> None:
    model = make_manikin(body).model
    posture = Posture(model)
    lows: dict[str, float] = {}
    highs: dict[str, float] = {}
    for i, each in enumerate(model.bodies):
        rotation, place = np.split(posture.body_poses[i], [9])
        for shape in each.collision:
            pose = Pose(rotation.reshape(3, 3), place) @ shape.pose
            reach = height_above_centre(shape, pose)
            lows[each.name] = min(lows.get(each.name, np.inf), pose.translation[2] - reach)
            highs[each.name] = max(highs.get(each.name, -np.inf), pose.translation[2] + reach)
    assert highs.pop("head_segment") == pytest.approx(body.stature, abs=1e-12)
    assert max(highs.values()) < body.stature
    for side in SIDES:
        for part in ("foot_segment", "toes"):
            assert lows.pop(f"{side}_{part}") == pytest.approx(0.0, abs=1e-12)
    assert min(lows.values()) > 0.01


def height_above_centre(shape: object, pose: Pose) -> float:
    up = pose.rotation[2]
    match shape:
        case Sphere():
            return shape.radius
        case Capsule():
            return shape.radius + abs(float(up[2])) * shape.length / 2
        case Box():
            return float(np.abs(up) @ shape.size / 2)
    raise AssertionError(shape)


def test_at_ease_the_arms_are_off_the_thighs() -> None:
    person = manikin("f")
    model, q = person.model, person.relaxed
    assert (model.lower <= q).all() and (q <= model.upper).all()
    np.testing.assert_array_equal(mirrored(q), q)
    hand, hip = (Posture(model, q).position(name)[1] for name in ("left_hand", "left_hip"))
    assert hand - hip > Posture(model).position("left_hand")[1] - hip + 0.03
