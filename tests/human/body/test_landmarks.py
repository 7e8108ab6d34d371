"""Control points, soles and joint centres."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin, random_q

from robotix.human import Side
from robotix.kinematics import Posture


def test_joint_centres_follow_the_posture() -> None:
    person = manikin("f")
    centres = person.joint_centres(Posture(person.model))
    assert set(centres) == {
        *("l5s1", "t12l1", "neck", "head", "crown"),
        *(f"{side}_{name}" for side in SIDES for name in ("hip", "knee", "ankle", "toe")),
        *(f"{side}_{name}" for side in SIDES for name in ("shoulder", "elbow", "wrist", "knuckle")),
    }
    for name, place in centres.items():
        np.testing.assert_allclose(place, person.skeleton[name], atol=1e-12)
    q = random_q(person.model, 3)
    moved, body = person.joint_centres(Posture(person.model, q)), person.anthropometry
    thigh, shank = (
        moved["right_hip"] - moved["right_knee"],
        moved["left_knee"] - moved["left_ankle"],
    )
    assert np.linalg.norm(thigh) == pytest.approx(body["thigh_length"])
    assert np.linalg.norm(shank) == pytest.approx(body["shank_length"])


@pytest.mark.parametrize("side", SIDES)
def test_the_sole_is_a_polygon_around_the_ankle(side: Side) -> None:
    person = manikin("f")
    posture, body = Posture(person.model), person.anthropometry
    corners = np.array([posture.position(name) for name in person.support_points(side)])
    toes = np.array([posture.position(name) for name in person.toe_points(side)])
    edges = np.roll(corners, -1, axis=0) - corners
    turns = np.cross(edges, np.roll(edges, -1, axis=0))[:, 2]
    assert (turns > 0).all() or (turns < 0).all()  # convex, and in turn
    outline = np.vstack([corners, toes])
    assert np.ptp(outline[:, 0]) == pytest.approx(body["foot_length"])
    assert np.ptp(outline[:, 1]) == pytest.approx(body["foot_breadth"])
    ankle = posture.position(f"{side}_ankle")
    assert outline[:, 0].min() < ankle[0] < corners[:, 0].max() < toes[:, 0].min()
    bodies_of = {person.model.point(name).body for name in person.support_points(side)}
    assert bodies_of == {f"{side}_foot_segment"}
    q = np.zeros(39)
    q[person.model.dof_index(f"{side}_toe_extension")] = 0.5
    lifted = Posture(person.model, q)
    assert all(lifted.position(name)[2] > 0.005 for name in person.toe_points(side))
    assert all(abs(lifted.position(name)[2]) < 1e-12 for name in person.support_points(side))


def test_eyes_hands_and_back_are_where_they_should_be() -> None:
    person = manikin("m")
    posture, body = Posture(person.model), person.anthropometry
    assert posture.position("head")[2] / body.stature == pytest.approx(0.936, abs=0.005)  # Drillis
    assert posture.position("head")[0] > 0.05
    np.testing.assert_allclose(
        posture.position("right_hand"),
        posture.position("right_wrist") - [0, 0, body["grip_length"]],
    )
    trunk_before_back = posture.position("pelvis")[0] - posture.position("L5S1")[0]
    assert trunk_before_back == pytest.approx(0.02, abs=0.001)
