"""DH tables: both conventions against plain matrix products, masses in three frames, shapes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles.recursive_fk import world_poses
from support.dh_text import ARM

from robotix.errors import BadModel, UnknownName
from robotix.geometry import Array, Capsule, Pose, Sphere, rotation_from_rpy
from robotix.model import Model
from robotix.model.capsules import capsules_along, spread_mass
from robotix.model.dh import DhBase, DhRow, Inertial, make_dh_model, parse_dh

# -- kinematics ---------------------------------------------------------------------------------


def rot(axis: int, angle: float) -> Array:
    i, j = (axis + 1) % 3, (axis + 2) % 3
    T = np.eye(4)
    T[i, i] = T[j, j] = math.cos(angle)
    T[i, j], T[j, i] = -math.sin(angle), math.sin(angle)
    return T


def trans(axis: int, length: float) -> Array:
    T = np.eye(4)
    T[axis, 3] = length
    return T


def row_matrix(row: DhRow, q: float, convention: str) -> Array:
    """One row as the textbooks print it."""
    theta, d = (row.theta + q, row.d) if row.kind == "revolute" else (row.theta, row.d + q)
    if convention == "standard":
        return rot(2, theta) @ trans(2, d) @ trans(0, row.a) @ rot(0, row.alpha)
    return rot(0, row.alpha) @ trans(0, row.a) @ rot(2, theta) @ trans(2, d)


numbers = st.floats(-2, 2)
rows = st.lists(
    st.builds(
        DhRow,
        a=numbers,
        alpha=numbers,
        d=numbers,
        theta=numbers,
        kind=st.sampled_from(["revolute", "prismatic"]),
    ),
    min_size=1,
    max_size=8,
)


@given(rows=rows, convention=st.sampled_from(["standard", "modified"]), seed=st.integers(0, 99))
def test_flange_is_the_product_of_the_rows(rows: list[DhRow], convention, seed: int) -> None:  # type: ignore[no-untyped-def]
    q = np.random.default_rng(seed).uniform(-3, 3, len(rows))
    expected = np.eye(4)
    for row, angle in zip(rows, q, strict=True):
        expected = expected @ row_matrix(row, angle, convention)
    model = make_dh_model("arm", rows, convention=convention)
    np.testing.assert_allclose(world_poses(model, q)["flange"].matrix, expected, atol=1e-12)


@given(rows=rows, seed=st.integers(0, 99))
def test_a_standard_table_is_a_modified_one_shifted_by_a_row(rows: list[DhRow], seed: int) -> None:
    shifted = [
        DhRow(before.a, before.alpha, row.d, row.theta, row.kind)
        for before, row in zip([DhRow(), *rows], rows, strict=False)
    ]
    last = Pose.from_matrix(trans(0, rows[-1].a) @ rot(0, rows[-1].alpha))
    one = make_dh_model("one", rows)
    other = make_dh_model("other", shifted, convention="modified", flange=last)
    q = np.random.default_rng(seed).uniform(-3, 3, len(rows))
    here, there = world_poses(one, q), world_poses(other, q)
    for name in here:
        np.testing.assert_allclose(here[name].matrix, there[name].matrix, atol=1e-12)


def test_bodies_turn_about_their_own_z_axis() -> None:
    model = make_dh_model("arm", [(0.3, 1.0, 0.2, 0.5), (0.4, -0.7, 0.1, -0.2)])
    assert [body.name for body in model.bodies] == ["base", "link1", "link2"]
    assert model.dof_names == ("joint1", "joint2")
    assert model.tip == "flange"
    for joint in model.joints[1:]:
        np.testing.assert_array_equal(joint.axis, [0, 0, 1])


def test_base_tool_and_points_are_where_they_are_said_to_be() -> None:
    model = parse_dh(ARM)
    poses = world_poses(model, np.zeros(2))
    np.testing.assert_allclose(poses["base"].translation, [0, 0, 1])
    np.testing.assert_allclose(poses["middle"].matrix[:3, 3], [0.25, 0, 1], atol=1e-15)
    np.testing.assert_allclose(poses["middle"].rotation, np.eye(3), atol=1e-15)
    flange = Pose.at(0, 0, 1).matrix @ rot(0, 0) @ trans(0, 0.5) @ rot(0, math.pi / 2)
    flange = flange @ rot(2, 0.3) @ trans(2, 0.2)
    np.testing.assert_allclose(poses["flange"].matrix, flange, atol=1e-15)
    np.testing.assert_allclose(poses["tool"].matrix, flange @ trans(2, 0.1), atol=1e-15)
    assert model.lower.tolist() == [math.radians(-170), 0.0]
    assert model.upper.tolist() == [math.radians(170), 0.4]
    assert model.velocity.tolist() == [math.radians(90), math.inf]
    assert model.effort.tolist() == [100.0, math.inf]


def test_degrees_and_radians_say_the_same() -> None:
    radians = ARM.replace("alpha_deg = 90", f"alpha = {math.pi / 2!r}")
    q = np.array([0.4, 0.1])
    one, other = world_poses(parse_dh(ARM), q), world_poses(parse_dh(radians), q)
    np.testing.assert_array_equal(one["flange"].matrix, other["flange"].matrix)


# -- masses and shapes --------------------------------------------------------------------------

TABLE = [(0.3, 1.0, 0.2, 0.5), (0.4, -0.7, 0.1, -0.2), (0.1, 0.3, 0.2, 0.9)]


def moving(inertial: Inertial) -> Model:
    """Three joints, the second link with a mass."""
    table = [DhRow(*row) for row in TABLE]
    table[1] = DhRow(*TABLE[1], inertial=inertial)
    return make_dh_model("arm", table, base=DhBase(Pose.at(1, 2, 3, rpy=(0.1, 0.2, 0.3))))


def test_a_mass_is_the_same_in_whatever_frame_its_source_gives_it() -> None:
    com, tensor = np.array([0.1, -0.2, 0.3]), [0.2, 0.3, 0.25, 0.01, -0.02, 0.03]
    turned = Pose(rotation_from_rpy(0.4, -0.8, 1.2), np.array([0.3, 0.1, -0.5]))
    zero = [row_matrix(DhRow(*row), 0.0, "standard") for row in TABLE]
    base_from_dh = zero[0] @ zero[1]
    joint_from_dh = trans(0, 0.4) @ rot(0, -0.7)
    body = moving(Inertial(2.0, com, tensor, frame="dh", pose=turned)).body("link2")
    at_zero = Pose.from_matrix(base_from_dh) @ turned
    on_joint = Pose.from_matrix(joint_from_dh) @ turned
    for frame, pose in {"zero": at_zero, "joint": on_joint}.items():
        other = moving(Inertial(2.0, com, tensor, frame=frame, pose=pose)).body("link2")  # type: ignore[arg-type]
        np.testing.assert_allclose(other.com, body.com, atol=1e-14)
        np.testing.assert_allclose(other.inertia, body.inertia, atol=1e-14)
    np.testing.assert_allclose(body.com, on_joint.apply(com), atol=1e-14)
    about = body.inertia  # the same moment about the same direction
    direction = np.array([0.0, 0.0, 1.0])
    seen = on_joint.rotation @ direction
    assert seen @ about @ seen == pytest.approx(0.25)


def test_an_inertia_about_the_origin_is_moved_to_the_centre_of_mass() -> None:
    com = np.array([0.1, -0.2, 0.3])
    about_origin = np.diag([0.2, 0.3, 0.25]) + 2.0 * (com @ com * np.eye(3) - np.outer(com, com))
    moved = moving(Inertial(2.0, com, about_origin, about="origin")).body("link2")
    np.testing.assert_allclose(moved.inertia, np.diag([0.2, 0.3, 0.25]), atol=1e-15)


def test_capsules_follow_the_links_and_leave_mount_and_flange_free() -> None:
    straight = [DhRow(d=0.5, radius=0.1), DhRow(radius=0.1), DhRow(a=0.3, d=0.2, radius=0.1)]
    model = make_dh_model("arm", straight)
    first, second, third = (body.collision for body in model.bodies[1:])
    (capsule,) = first
    assert isinstance(capsule, Capsule)
    assert capsule.length == pytest.approx(0.4)  # a radius short of the mounting plane
    np.testing.assert_allclose(capsule.pose.translation, [0, 0, -0.2], atol=1e-15)
    (ball,) = second
    assert isinstance(ball, Sphere)  # nothing between its joints
    assert [shape.length for shape in third if isinstance(shape, Capsule)] == pytest.approx(
        [0.2, 0.2]
    )
    assert [len(body.visuals) for body in model.bodies] == [0, 1, 1, 2]


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=6))
def test_every_capsule_ends_at_its_points(points: list[tuple[float, float, float]]) -> None:
    shapes = capsules_along(points, radius=0.1)
    ends = {tuple(np.round(point, 6)) for point in points}
    for shape in shapes:
        assert np.linalg.det(shape.pose.rotation) == pytest.approx(1)
        if isinstance(shape, Capsule):
            for side in (-0.5, 0.5):
                end = shape.pose.apply([0, 0, side * shape.length])
                assert min(math.dist(end, point) for point in ends) < 1e-5


def test_spread_mass_fills_the_solid() -> None:
    rng = np.random.default_rng(1)
    (capsule,) = capsules_along([(0.2, -0.1, 0.0), (0.5, 0.3, 0.4)], radius=0.15)
    assert isinstance(capsule, Capsule)
    com, inertia = spread_mass([capsule], 3.0)
    half = capsule.length / 2
    points = rng.uniform(-1, 1, (400_000, 3)) * [0.15, 0.15, half + 0.15]
    beyond = np.maximum(abs(points[:, 2]) - half, 0)
    points = points[np.hypot(np.hypot(points[:, 0], points[:, 1]), beyond) < 0.15]
    points = capsule.pose.apply(points) - capsule.pose.translation
    expected = np.trace(points.T @ points) * np.eye(3) - points.T @ points
    np.testing.assert_allclose(com, capsule.pose.translation, atol=1e-15)
    np.testing.assert_allclose(inertia, 3.0 * expected / len(points), atol=1e-3)


def test_spread_mass_of_two_balls_is_that_of_a_dumbbell() -> None:
    balls = [Sphere(0.1, Pose.at(x, 0, 0)) for x in (-1.0, 1.0)]
    com, inertia = spread_mass(balls, 4.0)
    own = 0.4 * 4.0 * 0.1**2
    np.testing.assert_allclose(com, 0, atol=1e-15)
    np.testing.assert_allclose(inertia, np.diag([own, own + 4.0, own + 4.0]), atol=1e-12)


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(ValueError, match="1 to 100 rows"):
        make_dh_model("x", [])
    with pytest.raises(ValueError, match="'standard' or 'modified'"):
        make_dh_model("x", [DhRow()], convention="craig")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="row 2 must be"):
        make_dh_model("x", [DhRow(), (1, 2, 3)])
    with pytest.raises(ValueError, match="finite"):
        make_dh_model("x", [(math.nan, 0, 0, 0)])
    with pytest.raises(UnknownName, match="link"):
        make_dh_model("x", [DhRow()], points={"p": ("link2", Pose())})
    with pytest.raises(BadModel, match="nor a shape"):
        make_dh_model("x", [DhRow(inertial=Inertial(1.0))])
    with pytest.raises(BadModel, match="radius"):
        make_dh_model("x", [DhRow(radius=-1.0)])
    with pytest.raises(ValueError, match="3 or 6"):
        make_dh_model("x", [DhRow(inertial=Inertial(1.0, (0, 0, 0), (1.0, 2.0)))])
    with pytest.raises(ValueError, match="at least one point"):
        capsules_along([], radius=1.0)
