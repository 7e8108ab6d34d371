"""The skin fits its manikin, follows it, and stays a body."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.people import SIDES, manikin, random_q

from robotix.geometry import Array, Box, Capsule, Sphere
from robotix.human import Side, make_anthropometry, make_manikin, mirrored
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.human.skin.body_template import DENSITY, build_of, enclosed_volume, make_template
from robotix.human.skin.fit import girth
from robotix.human.skin.skin import Skin, make_skin
from robotix.kinematics import Posture

FAMILY = [(sex, percentile) for sex in "fm" for percentile in (5.0, 50.0, 95.0)]
seeds = st.integers(0, 2**32 - 1)


@cache
def skin_of(sex: str, percentile: float = 50.0) -> Skin:
    return make_skin(manikin(sex, percentile=percentile))


def posed(skin: Skin, **degrees: float) -> Posture:
    model = skin.manikin.model
    q = np.zeros(model.n_dof)
    for dof, name in enumerate(model.dof_names):
        q[dof] = np.radians(degrees.get(name, degrees.get(name.partition("_")[2], 0.0)))
    return Posture(model, q)


def part_rows(skin: Skin, *names: str) -> Array:
    return np.unique(np.concatenate([p.faces for p in skin.parts if p.name in names]))


# -- fit ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sex", "percentile"), FAMILY)
def test_stature_soles_and_volume_are_the_manikins(sex: str, percentile: float) -> None:
    skin = skin_of(sex, percentile)
    body = skin.manikin.anthropometry
    vertices = skin.at(Posture(skin.manikin.model)).vertices
    bare = vertices[part_rows(skin, "skin", "hair")]
    assert bare[:, 2].max() == pytest.approx(body.stature, abs=5e-3)
    soles = vertices[part_rows(skin, "soles")]
    assert soles[:, 2].min() == pytest.approx(0.0, abs=1e-3)
    assert soles[:, 0].min() == pytest.approx(skin.manikin.skeleton["left_heel"][0], abs=0.01)
    assert soles[:, 0].max() == pytest.approx(skin.manikin.skeleton["left_toe_tip"][0], abs=0.01)
    volume = enclosed_volume(skin.body.vertices, skin.body.template.body)
    assert volume == pytest.approx(body.mass / DENSITY, rel=0.05)


@pytest.mark.parametrize(("sex", "percentile"), FAMILY)
@pytest.mark.parametrize("seed", [None, 7])
def test_joint_centres_of_the_bones_are_the_manikins(
    sex: str, percentile: float, seed: int | None
) -> None:
    skin = skin_of(sex, percentile)
    person = skin.manikin
    posture = Posture(person.model, None if seed is None else random_q(person.model, seed))
    turns, moves = skin.rig.placed(posture)
    centres = person.joint_centres(posture)
    ends = {"thigh": "knee", "shank": "ankle", "foot": "toe", "upper_arm": "elbow"}
    ends |= {"forearm": "wrist", "hand": "knuckle"}
    for bone, R, t in zip(skin.rig.bones, turns, moves, strict=True):
        side, _, name = bone.segment.partition("_")
        if name in ends:
            reached = R @ skin.body.centres[f"{side}_{ends[name]}"] + t
            np.testing.assert_allclose(reached, centres[f"{side}_{ends[name]}"], atol=1e-6)
        if name == "thigh":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_hip"], atol=1e-6)
        if name == "upper_arm":
            np.testing.assert_allclose(R @ bone.centre + t, centres[f"{side}_shoulder"], atol=1e-6)


@pytest.mark.parametrize("name", ["waist_girth", "hip_girth"])
def test_girths_come_near_the_tape(name: str) -> None:
    skin = skin_of("m")
    old, zero = skin.body.template.joints, skin.manikin.skeleton
    share = {"waist_girth": 0.35, "hip_girth": -0.10}[name]
    assert old["left_hip"][2] < old["left_shoulder"][2]
    low, high = zero["left_hip"][2], zero["left_shoulder"][2]
    at = np.array([0.0, 0.0, low + share * (high - low)])
    trunk = skin.body.template.weight_of("pelvis", "lumbar", "thorax", "left_thigh", "right_thigh")
    faces = skin.body.template.body[(trunk > 0.5)[skin.body.template.body].all(axis=1)]
    found = girth(skin.body.vertices, faces, at=at, along=np.array([0.0, 0.0, 1.0]))
    assert found == pytest.approx(skin.manikin.anthropometry[name], rel=0.08)


def test_heavier_people_are_built_heavier() -> None:
    assert build_of("male", 18.0) < build_of("male", 21.0) < build_of("male", 24.0)
    thin, heavy = (make_template("female", build) for build in (-1.0, 1.0))
    volumes = [enclosed_volume(t.vertices, t.body) for t in (thin, heavy)]
    assert volumes[0] < volumes[1]


def test_the_tape_around_a_ball_is_its_girth() -> None:
    from robotix.view import solid_mesh

    ball = solid_mesh(Sphere(0.3), around=96)
    tape = girth(ball.vertices, ball.faces, at=np.array([0, 0, 0.18]), along=np.array([0, 0, 1.0]))
    assert tape == pytest.approx(2 * np.pi * 0.24, rel=2e-3)


# -- postures -----------------------------------------------------------------------------------


@given(seed=seeds)
@settings(max_examples=20)
def test_the_mirrored_posture_has_the_mirrored_skin(seed: int) -> None:
    skin = skin_of("f")
    q = random_q(skin.manikin.model, seed)
    vertices = skin.at(Posture(skin.manikin.model, q)).vertices * (1, -1, 1)
    other = skin.at(Posture(skin.manikin.model, mirrored(q))).vertices
    for axis in range(3):
        np.testing.assert_allclose(np.sort(vertices[:, axis]), np.sort(other[:, axis]), atol=6e-3)


@given(seed=seeds, sex=st.sampled_from("fm"))
@settings(max_examples=30)
def test_every_posture_within_the_limits_has_a_skin(seed: int, sex: str) -> None:
    skin = skin_of(sex)
    surface = skin.at(Posture(skin.manikin.model, random_q(skin.manikin.model, seed)))
    assert np.isfinite(surface.vertices).all()
    used = np.unique(skin.faces)
    lengths = np.linalg.norm(surface.normals[used], axis=1)
    np.testing.assert_allclose(lengths, 1.0, atol=1e-6)
    a, b = surface.vertices[skin.faces[:, 0]], surface.vertices[skin.faces[:, 1]]
    assert np.linalg.norm(a - b, axis=1).max() < 0.25  # nothing is torn away


@given(
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(*STATURE_RANGE),
    mass=st.floats(*MASS_RANGE),
)
@settings(max_examples=8, deadline=None)
def test_any_body_has_a_skin(sex: str, stature: float, mass: float) -> None:
    skin = make_skin(make_manikin(make_anthropometry(sex=sex, stature=stature, mass=mass)))
    vertices = skin.at(Posture(skin.manikin.model)).vertices
    assert np.isfinite(vertices).all()
    assert vertices[:, 2].max() == pytest.approx(stature, abs=6e-3)


@pytest.mark.parametrize(
    ("joint", "segments", "bend"),
    [
        ("knee", ("thigh", "shank"), {"knee_flexion": 110.0}),
        ("elbow", ("upper_arm", "forearm"), {"elbow_flexion": 110.0}),
        ("wrist", ("forearm", "hand"), {"forearm_pronation": 80.0}),
    ],
)
def test_a_bent_or_twisted_joint_keeps_its_thickness(
    joint: str, segments: tuple[str, str], bend: dict[str, float]
) -> None:
    skin = skin_of("m")
    near = _around(skin, f"left_{joint}", tuple(f"left_{s}" for s in segments))
    straight, bent = (posed(skin), posed(skin, **bend))
    areas = [_thickness(skin, posture, near) for posture in (straight, bent)]
    assert areas[1] > 0.85 * areas[0]


def _around(skin: Skin, joint: str, segments: tuple[str, ...]) -> NDArray[np.intp]:
    """Return the vertices of a thin slice through a joint, in the template's pose."""
    centre = skin.body.centres[joint]
    way = np.sum([skin.body.directions[s] for s in segments], axis=0)
    way /= np.linalg.norm(way)
    weights = skin.body.template.weight_of(*segments)[skin.rows]
    return np.flatnonzero((abs((skin.rest - centre) @ way) < 0.025) & (weights > 0.9))


