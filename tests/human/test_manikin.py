"""The manikin: 39 coordinates, exact stature and mass, and the same left as right."""

from __future__ import annotations

import importlib
import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES, manikin, random_q

from robotix.geometry import Box, Capsule, Pose, Sphere
from robotix.human import GROUPS, Side, make_anthropometry, make_manikin, mirrored
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.human.body.library import HUMAN, load_human
from robotix.kinematics import Posture
from robotix.model.robots import LibraryRobot

ROOT = Path(__file__).parents[2]
LEG = (
    *("hip_flexion", "hip_abduction", "hip_internal_rotation", "knee_flexion"),
    *("ankle_dorsiflexion", "subtalar_inversion", "toe_extension"),
)
BACK = (
    *("L5S1_flexion", "L5S1_lateral_right", "L5S1_axial_left"),
    *("T12L1_flexion", "T12L1_lateral_right"),
)
ARM = (
    *("shoulder_flexion", "shoulder_abduction", "shoulder_internal_rotation", "elbow_flexion"),
    *("forearm_pronation", "wrist_flexion", "wrist_radial_deviation"),
)

bodies = st.builds(
    make_anthropometry,
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(*STATURE_RANGE),
    mass=st.floats(*MASS_RANGE),
)
seeds = st.integers(0, 2**32 - 1)


# -- coordinates --------------------------------------------------------------------------------


def test_thirty_nine_coordinates_in_this_order() -> None:
    names = manikin().model.dof_names
    assert names == (
        *("root_x", "root_y", "root_z", "root_rx", "root_ry", "root_rz"),
        *(f"right_{name}" for name in LEG),
        *(f"left_{name}" for name in LEG),
        *BACK,
        *(f"right_{name}" for name in ARM),
        *(f"left_{name}" for name in ARM),
    )
    assert len(names) == 39
    assert [i for group in GROUPS.values() for i in range(39)[group]] == list(range(39))
    assert names[GROUPS["right_arm"]] == tuple(f"right_{name}" for name in ARM)


# degrees; axes of the right side while standing, as in the published table
RANGES = {
    "hip_flexion": ("-y", -30, 120),
    "hip_abduction": ("-x", -30, 45),
    "knee_flexion": ("+y", 0, 135),
    "ankle_dorsiflexion": ("-y", -50, 20),
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


# -- any body -----------------------------------------------------------------------------------


@settings(max_examples=40)
@given(body=bodies)
def test_any_body_stands_with_its_stature_and_mass(body: Any) -> None:
    model = make_manikin(body).model
    assert model.mass == pytest.approx(body.mass, abs=1e-9)
    assert (model.lower <= 0).all() and (model.upper >= 0).all()
    np.testing.assert_array_equal(model.neutral, np.zeros(39))
    posture = Posture(model)
    np.testing.assert_allclose(posture.position("crown"), [0, 0, body.stature], atol=1e-12)
    assert 0.5 < posture.com[2] / body.stature < 0.6
    assert abs(posture.com[1]) < 1e-12
    for side in SIDES:
        for name in ("foot", "heel", "heel_inner", "ball_outer", "toe", "toe_inner"):
            pose = posture.pose(f"{side}_{name}")
            assert abs(pose.translation[2]) < 1e-12
            np.testing.assert_allclose(pose.rotation, np.eye(3), atol=1e-12)
    for each in model.bodies:
        a, b, c = np.linalg.eigvalsh(each.inertia)
        assert a >= 0 and a + b >= c * (1 - 1e-12)  # what a solid can have


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


@settings(max_examples=25)
@given(body=bodies, seed=seeds)
def test_left_is_the_mirror_image_of_right(body: Any, seed: int) -> None:
    model = make_manikin(body).model
    q = random_q(model, seed)
    here, there = Posture(model, q), Posture(model, mirrored(q))
    np.testing.assert_array_equal(mirrored(mirrored(q)), q)
    flip = np.array([1.0, -1.0, 1.0])
    np.testing.assert_allclose(there.com, flip * here.com, atol=1e-12)
    for name in model.points:
        image = there.position(swapped(name))
        np.testing.assert_allclose(image, flip * here.position(name), atol=1e-12)


def swapped(name: str) -> str:
    side, _, rest = name.partition("_")
    return {"right": f"left_{rest}", "left": f"right_{rest}"}.get(side, name)


# -- places on the body -------------------------------------------------------------------------


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


def test_at_ease_the_arms_are_off_the_thighs() -> None:
    person = manikin("f")
    model, q = person.model, person.relaxed
    assert (model.lower <= q).all() and (q <= model.upper).all()
    np.testing.assert_array_equal(mirrored(q), q)
    hand, hip = (Posture(model, q).position(name)[1] for name in ("left_hand", "left_hip"))
    assert hand - hip > Posture(model).position("left_hand")[1] - hip + 0.03


def test_a_load_counts_in_the_centre_of_mass() -> None:
    model = manikin("m").model
    loaded = model.with_payload("box", 20.0, at="right_hand")
    assert loaded.n_dof == 39 and loaded.dof_names == model.dof_names
    here, hand = Posture(model).com, Posture(model).position("right_hand")
    expected = (model.mass * here + 20.0 * hand) / (model.mass + 20.0)
    np.testing.assert_allclose(Posture(loaded).com, expected, atol=1e-12)


# -- as a robot of the library ------------------------------------------------------------------


def test_the_package_offers_the_human_to_the_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    module, _, name = project["entry-points"]["robotix.robots"]["human"].partition(":")
    assert getattr(importlib.import_module(module), name) is HUMAN
    assert isinstance(HUMAN, LibraryRobot)


def test_the_human_is_described_like_any_robot() -> None:
    model, info = load_human(), HUMAN.describe()
    assert info.name == model.name == "human"
    assert info.n_dof == 39
    assert info.mass == pytest.approx(model.mass) == pytest.approx(84.6)
    told = {item.parameter for item in info.provenance}
    assert {"kinematics", "limits", "velocity", "acceleration", "mass", "inertia", "shape"} <= told
    for item in info.provenance:
        assert item.sources or item.confidence == "assumed"
    arm = Posture(model)
    reach = arm.position("right_shoulder") - arm.position("right_hand")
    assert info.reach == pytest.approx(float(np.linalg.norm(reach)))


def test_options_make_the_person() -> None:
    model = load_human(sex="f", stature=1.62)
    assert Posture(model).position("crown")[2] == pytest.approx(1.62)
    assert model.source.startswith("female, 1.620 m")
    assert load_human(sex="m", percentile=95).mass == pytest.approx(110.69)
    assert load_human(mass=70.0).mass == pytest.approx(70.0)
