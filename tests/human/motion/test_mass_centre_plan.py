"""Plans of the mass centre: polygons made smaller, and a cart that stays over its table."""

from __future__ import annotations

import numpy as np

from robotix.human.motion.mass_centre_plan import CartTable, displaced, inset

SQUARE = np.array([[-0.1, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.1, 0.1]])


def test_an_inset_square_is_smaller_by_its_margin() -> None:
    found = inset(SQUARE, 0.03)
    np.testing.assert_allclose(abs(found), 0.07, atol=1e-12)
    assert abs(inset(SQUARE, 0.5)).max() < 0.1  # there is no room for as much


def test_a_cart_that_brakes_too_hard_is_moved_before() -> None:
    count, dt, lag = 400, 0.01, 0.1
    zmp = np.zeros((count, 2))
    zmp[180:220, 0] = 0.15
    table = CartTable(
        dt, np.zeros((count, 2)), zmp, np.full(count, lag), np.ones(count), [SQUARE],
        np.zeros(count, dtype=np.int64),
    )  # fmt: skip
    com, excess = displaced(table, margin=0.01)
    bend = np.gradient(np.gradient(com, dt, axis=0), dt, axis=0)
    moved = zmp + com - lag * bend
    assert excess < 1e-3 and abs(moved[5:-5]).max() < 0.1
    np.testing.assert_allclose(com[[0, -1]], 0.0, atol=1e-6)
