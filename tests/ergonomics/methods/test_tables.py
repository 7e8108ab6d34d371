"""Bands of the published tables."""

import math

import pytest

from robotix.ergonomics.methods.tables import (
    EDGE_TOLERANCE,
    direction,
    is_beyond,
    is_inside,
    steps_beyond,
)


@pytest.mark.parametrize("edge", [15, 20, 45, 60, 90, 100])
def test_an_angle_converted_from_degrees_stays_on_its_edge(edge: int) -> None:
    back = math.degrees(math.radians(edge))
    assert not is_beyond(back, edge)
    assert is_inside(back, (edge, 180)) and is_inside(back, (0, edge))
    assert is_beyond(edge + 10 * EDGE_TOLERANCE, edge)


def test_edges_are_counted() -> None:
    assert [steps_beyond(value, (20, 45, 90)) for value in (0, 20, 21, 46, 180)] == [0, 0, 1, 2, 3]


def test_directions_have_names() -> None:
    assert direction(math.radians(30)) == "flexed by 30°"
    assert direction(math.radians(-12.34)) == "extended by 12.3°"
    assert direction(1e-9) == "at 0°"
