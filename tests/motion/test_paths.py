"""Paths in space: lines, arcs and splines satisfy one contract."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from support.point_paths import PATHS

from robotix.geometry import Array
from robotix.motion import Arc, Line, PointPath, Spline

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
