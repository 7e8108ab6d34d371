"""The skin follows the postures of its manikin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from support.people import SIDES, random_q
from support.skins import FAMILY, skin_of

from robotix.geometry import Array, Box, Capsule, Sphere
from robotix.human import Side, make_anthropometry, make_manikin, mirrored
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.human.skin.skin import Skin, make_skin
from robotix.kinematics import Posture

seeds = st.integers(0, 2**32 - 1)


def posed(skin: Skin, **degrees: float) -> Posture:
    model = skin.manikin.model
    q = np.zeros(model.n_dof)
    for dof, name in enumerate(model.dof_names):
        q[dof] = np.radians(degrees.get(name, degrees.get(name.partition("_")[2], 0.0)))
    return Posture(model, q)


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
