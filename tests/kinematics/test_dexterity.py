"""Dexterity: closed forms of planar arms, laws that hold for all arms, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.every_joint import every_joint, planar_2r
from support.library_arms import ARMS as LIBRARY_ARMS

from robotix.errors import UnknownName
from robotix.geometry import Array, Pose, exp_rotation
from robotix.kinematics.dexterity import (
    condition_number,
    decompose,
    directional_manipulability,
    ellipsoid_volume,
    isotropy,
    manipulability,
    part_rows,
    singular_values,
    velocity_ellipsoid,
)
from robotix.kinematics.impact import dynamic_ellipsoid, effective_mass, impact_ellipsoid
from robotix.kinematics.posture import Posture
from robotix.model import Body, Joint, Model, merge_models
from robotix.model.robots import load

ANGLES = st.floats(-math.pi, math.pi)
PLANE = "x y"
ARMS = ("kuka_lwr", "ur5", "scara", "vishard10", "kuka_lwr_rail")


def random_posture(name: str, seed: int = 0) -> Posture:
    model = load(name)
    return Posture(model, np.random.default_rng(seed).uniform(-1.0, 1.0, model.n_dof))


# -- numbers --------------------------------------------------------------------------------


@given(q1=ANGLES, q2=ANGLES)
def test_two_links_have_the_textbook_manipulability(q1: float, q2: float) -> None:
    posture = Posture(planar_2r((0.5, 0.3)), [q1, q2])
    w = manipulability(posture, part=PLANE)
    assert w == pytest.approx(0.5 * 0.3 * abs(math.sin(q2)), abs=1e-15)
    assert ellipsoid_volume(posture, part=PLANE) == pytest.approx(math.pi * w, abs=1e-14)


def test_two_links_can_be_isotropic() -> None:
    # l1 = √2 l2 with the elbow at 135° (Salisbury and Craig 1982)
    posture = Posture(planar_2r((math.sqrt(2) * 0.3, 0.3)), [0.4, 3 * math.pi / 4])
    assert condition_number(posture, part=PLANE) == pytest.approx(1.0, abs=1e-12)
    np.testing.assert_allclose(singular_values(posture, part=PLANE), 0.3)
    assert directional_manipulability(posture, part=PLANE) == pytest.approx(math.pi * 0.09)


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("part", ["linear", "angular", "both", "x rz"])
def test_numbers_follow_from_the_jacobian(name: str, part: str) -> None:
    posture = random_posture(name)
    J = posture.jacobian()[part_rows(part)]
    w = math.sqrt(max(np.linalg.det(J @ J.T), 0.0))
    assert manipulability(posture, part=part) == pytest.approx(w, abs=1e-9)
    rates = posture.model.velocity
    J = J * rates if np.isfinite(rates).all() else J
    m = len(J)
    volume = math.pi ** (m / 2) / math.gamma(1 + m / 2) * np.prod(np.linalg.svd(J)[1][:m])
    if J.shape[1] < m:
        volume = 0.0
    assert ellipsoid_volume(posture, part=part) == pytest.approx(volume, abs=1e-9)
    kappa = condition_number(posture, part=part)
    assert directional_manipulability(posture, part=part) == pytest.approx(volume / kappa, abs=1e-9)
    if kappa < 1e6:
        assert kappa == pytest.approx(np.linalg.cond(J))


def test_parts_choose_rows() -> None:
    assert part_rows("linear").tolist() == [0, 1, 2]
    assert part_rows("angular").tolist() == [3, 4, 5]
    assert part_rows("both").tolist() == [0, 1, 2, 3, 4, 5]
    assert part_rows("rz x").tolist() == [0, 5]


@pytest.mark.parametrize("part", ["", "sideways", "x x", "xy", "linear angular"])
def test_unknown_parts_are_refused(part: str) -> None:
    with pytest.raises(ValueError, match="part is 'linear'"):
        manipulability(Posture(planar_2r()), part=part)


def test_unknown_points_are_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean 'tip'"):
        manipulability(Posture(planar_2r()), "tipp")


def test_rates_are_the_units_of_the_joints() -> None:
    slow, fast = (Posture(planar_2r(rate=rate), [0.1, 0.7]) for rate in (1.0, 3.0))
    for part in (PLANE, "both"):
        values = singular_values(slow, part=part)
        np.testing.assert_allclose(singular_values(slow, part=part, normalised=True), values)
        np.testing.assert_allclose(singular_values(fast, part=part), values)
        np.testing.assert_allclose(singular_values(fast, part=part, normalised=True), 3 * values)
    ratio = ellipsoid_volume(fast, part=PLANE) / ellipsoid_volume(slow, part=PLANE)
    assert ratio == pytest.approx(9.0)
    assert condition_number(fast, part=PLANE) == pytest.approx(condition_number(slow, part=PLANE))


def test_without_rate_limits_nothing_is_normalised() -> None:
    half_known = planar_2r(rate=2.0).with_joint(Joint("two", "revolute"))
    posture = Posture(half_known, [0.1, 0.7])
    plain = singular_values(posture, part=PLANE)
    np.testing.assert_array_equal(singular_values(posture, part=PLANE, normalised=True), plain)
    # seen from the first body, the second joint does not matter
    elbow = singular_values(posture, "upper", part="angular", normalised=True)
    np.testing.assert_allclose(elbow, [2.0, 0.0, 0.0], atol=1e-15)


@given(factor=st.floats(0.01, 100), q2=ANGLES)
def test_longer_links_move_faster(factor: float, q2: float) -> None:
    one = singular_values(Posture(planar_2r((0.5, 0.3)), [0.2, q2]))
    other = singular_values(Posture(planar_2r((0.5 * factor, 0.3 * factor)), [0.2, q2]))
    np.testing.assert_allclose(other, factor * one, atol=1e-14 * factor)


def test_where_the_base_stands_does_not_matter() -> None:
    base, q = Pose(exp_rotation(np.array([0.3, -1.0, 2.0])), np.array([1.0, 2, 3])), np.full(7, 0.4)
    arm = load("kuka_lwr")
    here, there = Posture(arm, q), Posture(merge_models("scene", {"a": (arm, base)}), q)
    for part in ("linear", "angular", "both"):
        one, other = (singular_values(posture, part=part) for posture in (here, there))
        np.testing.assert_allclose(other, one, atol=1e-14)
    for make in (velocity_ellipsoid, dynamic_ellipsoid, impact_ellipsoid):
        small, moved = make(here), make(there)
        np.testing.assert_allclose(moved.half_lengths, small.half_lengths, rtol=1e-9)
        np.testing.assert_allclose(moved.centre, base.apply(small.centre), atol=1e-14)
        alike = abs(np.sum(moved.axes * (base.rotation @ small.axes), axis=0))
        np.testing.assert_allclose(alike, 1.0)


def test_a_neighbour_does_not_matter() -> None:
    arm, neighbour = load("kuka_lwr"), load("vishard10")
    pair = merge_models("pair", {"a": (arm, Pose()), "b": (neighbour, Pose.at(3, 0, 0))})
    q = np.full(17, 0.4)
    for measure in (manipulability, ellipsoid_volume, isotropy):
        assert measure(Posture(pair, q), f"a/{arm.tip}") == pytest.approx(
            measure(Posture(arm, q[:7]))
        )


@pytest.mark.parametrize("name", ARMS)
def test_a_jacobian_taken_apart_can_be_put_together(name: str) -> None:
    posture = random_posture(name)
    system = decompose(posture, part="both")
    J = system.axes @ np.diag(system.values) @ system.motions
    np.testing.assert_allclose(J, posture.jacobian(), atol=1e-14)
    np.testing.assert_allclose(system.axes.T @ system.axes, np.eye(6), atol=1e-14)


# -- singular postures ----------------------------------------------------------------------


@pytest.mark.parametrize("name", LIBRARY_ARMS)
@pytest.mark.parametrize("part", ["linear", "angular", "both"])
def test_stretched_arms_have_numbers_too(name: str, part: str) -> None:
    model = load(name)
    for q in (np.zeros(model.n_dof), np.full(model.n_dof, math.pi / 2), model.neutral):
        posture = Posture(model, q)
        assert 0 <= manipulability(posture, part=part) < math.inf
        assert 0 <= directional_manipulability(posture, part=part) < math.inf
        assert 0 <= isotropy(posture, part=part) <= 1
        assert condition_number(posture, part=part) >= 1


def test_an_arm_with_too_few_joints_is_flat() -> None:
    posture = Posture(planar_2r(), [0.1, 0.7])  # two joints, three directions
    assert singular_values(posture).shape == (3,)
    assert manipulability(posture) == ellipsoid_volume(posture) == 0.0
    assert condition_number(posture) == math.inf
    assert velocity_ellipsoid(posture).half_lengths[2] == 0.0


def test_what_cannot_move_has_no_dexterity() -> None:
    posture = Posture(Model("block", (Body("block", Joint("held")),)))
    assert manipulability(posture) == directional_manipulability(posture) == isotropy(posture) == 0
    assert condition_number(posture) == math.inf
    np.testing.assert_array_equal(velocity_ellipsoid(posture).half_lengths, 0.0)


# -- ellipsoids -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("part", ["linear", "angular"])
def test_velocities_lie_in_their_ellipsoid(name: str, part: str) -> None:
    posture, rng = random_posture(name), np.random.default_rng(1)
    ellipsoid = velocity_ellipsoid(posture, part="linear" if part == "linear" else "angular")
    np.testing.assert_allclose(np.linalg.det(ellipsoid.axes), 1.0)
    np.testing.assert_allclose(ellipsoid.centre, posture.position())
    assert (np.diff(ellipsoid.half_lengths) <= 0).all()
    dq = rng.normal(size=(50, posture.model.n_dof))
    dq /= np.linalg.norm(dq, axis=1, keepdims=True)
    inside = (dq @ posture.jacobian()[part_rows(part)].T @ ellipsoid.axes) / np.maximum(
        ellipsoid.half_lengths, 1e-12
    )
    assert (np.linalg.norm(inside, axis=1) < 1 + 1e-9).all()


@given(q1=ANGLES, q2=st.floats(0.1, 3.0))
def test_a_mass_at_the_tip_is_felt_as_that_mass(q1: float, q2: float) -> None:
    mass = 2.5
    posture = Posture(planar_2r(masses=(0.0, mass)), [q1, q2])
    for direction in ([1, 0, 0], [0, -3, 0], [1, 2, 0]):
        felt = effective_mass(posture, direction=direction)
        assert felt == pytest.approx(mass, rel=1e-7)
    assert effective_mass(posture, direction=[0, 0, 1]) == math.inf
    # M = m JᵀJ: the impulse is m times the velocity, the acceleration that of the force J⁻ᵀτ
    velocity, impact = velocity_ellipsoid(posture), impact_ellipsoid(posture)
    np.testing.assert_allclose(impact.half_lengths[1:], mass * velocity.half_lengths[:2], rtol=1e-7)
    assert impact.half_lengths[0] == math.inf
    acceleration = dynamic_ellipsoid(posture).half_lengths[:2]
    np.testing.assert_allclose(acceleration, 1 / (mass * velocity.half_lengths[1::-1]), rtol=1e-7)


def test_dynamic_manipulability_of_two_links() -> None:
    # det(J M⁻¹) = det J / det M (Yoshikawa 1985); M of two point masses in closed form
    (l1, l2), (m1, m2), q2 = (0.5, 0.3), (2.0, 1.5), 0.9
    posture = Posture(planar_2r((l1, l2), masses=(m1, m2)), [0.3, q2])
    s = math.sin(q2)
    det_M = l1**2 * l2**2 * m2 * (m1 + m2 * s**2)
    a, b, flat = dynamic_ellipsoid(posture).half_lengths
    assert a * b == pytest.approx(l1 * l2 * s / det_M)
    assert flat == pytest.approx(0.0, abs=1e-15)


def test_a_pendulum_gives_way_only_along_its_circle() -> None:
    swing = Joint("swing", "revolute", velocity=4.0, effort=10.0)
    body = Body("bob", swing, mass=3.0, com=np.array([0.7, 0, 0]))
    posture = Posture(Model("pendulum", (body,)).with_payload("hook", 0.0, pose=Pose.at(0.7, 0, 0)))
    assert posture.position("hook") == pytest.approx([0.7, 0, 0])
    assert effective_mass(posture, "hook", direction=[0, 1, 0]) == pytest.approx(3.0)
    assert effective_mass(posture, "hook", direction=[1, 0, 0]) == math.inf
    plain, full = (impact_ellipsoid(posture, "hook", normalised=n) for n in (False, True))
    np.testing.assert_allclose(plain.half_lengths, [math.inf, math.inf, 3 * 0.7])
    np.testing.assert_allclose(full.half_lengths, [math.inf, math.inf, 3 * 0.7 * 4.0])
    np.testing.assert_allclose(abs(full.axes[:, 2]), [0, 1, 0], atol=1e-15)
    plain, full = (dynamic_ellipsoid(posture, "hook", normalised=n) for n in (False, True))
    np.testing.assert_allclose(plain.half_lengths, [1 / (3 * 0.7), 0, 0])
    np.testing.assert_allclose(full.half_lengths, [10 / (3 * 0.7), 0, 0])


@pytest.mark.parametrize("name", ["kuka_lwr", "ur5", "vishard10"])
def test_impact_is_the_reciprocal_of_acceleration(name: str) -> None:
    posture = random_posture(name)
    J, M = posture.jacobian()[:3], posture.mass_matrix
    dynamic, impact = dynamic_ellipsoid(posture), impact_ellipsoid(posture)
    np.testing.assert_allclose(impact.half_lengths, 1 / dynamic.half_lengths[::-1])
    np.testing.assert_allclose(np.linalg.det(impact.axes), 1.0)
    for i in range(3):  # an impulse on its surface changes the joint velocities by 1
        impulse = impact.half_lengths[i] * impact.axes[:, i]
        assert np.linalg.norm(np.linalg.solve(M, J.T @ impulse)) == pytest.approx(1.0)
    for i in range(3):
        u = np.eye(3)[i]
        mobility = u @ J @ np.linalg.solve(M, J.T) @ u
        assert effective_mass(posture, direction=u) == pytest.approx(1 / mobility)


def test_a_floating_body_is_felt_as_what_it_weighs() -> None:
    posture = Posture(Model("ball", (Body("ball", Joint("root", "floating"), mass=4.0,
                                          inertia=np.eye(3)),)))  # fmt: skip
    assert effective_mass(posture, direction=[1, 2, 3]) == pytest.approx(4.0)


@pytest.mark.parametrize("make", [dynamic_ellipsoid, impact_ellipsoid])
def test_arms_without_mass_are_refused(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match="joint 'one' of 'planar 2R' moves no mass"):
        make(Posture(planar_2r(), [0.1, 0.7]))
    with pytest.raises(ValueError, match="joint 'two' of 'planar 2R' moves no mass"):
        make(Posture(planar_2r(masses=(1.0, 0.0)), [0.1, 0.7]))
    with pytest.raises(
        ValueError, match="without moving any mass"
    ):  # stretched, all mass at the tip
        make(Posture(planar_2r(masses=(0.0, 1.0)), [0.1, 0.0]))


def test_a_massless_joint_elsewhere_does_not_matter() -> None:
    arm = planar_2r(masses=(1.0, 2.0))
    with_finger = arm.with_body(Body("finger", Joint("curl", "revolute"), "lower"))
    one = dynamic_ellipsoid(Posture(arm, [0.1, 0.7]))
    other = dynamic_ellipsoid(Posture(with_finger, [0.1, 0.7, 0.5]))
    np.testing.assert_allclose(other.half_lengths, one.half_lengths)


@pytest.mark.parametrize("direction", [[0, 0, 0], [1, 0], [math.nan, 0, 1], [math.inf, 0, 0]])
def test_directions_must_point_somewhere(direction: list[float]) -> None:
    with pytest.raises(ValueError, match="direction must be three numbers"):
        effective_mass(random_posture("kuka_lwr"), direction=direction)


def test_every_kind_of_joint_has_dexterity() -> None:
    rng = np.random.default_rng(3)
    model = every_joint(rng)
    q: Array = rng.uniform(-1, 1, model.n_dof)
    posture = Posture(model, q)
    assert manipulability(posture, part="both") > 0
    assert np.isfinite(impact_ellipsoid(posture, normalised=True).half_lengths).all()
