"""The manikin: 39 coordinates, exact stature and mass, symmetry, masses and Jacobians."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.pin_oracle import Oracle, build
from support.people import SIDES, manikin, random_q

from robotix.human import GROUPS, make_anthropometry, make_manikin, mirrored
from robotix.human.body.anthropometry import MASS_RANGE, STATURE_RANGE
from robotix.kinematics import Posture

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


def test_a_load_counts_in_the_centre_of_mass() -> None:
    model = manikin("m").model
    loaded = model.with_payload("box", 20.0, at="right_hand")
    assert loaded.n_dof == 39 and loaded.dof_names == model.dof_names
    here, hand = Posture(model).com, Posture(model).position("right_hand")
    expected = (model.mass * here + 20.0 * hand) / (model.mass + 20.0)
    np.testing.assert_allclose(Posture(loaded).com, expected, atol=1e-12)


@pytest.mark.parametrize("sex", ["f", "m"])
@pytest.mark.parametrize("seed", range(3))
def test_centre_of_mass_and_its_jacobian(sex: str, seed: int) -> None:
    model = manikin(sex, percentile=5 if sex == "f" else 95).model
    q = random_q(model, seed)
    posture, oracle = Posture(model, q), Oracle(model, build(model), q=q)
    np.testing.assert_allclose(posture.com, oracle.com, atol=1e-12)
    np.testing.assert_allclose(posture.com_jacobian, oracle.com_jacobian, atol=1e-12)
    np.testing.assert_allclose(posture.mass_matrix, oracle.mass_matrix, atol=1e-10)
    np.testing.assert_allclose(posture.gravity_torques, oracle.gravity_torques, atol=1e-9)
    for name in ("right_hand", "left_toe", "head", "L5S1"):
        np.testing.assert_allclose(posture.jacobian(name), oracle.jacobian(name), atol=1e-12)
    h = 1e-6
    slope = [(posture.moved(h * d).com - posture.moved(-h * d).com) / (2 * h) for d in np.eye(39)]
    np.testing.assert_allclose(posture.com_jacobian, np.transpose(slope), atol=1e-8)


def test_the_mass_matrix_is_sound_in_spite_of_bodies_without_mass() -> None:
    model = manikin("f").model
    values = np.linalg.eigvalsh(Posture(model, random_q(model, 5)).mass_matrix)
    assert values[0] > 1e-5
    assert values[-1] < 1e3


def test_the_augmented_jacobian_has_its_blocks() -> None:
    """Each chain moves with the root and its own joints only."""
    model = manikin().model
    posture = Posture(model, random_q(model, 1))
    blocks = {
        "right_foot": {"root", "right_leg"},
        "left_foot": {"root", "left_leg"},
        "chest": {"root", "back"},
        "right_hand": {"root", "back", "right_arm"},
        "left_hand": {"root", "back", "left_arm"},
    }
    for point, moving in blocks.items():
        J = posture.jacobian(point)
        assert {name for name, group in GROUPS.items() if J[:, group].any()} == moving
