"""Furniture: solids at the positions that tasks use."""

import numpy as np
import pytest

from robotix.geometry import Box, Shape
from robotix.human.motion.furniture import Chair, Crate, Hole, Ladder, Stairs, Table


def bounds(solid: Shape) -> tuple[np.ndarray, np.ndarray]:
    assert isinstance(solid, Box)
    return solid.pose.translation - solid.size / 2, solid.pose.translation + solid.size / 2


def test_a_chair_stands_on_the_floor_with_its_seat_at_the_given_height() -> None:
    solids = Chair(seat_height=0.45, front=-0.1).solids
    assert bounds(solids["seat"])[1][2] == pytest.approx(0.45)
    assert bounds(solids["seat"])[1][0] == pytest.approx(-0.1)
    legs = [solid for name, solid in solids.items() if "leg" in name]
    assert len(legs) == 4 and all(bounds(leg)[0][2] == pytest.approx(0.0) for leg in legs)


def test_a_table_has_its_near_edge_and_its_top_where_it_says() -> None:
    low, high = bounds(Table(height=0.72, near=0.4).solids["table"])
    assert (low[0], high[2]) == pytest.approx((0.4, 0.72))


def test_a_crate_is_a_box_about_its_centre() -> None:
    low, high = bounds(Crate(0.3, 0.4, 0.2).box)
    np.testing.assert_allclose(high - low, [0.3, 0.4, 0.2])
    np.testing.assert_allclose(high + low, 0.0)


def test_the_middle_of_a_tread_is_on_its_block() -> None:
    stairs = Stairs(count=3, riser=0.17, tread=0.28, start=0.5)
    for step, solid in enumerate(stairs.solids.values(), start=1):
        x, z = stairs.middle(step)
        low, high = bounds(solid)
        assert low[0] < x < high[0] and high[2] == pytest.approx(z) == pytest.approx(0.17 * step)
    assert stairs.middle(0)[1] == 0.0 and stairs.middle(0)[0] < 0.5


def test_the_gap_to_a_hole_is_the_distance_from_its_rim() -> None:
    hole = Hole(1.0, 0.0, 0.3)
    assert hole.gap(np.array([[2.0, 0.0], [1.0, 0.5]])) == pytest.approx(0.2)
    assert hole.gap(np.array([[1.1, 0.0, 5.0]])) == pytest.approx(-0.2)


def test_rungs_are_evenly_spaced_along_leaning_rails() -> None:
    ladder = Ladder(spacing=0.25, count=6, foot=0.4)
    steps = [ladder.rung(k + 1) - ladder.rung(k) for k in range(5)]
    np.testing.assert_allclose(steps, [0.25 * ladder.up] * 5, atol=1e-12)
    assert np.arccos(ladder.up[2]) == pytest.approx(ladder.lean)
    assert ladder.up[0] > 0
