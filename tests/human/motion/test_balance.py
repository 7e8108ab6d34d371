"""Desired positions of the centre of mass, and points inside a support polygon."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from robotix.geometry import Array, Box
from robotix.human.motion.balance import braced, point_inside, stance_centre
from robotix.human.motion.loads import Load
from robotix.human.motion.performer import Performer
from robotix.human.motion.support import support_margins

SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


@given(arrays(float, 2, elements=st.floats(-2, 2)), st.floats(0.01, 0.4))
def test_a_place_is_brought_inside_by_the_margin(place: Array, margin: float) -> None:
    inside = point_inside(SQUARE, place, margin=margin)
    assert support_margins(SQUARE, inside[None])[0] >= margin - 1e-12
    if support_margins(SQUARE, place[None])[0] >= margin:
        np.testing.assert_array_equal(inside, place)


def test_a_polygon_too_small_for_the_margin_gives_its_middle() -> None:
    np.testing.assert_allclose(point_inside(SQUARE, [3.0, 0.1], margin=2.0), 0.5, atol=0.02)


def test_bracing_puts_both_mass_centres_evenly_about_the_stance(stander: Performer) -> None:
    box = Load("box", 20.0, ("right", "left"), Box(np.array([0.3, 0.3, 0.3])))
    place, mass = np.array([0.4, 0.05, 0.2]), stander.manikin.model.mass
    without = braced(stander, box, place)
    laden = (mass * without + 20.0 * place[:2]) / (mass + 20.0)
    np.testing.assert_allclose((without + laden) / 2, stance_centre(stander), atol=1e-9)
