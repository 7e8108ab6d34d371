"""Distances between a body and its environment."""

from __future__ import annotations

import pytest
from support.assessed import assessed


def test_clearance_to_furniture() -> None:
    found = assessed("lift").clearance
    assert found is not None
    assert found.gap.shape == assessed("lift").times.shape
    assert 0.01 < found.gap.min() < 0.2
    pair, gap = found.nearest(1)[0]
    assert gap == pytest.approx(found.gap.min()) and "table" in pair
    assert found.label(found.row) == pair
    assert not any(thing == "floor" for _, thing in found.pairs)


def test_who_sits_does_not_bump_into_the_seat() -> None:
    found = assessed("stand_up").clearance
    assert found is not None
    assert not any(part.endswith("thigh") and thing == "seat" for part, thing in found.pairs)
    assert found.gap.min() > 0
    assert assessed("walk").clearance is None
