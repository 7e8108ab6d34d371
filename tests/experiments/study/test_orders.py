from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.experiments.study.orders import (
    OrderKind,
    condition_order,
    latin_square,
    order_rows,
    williams_design,
)

SIZES = st.integers(1, 24)


@given(SIZES)
def test_latin_squares_have_every_condition_once_in_every_row_and_position(n: int) -> None:
    square = latin_square(n)
    assert len(square) == n
    for line in [*square, *zip(*square, strict=True)]:
        assert sorted(line) == list(range(n))


@given(SIZES)
def test_williams_designs_balance_positions_and_predecessors(n: int) -> None:
    rows = williams_design(n)
    squares = 1 if n % 2 == 0 or n == 1 else 2
    assert len(rows) == squares * n == order_rows("williams", n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    for column in zip(*rows, strict=True):
        assert set(Counter(column).values()) == {squares}
    followed = Counter(pair for row in rows for pair in pairwise(row))
    assert len(followed) == n * (n - 1)
    assert set(followed.values()) <= {squares}


@given(SIZES, st.integers(0, 2**32 - 1), st.integers(0, 50))
def test_consecutive_participants_complete_the_design(n: int, seed: int, start: int) -> None:
    count = order_rows("williams", n)
    rows = [condition_order("williams", n, number=start + k, seed=seed) for k in range(count)]
    followed = Counter(pair for row in rows for pair in pairwise(row))
    assert len(set(followed.values())) <= 1 and len(followed) == n * (n - 1)


@pytest.mark.parametrize("kind", ["williams", "latin", "random", "fixed"])
def test_orders_are_permutations_that_the_seed_repeats(kind: OrderKind) -> None:
    orders = [condition_order(kind, 5, number=k, seed=3) for k in range(20)]
    assert orders == [condition_order(kind, 5, number=k, seed=3) for k in range(20)]
    assert all(sorted(order) == list(range(5)) for order in orders)
    least, most = {"williams": (10, 10), "latin": (5, 5), "random": (12, 20), "fixed": (1, 1)}[kind]
    assert least <= len(set(orders)) <= most


def test_no_conditions_are_refused() -> None:
    with pytest.raises(ValueError, match="one condition or more"):
        condition_order("fixed", 0, number=0, seed=0)
