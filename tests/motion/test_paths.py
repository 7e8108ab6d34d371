"""Paths in space obey one contract; what a trajectory feeds forward are time derivatives."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array, Pose, exp_rotation, log_rotation, rotation_from_rpy
from robotix.motion import Arc, Line, PointPath, PosePath, Profile, Spline, Trajectory

WAYPOINTS = np.array(
    [[0, 0, 0], [0.3, 0.4, 0.1], [0.8, 0.2, 0.5], [1.0, -0.5, 0.2], [1.1, -0.5, 0]]
)
PATHS: list[PointPath] = [
    Line(np.array([0.1, 0.2, 0.3]), np.array([-1.0, 0.5, 2.0])),
    Arc(np.array([1.0, 0, 0]), np.zeros(3), np.array([0, 0, 2.0]), 2.5),
    Arc(np.array([0.5, 0.1, 0.4]), np.array([1.0, 0, 0]), np.array([1.0, 1, 1]), -5.0),
    Arc.through([0, 0, 0], [1, 1, 0], [2, 0, 1]),
    Spline(WAYPOINTS),
    Spline(WAYPOINTS[:2]),
    Spline(1e-3 * WAYPOINTS[:3]),
]
vectors = arrays(float, 3, elements=st.floats(-2, 2))


@pytest.mark.parametrize("path", PATHS)
def test_speed_along_a_path_is_one(path: PointPath) -> None:
    """Chords of ever smaller steps are as long as the arc, up to the bend between."""
    s = np.linspace(0, path.length, 401)
    points = np.array([path.point(float(x)) for x in s])
    chords = np.linalg.norm(np.diff(points, axis=0), axis=1)
    np.testing.assert_allclose(chords, s[1], rtol=3e-3)
    assert chords.sum() == pytest.approx(path.length, rel=1e-4)


@pytest.mark.parametrize("path", PATHS)
@settings(max_examples=25)
@given(part=st.floats(0.01, 0.99))
def test_tangent_and_curvature_are_slopes(path: PointPath, part: float) -> None:
    s, h = part * path.length, 1e-5 * path.length
    slope = (path.point(s + h) - path.point(s - h)) / (2 * h)
    np.testing.assert_allclose(path.tangent(s), slope, atol=1e-6)
    assert np.linalg.norm(path.tangent(s)) == pytest.approx(1, abs=1e-12)
    bend = (path.tangent(s + h) - path.tangent(s - h)) / (2 * h)
    np.testing.assert_allclose(path.curvature(s) * path.length, bend * path.length, atol=2e-3)
    assert path.curvature(s) @ path.tangent(s) == pytest.approx(0, abs=1e-9 / path.length)


@given(a=vectors, b=vectors, c=vectors)
def test_arc_goes_through_its_three_points_in_order(a: Array, b: Array, c: Array) -> None:
    u, v, w = b - a, c - a, c - b
    sides = sorted(np.linalg.norm([u, v, w], axis=1))
    assume(sides[0] > 1e-2 and np.linalg.norm(np.cross(u, v)) > 1e-2)
    arc = Arc.through(a, b, c)
    np.testing.assert_allclose(arc.point(0), a, atol=1e-8)
    np.testing.assert_allclose(arc.point(arc.length), c, atol=1e-8)
    spoke, to_middle = a - arc.centre, b - arc.centre
    angle = math.atan2(to_middle @ np.cross(arc.axis, spoke), to_middle @ spoke) % (2 * math.pi)
    assert 0 < angle < arc.angle
    np.testing.assert_allclose(arc.point(angle * arc.radius), b, atol=1e-8)


def test_arc_by_centre_and_angle() -> None:
    arc = Arc(np.array([2.0, 0, 5]), np.zeros(3), np.array([0, 0, 3.0]), -math.pi / 2)
    np.testing.assert_allclose(arc.point(arc.length), [0, -2, 5], atol=1e-15)
    assert arc.length == pytest.approx(math.pi)


@settings(max_examples=25)
@given(points=arrays(float, (6, 3), elements=st.floats(-1, 1)))
def test_spline_passes_through_its_points(points: Array) -> None:
    assume(np.linalg.norm(np.diff(points, axis=0), axis=1).min() > 0.05)
    try:
        spline = Spline(points)
    except ValueError as error:
        assert "turns back" in str(error)
        return
    np.testing.assert_allclose(spline.point(0), points[0], atol=1e-12)
    np.testing.assert_allclose(spline.point(spline.length), points[-1], atol=1e-12)
    knots = spline._table[0][np.searchsorted(spline._table[1], spline._knots)]
    for s, point in zip(knots, points, strict=True):
        np.testing.assert_allclose(spline.point(float(s)), point, atol=1e-9)
    h = 1e-6 * spline.length
    for s in knots[1:-1]:  # position, tangent and curvature run on across the points
        before, after = spline.curvature(float(s) - h), spline.curvature(float(s) + h)
        assert np.linalg.norm(after - before) <= 1e-3 * (1 + np.linalg.norm(before)) ** 3


def test_spline_is_the_natural_one_of_scipy() -> None:
    from scipy.interpolate import CubicSpline

    spline = Spline(WAYPOINTS)
    peer = CubicSpline(spline._knots, WAYPOINTS, bc_type="natural")
    for u in np.linspace(0, spline._knots[-1], 50):
        for order in range(3):
            np.testing.assert_allclose(spline._derivative(u, order), peer(u, order), atol=1e-12)


def test_two_points_make_a_straight_spline() -> None:
    spline = Spline(WAYPOINTS[:2])
    assert spline.length == pytest.approx(math.dist(*WAYPOINTS[:2]), rel=1e-14)
    np.testing.assert_allclose(spline.curvature(0.1), 0, atol=1e-12)


Z = np.array([0, 0, 1.0])
NO_PATHS: dict[str, tuple[Callable[[], PointPath], str]] = {
    "flat point": (lambda: Line(np.zeros(2), np.ones(3)), "three finite numbers"),
    "nan": (lambda: Line(np.zeros(3), np.array([1, 2, math.nan])), "three finite numbers"),
    "no axis": (lambda: Arc(np.ones(3), np.zeros(3), np.zeros(3), 1.0), "no direction"),
    "no radius": (lambda: Arc(np.ones(3), np.zeros(3), np.ones(3), 1.0), "lies on its axis"),
    "no angle": (lambda: Arc(np.ones(3), np.zeros(3), Z, 0.0), "angle"),
    "straight arc": (lambda: Arc.through([0, 0, 0], [1, 1, 1], [3, 3, 3]), "lie on a line"),
    "two points of an arc": (lambda: Arc.through([0, 0, 0], [0, 0, 0], [3, 3, 3]), "on a line"),
    "one point": (lambda: Spline(np.zeros((1, 3))), "two points"),
    "the same point": (lambda: Spline(np.zeros((2, 3))), "twice in a row"),
    "there and back": (lambda: Spline(np.array([0 * Z, Z, 0 * Z])), "turns back"),
}


@pytest.mark.parametrize("case", NO_PATHS)
def test_refuses_what_is_no_path(case: str) -> None:
    make, message = NO_PATHS[case]
    with pytest.raises(ValueError, match=message):
        make()


# -- with orientation and time --------------------------------------------------------------------

START = Pose(rotation_from_rpy(0.3, -0.2, 0.9), np.array([0.1, 0, 0.4]))
END = Pose(rotation_from_rpy(-1.3, 0.7, 2.9), np.array([0.6, -0.5, 0.2]))
TRAJECTORIES = [
    Trajectory(PosePath.straight(START, END), Profile.minimum_jerk(2.0)),
    Trajectory(PosePath(Spline(WAYPOINTS), START.rotation, END.rotation), Profile.quintic(3.0)),
    Trajectory(PosePath(PATHS[2], START.rotation), Profile.minimum_jerk(1.5)),
    Trajectory(PosePath.straight(START, Pose(END.rotation, START.translation)), Profile.cubic(1.0)),
]


@given(first=vectors, last=vectors, part=st.floats(0, 0.99))
def test_orientation_turns_at_a_constant_rate(first: Array, last: Array, part: float) -> None:
    path = PosePath(PATHS[0], exp_rotation(first), exp_rotation(last))
    step = path.pose(part + 0.01).rotation @ path.pose(part).rotation.T
    np.testing.assert_allclose(log_rotation(step), 0.01 * path.rotation_vector, atol=1e-9)
    np.testing.assert_allclose(path.pose(1.0).rotation, exp_rotation(last), atol=1e-9)
    assert np.linalg.norm(path.rotation_vector) <= math.pi + 1e-9


@pytest.mark.parametrize("trajectory", TRAJECTORIES)
@settings(max_examples=25)
@given(part=st.floats(0.01, 0.99))
def test_twist_and_acceleration_are_time_derivatives(trajectory: Trajectory, part: float) -> None:
    t, h = part * trajectory.duration, 1e-5
    before, after = trajectory.pose(t - h), trajectory.pose(t + h)
    linear = (after.translation - before.translation) / (2 * h)
    angular = log_rotation(after.rotation @ before.rotation.T) / (2 * h)
    np.testing.assert_allclose(trajectory.twist(t), [*linear, *angular], atol=1e-6)
    slope = (trajectory.twist(t + h) - trajectory.twist(t - h)) / (2 * h)
    np.testing.assert_allclose(trajectory.acceleration(t), slope, atol=2e-3)


@pytest.mark.parametrize("trajectory", TRAJECTORIES)
def test_a_trajectory_rests_at_its_ends(trajectory: Trajectory) -> None:
    for t in (-1.0, 0.0, trajectory.duration, trajectory.duration + 1):
        np.testing.assert_allclose(trajectory.twist(t), 0, atol=1e-12)
    last = trajectory.pose(trajectory.duration + 1).translation
    np.testing.assert_allclose(trajectory.pose(trajectory.duration).translation, last)


def test_only_rotations_are_orientations() -> None:
    with pytest.raises(ValueError, match="orthonormal"):
        PosePath(PATHS[0], 2 * np.eye(3))


def test_straight_reaches_both_poses() -> None:
    path = PosePath.straight(START, END)
    np.testing.assert_allclose(path.pose(0).matrix, START.matrix, atol=1e-12)
    np.testing.assert_allclose(path.pose(1).matrix, END.matrix, atol=1e-12)
