"""Orders of conditions: Latin squares, Williams designs, seeded permutations.

A row is the order for one participant. In a Latin square every condition stands once in every
position. In a Williams design every condition also follows every other one equally often, so that
effects of the condition just before cancel [Williams1949]; an odd number of conditions needs two
squares.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

__all__ = ["OrderKind", "condition_order", "latin_square", "order_rows", "williams_design"]

OrderKind = Literal["williams", "latin", "random", "fixed"]


def latin_square(n: int) -> tuple[tuple[int, ...], ...]:
    """Return the cyclic Latin square of n conditions."""
    _check_count(n)
    return tuple(tuple((row + column) % n for column in range(n)) for row in range(n))


def williams_design(n: int) -> tuple[tuple[int, ...], ...]:
    """Return a Williams design: n rows for an even number of conditions, 2n for an odd one."""
    _check_count(n)
    zigzag = [(k + 1) // 2 if k % 2 else (n - k // 2) % n for k in range(n)]  # 0 1 n-1 2 n-2 …
    square = tuple(tuple((row + step) % n for step in zigzag) for row in range(n))
    if n % 2 == 0 or n == 1:
        return square
    return square + tuple(row[::-1] for row in square)


def order_rows(kind: OrderKind, n: int) -> int:
    """Return how many participants complete a design once; 1 if it has no rows."""
    if kind in ("random", "fixed"):
        return 1
    return n if kind == "latin" or n % 2 == 0 or n == 1 else 2 * n


def condition_order(kind: OrderKind, n: int, *, number: int, seed: int) -> tuple[int, ...]:
    """Return the order of n conditions for a participant, counted from 0.

    `seed` decides which condition has which place in the square and in which sequence its rows
    are used; participants in a row of that many complete the square.
    """
    _check_count(n)
    if kind == "fixed":
        return tuple(range(n))
    if kind == "random":
        return tuple(map(int, np.random.default_rng((seed, number)).permutation(n)))
    square = latin_square(n) if kind == "latin" else williams_design(n)
    rng = np.random.default_rng(seed)
    labels, rows = rng.permutation(n), rng.permutation(len(square))
    return tuple(int(labels[place]) for place in square[rows[number % len(square)]])


def _check_count(n: int) -> None:
    if n < 1:
        raise ValueError(f"an order needs one condition or more, not {n}")
