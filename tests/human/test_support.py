"""The support polygon and the margins in it."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array
from robotix.human import make_anthropometry, make_manikin
from robotix.human.motion.balance import point_inside, polygon_of
from robotix.human.motion.contacts import toes
from robotix.human.motion.scenario import standing
from robotix.human.motion.styles import NATURAL
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


@given(arrays(float, 2, elements=st.floats(-2, 2)), st.floats(0.01, 0.4))
def test_a_place_is_brought_inside_by_the_margin(place: Array, margin: float) -> None:
    inside = point_inside(SQUARE, place, margin=margin)
    assert support_margins(SQUARE, inside[None])[0] >= margin - 1e-12
    if support_margins(SQUARE, place[None])[0] >= margin:
        np.testing.assert_array_equal(inside, place)


def test_a_polygon_too_small_for_the_margin_gives_its_middle() -> None:
    np.testing.assert_allclose(point_inside(SQUARE, [3.0, 0.1], margin=2.0), 0.5, atol=0.02)


def test_models_are_collected_although_their_contacts_were_located() -> None:
    person = standing(make_manikin(make_anthropometry(sex="f")), style=NATURAL)
    person.add_contact(toes(person.manikin, "right"))
    assert len(polygon_of(person, *person.contacts)) > 3
    gone = weakref.ref(person.manikin.model)
    del person
    gc.collect()
    assert gone() is None
