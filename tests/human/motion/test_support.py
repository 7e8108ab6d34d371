"""The support polygon and the margins in it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array
from robotix.human.motion.support import support_margins, support_polygon

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


clouds = arrays(float, st.tuples(st.integers(3, 20), st.just(2)), elements=st.floats(-1, 1))


angles = st.floats(-np.pi, np.pi)


def area(polygon: Array) -> float:
    x, y = polygon.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def test_the_hull_of_a_square_is_the_square() -> None:
    points = [*SQUARE, [0.5, 0.5], [0.5, 0.0], [1.0, 1.0]]
    polygon = support_polygon(points)
    assert len(polygon) == 4
    assert {tuple(p) for p in polygon} == {tuple(p) for p in SQUARE}
    assert area(polygon) > 0  # counter-clockwise


def test_margins_are_distances_to_the_nearest_edge() -> None:
    points = [[0.5, 0.5], [0.9, 0.5], [0.5, 0.02], [1.2, 0.5], [0.5, -0.1]]
    np.testing.assert_allclose(support_margins(SQUARE, points), [0.5, 0.1, 0.02, -0.2, -0.1])


def test_nobody_stands_on_a_line() -> None:
    for points in ([[0, 0], [1, 1]], [[0, 0], [1, 1], [2, 2]], [[0.3, 0.2]]):
        polygon = support_polygon(points)
        assert len(polygon) < 3
        assert support_margins(polygon, [[0.5, 0.5]])[0] <= 0


def test_heights_do_not_count() -> None:
    high = np.column_stack([SQUARE, [0.0, 3.0, -1.0, 5.0]])
    np.testing.assert_allclose(support_polygon(high), support_polygon(SQUARE))


@given(clouds)
def test_all_points_are_inside_their_hull(points: Array) -> None:
    polygon = support_polygon(points)
    if len(polygon) >= 3 and area(polygon) > 1e-6:
        assert support_margins(polygon, points).min() > -1e-7


@given(clouds, angles)
def test_margins_turn_with_the_world(points: Array, angle: float) -> None:
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s], [s, c]])
    polygon = support_polygon(points)
    if len(polygon) < 3 or area(polygon) < 1e-3:
        return
    probe = points.mean(axis=0)[None]
    turned = support_margins(support_polygon(points @ turn.T), probe @ turn.T)
    np.testing.assert_allclose(turned, support_margins(polygon, probe), atol=1e-9)
