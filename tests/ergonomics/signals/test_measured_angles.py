"""Angles of postures: known ones, mirror images, and what must not matter."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.assessed import man, turned
from support.people import SIDES, random_q

from robotix.ergonomics import posture_angles
from robotix.ergonomics.signals.measured_angles import PostureAngles
from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.human import mirrored

ANGLES = st.floats(-60, 60)
SEEDS = st.integers(0, 2**32 - 1)


def measured(q: Array) -> PostureAngles:
    return posture_angles(man(), q[None])


def degrees(values: Array) -> float:
    return float(np.degrees(values[0]))


def test_standing_upright_is_zero() -> None:
    columns = posture_angles(man(), np.zeros((3, 39))).columns()
    assert len(columns) == 5 + 2 * 7
    for name, values in columns.items():
        assert name.endswith(" [deg]")
        np.testing.assert_allclose(values, 0, atol=1e-9)


@given(bend=st.floats(-30, 110))
def test_a_pelvis_that_pitches_bends_the_trunk(bend: float) -> None:
    found = measured(turned(man(), root_ry=bend))
    assert degrees(found.trunk) == pytest.approx(bend, abs=1e-6)
    assert degrees(found.trunk_side) == pytest.approx(0, abs=1e-6)
    assert degrees(found.trunk_twist) == pytest.approx(0, abs=1e-6)


@given(lean=st.floats(-40, 40))
def test_a_pelvis_that_rolls_is_a_trunk_in_its_own_plane(lean: float) -> None:
    # the plane of the pelvis leans with it, so nothing is bent against it
    assert degrees(measured(turned(man(), root_rx=lean)).trunk_side) == pytest.approx(0, abs=1e-6)


@given(bend=st.floats(-20, 20))
def test_a_spine_that_bends_to_the_right_is_negative(bend: float) -> None:
    found = measured(turned(man(), L5S1_lateral_right=bend))
    assert np.sign(round(degrees(found.trunk_side), 9)) == -np.sign(round(bend, 9))
    assert abs(degrees(found.trunk_side)) <= abs(bend) + 1e-9


@given(turn=st.floats(-45, 45), bend=st.floats(0, 80))
def test_the_twist_is_that_of_the_spine(turn: float, bend: float) -> None:
    found = measured(turned(man(), L5S1_axial_left=turn, root_ry=bend))
    assert degrees(found.trunk_twist) == pytest.approx(turn, abs=1.0)  # not about the same axis


@given(flexion=st.floats(-50, 170))
def test_an_arm_that_goes_forward(flexion: float) -> None:
    found = measured(turned(man(), shoulder_flexion=flexion))
    for side in SIDES:
        arm = found.arms[side]
        assert degrees(arm.flexion) == pytest.approx(flexion, abs=1e-6)
        assert degrees(arm.elevation) == pytest.approx(abs(flexion), abs=1e-5)
        assert degrees(arm.abduction) == pytest.approx(0, abs=1e-6)


@given(abduction=st.floats(-30, 170))
def test_an_arm_that_goes_aside(abduction: float) -> None:
    found = measured(turned(man(), shoulder_abduction=abduction))
    for side in SIDES:
        assert degrees(found.arms[side].abduction) == pytest.approx(abduction, abs=1e-6)
        assert degrees(found.arms[side].flexion) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize(
    ("coordinate", "name"),
    [
        ("elbow_flexion", "elbow"),
        ("wrist_flexion", "wrist"),
        ("wrist_radial_deviation", "deviation"),
        ("forearm_pronation", "pronation"),
    ],
)
def test_hinges_are_their_coordinates(coordinate: str, name: str) -> None:
    found = measured(turned(man(), **{coordinate: 17.0}))
    for side in SIDES:
        assert degrees(getattr(found.arms[side], name)) == pytest.approx(17)


def test_hanging_arms_of_a_bent_trunk_are_plumb() -> None:
    found = measured(turned(man(), root_ry=70, shoulder_flexion=70))
    for side in SIDES:
        assert degrees(found.arms[side].flexion) == pytest.approx(70)
        assert degrees(found.arms[side].off_plumb) == pytest.approx(0, abs=1e-5)


def test_a_wrist_across_the_middle_and_one_outside() -> None:
    across = turned(man(), shoulder_flexion=60, elbow_flexion=80)
    across[man().model.dof_index("right_shoulder_internal_rotation")] = np.radians(70)
    found = measured(across)
    assert found.arms["right"].across[0] > 0 > found.arms["left"].across[0]
    outside = measured(turned(man(), shoulder_abduction=60)).arms["left"]
    assert outside.outside[0] > 0.3


@given(seed=SEEDS)
def test_a_mirror_image_has_mirrored_angles(seed: int) -> None:
    q = random_q(man().model, seed)
    found, other = measured(q), measured(mirrored(q))
    np.testing.assert_allclose(found.trunk, other.trunk, atol=1e-9)
    np.testing.assert_allclose(found.trunk_side, -other.trunk_side, atol=1e-9)
    np.testing.assert_allclose(found.trunk_twist, -other.trunk_twist, atol=1e-9)
    for side, opposite in zip(SIDES, reversed(SIDES), strict=True):
        for name in ("flexion", "abduction", "elevation", "off_plumb", "elbow", "across"):
            np.testing.assert_allclose(
                getattr(found.arms[side], name), getattr(other.arms[opposite], name), atol=1e-7
            )
        np.testing.assert_array_equal(found.knees[side], other.knees[opposite])


@given(seed=SEEDS, heading=st.floats(-3, 3))
def test_neither_place_nor_heading_matters(seed: int, heading: float) -> None:
    q = random_q(man().model, seed)
    moved = q.copy()
    turn = exp_rotation(np.array([0, 0, heading]))
    moved[:3] += (1.0, -2.0, 0.3)
    moved[3:6] = log_rotation(turn @ exp_rotation(q[3:6]))
    before, after = measured(q).columns(), measured(moved).columns()
    for name, values in before.items():
        np.testing.assert_allclose(after[name], values, atol=1e-5)
