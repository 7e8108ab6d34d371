"""Mass distributions along a line: cutting and joining conserve mass, centre and inertia."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.human.body.slab import Slab, between_heights, join_masses


def upright(com: float = 0.45) -> Slab:
    gyration = np.array([0.30, 0.29, 0.12])
    return Slab(12.0, np.array([0.0, 0.1, 1.4]), np.array([0.0, 0.1, 1.0]), com, gyration)


@given(st.floats(0.42, 0.58), st.lists(st.floats(0.05, 0.95), min_size=1, max_size=4, unique=True))
def test_joined_pieces_are_the_whole(com: float, cuts: list[float]) -> None:
    slab = upright(com)
    edges = [0.0, *sorted(cuts), 1.0]
    pieces = [slab.piece(a, b) for a, b in pairwise(edges) if b - a > 1e-6]
    whole, joined = slab.piece(), join_masses(pieces)
    assert joined.mass == pytest.approx(whole.mass, rel=1e-4)
    np.testing.assert_allclose(joined.com, whole.com, atol=1e-5)
    np.testing.assert_allclose(joined.inertia, whole.inertia, atol=1e-4)


def test_the_whole_has_the_given_mass_centre_and_inertia() -> None:
    whole = upright().piece()
    assert whole.mass == pytest.approx(12.0)
    np.testing.assert_allclose(whole.com, [0.0, 0.1, 1.4 - 0.45 * 0.4])
    expected = 12.0 * (0.4 * np.array([0.30, 0.29, 0.12])) ** 2
    np.testing.assert_allclose(whole.inertia, np.diag(expected), atol=1e-12)


def test_heights_cut_slabs_and_skip_those_outside() -> None:
    halves = [*between_heights([upright()], 1.4, 1.2), *between_heights([upright()], 1.2, 1.0)]
    assert sum(piece.mass for piece in halves) == pytest.approx(12.0)
    assert list(between_heights([upright()], 2.0, 1.5)) == []