def _thickness(skin: Skin, posture: Posture, rows: NDArray[np.intp]) -> float:
    """Return the mean width of a slice across the bend, square: its section's area."""
    points = skin.at(posture).vertices[rows]
    _, sizes, _ = np.linalg.svd(points - points.mean(axis=0), full_matrices=False)
    return float(sizes[0] * sizes[1])


def test_closing_a_hand_moves_its_fingers_only() -> None:
    skin = skin_of("m")
    posture = Posture(skin.manikin.model)
    open_hand, fist = skin.at(posture), skin.at(posture, grip={"right": 1.0})
    moved = np.linalg.norm(fist.vertices - open_hand.vertices, axis=1) > 1e-6
    assert moved.any()
    assert (open_hand.vertices[moved, 1] < 0).all()  # on the right
    wrist = skin.manikin.skeleton["right_wrist"]
    assert (open_hand.vertices[moved, 2] < wrist[2]).all()
    grip = skin.manikin.skeleton["right_grip"]
    assert abs(fist.vertices[moved] - grip).max() < 0.12


# -- collision solids ---------------------------------------------------------------------------


@pytest.mark.parametrize(("sex", "percentile"), FAMILY)
def test_limbs_solids_lie_near_the_skin(sex: str, percentile: float) -> None:
    skin = skin_of(sex, percentile)
    posture = Posture(skin.manikin.model)
    vertices = skin.at(posture).vertices
    weights = skin.rig.weights
    names = np.array([bone.segment for bone in skin.rig.bones])
    for side in SIDES:
        for name in ("thigh", "shank", "upper_arm", "forearm"):
            gap = _gap(skin, posture, vertices[_own(weights, names, f"{side}_{name}")], side, name)
            assert abs(np.median(gap)) < 0.035, (side, name)


def _own(weights: Array, names: Array, segment: str) -> Array:
    return np.asarray(weights[:, names == segment].sum(axis=1) > 0.9)


def _gap(skin: Skin, posture: Posture, points: Array, side: Side, name: str) -> Array:
    """Return how far vertices of a segment are outside its capsule."""
    body = skin.manikin.model.body(f"{side}_{name}")
    pose = posture.pose(body.name)
    distances = []
    for shape in body.collision:
        assert isinstance(shape, Capsule | Sphere | Box)
        local = (pose @ shape.pose).inverse().apply(points)
        assert isinstance(shape, Capsule)
        local[:, 2] -= np.clip(local[:, 2], -shape.length / 2, shape.length / 2)
        distances.append(np.linalg.norm(local, axis=1) - shape.radius)
    return np.asarray(np.min(distances, axis=0))
