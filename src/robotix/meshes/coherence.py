"""Temporal coherence: distances of solids that move little from one call to the next.

A distance that was measured is a bound later: it shrinks by no more than both solids have moved. A
pair whose bound is beyond what is asked for is not measured again, and where it is, the search
starts with the triangles that were nearest before. Results are those of `solid_distance`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robotix.collision.coherence_kernels import pair_bounds, travel
from robotix.geometry import Array
from robotix.meshes.solids import PackedSolids, solid_distance

__all__ = ["CoherentDistances"]

LOOK_AHEAD = 0.05  # m beyond what is asked for, up to which a distance is measured


class CoherentDistances:
    """Distances between the solids of two lists, which may be one and the same."""

    def __init__(self, first: PackedSolids, second: PackedSolids) -> None:
        """Start without any distance."""
        self._first, self._second = first, second
        shape = len(first.rows), len(second.rows)
        # A bound is what was measured, plus what both had moved by then.
        self._measured = np.full(shape, -np.inf)
        self._bounds = np.empty(shape)
        self._hints = np.full((*shape, 2), -1, dtype=np.int64)
        self._path_first, self._path_second = _Path(first), _Path(second)

    def inherit(self, other: CoherentDistances, columns: NDArray[np.int64]) -> None:
        """Take over what is known of solids that were at other columns before (-1 for new)."""
        old = columns >= 0
        self._path_first = other._path_first
        self._path_second.take(other._path_second, columns)
        self._measured[:, old] = other._measured[:, columns[old]]
        self._hints[:, old] = other._hints[:, columns[old]]

    def move(self, rows_first: Array, rows_second: Array) -> None:
        """Place the solids."""
        self._path_first.move(rows_first)
        self._path_second.move(rows_second)

    def bounds(self) -> Array:
        """Return distances that the pairs do not fall short of, (n, m), in m.

        By the balls around the solids, and by what was measured. Valid until the next call.
        """
        a, b, solids, others = self._path_first, self._path_second, self._first, self._second
        pair_bounds(
            a.rows, solids.middles, solids.radii, a.lengths,
            b.rows, others.middles, others.radii, b.lengths, self._measured, self._bounds,
        )  # fmt: skip
        return self._bounds

    def bounds_of(self, i: int) -> Array:
        """Return what was measured of one solid of the first list, less the ways since, (m,)."""
        travelled = self._path_first.lengths[i] + self._path_second.lengths
        return np.asarray(self._measured[i] - travelled)

    def note(self, i: int, k: int, bound: float) -> None:
        """Take a distance that a pair does not fall short of from elsewhere."""
        self._measured[i, k] = bound + self._path_first.lengths[i] + self._path_second.lengths[k]

    def measure(self, i: int, k: int, *, limit: float, out: Array) -> float:
        """Return the distance between two placed solids, infinite beyond `limit`."""
        first, second = self._path_first, self._path_second
        wide = limit + LOOK_AHEAD
        distance = solid_distance(
            self._first, i, first.rows[i], self._second, k, second.rows[k], limit=wide, out=out,
            hint=self._hints[i, k],
        )  # fmt: skip
        self.note(i, k, min(distance, wide))
        return distance if distance < limit else np.inf


class _Path:
    """How far the points of solids have moved at most, since the beginning."""

    def __init__(self, solids: PackedSolids) -> None:
        self._solids = solids
        self.rows = solids.rows.copy()
        self.lengths = np.zeros(len(solids.rows))  # m

    def take(self, other: _Path, columns: NDArray[np.int64]) -> None:
        """Take over what other columns had (-1 for none)."""
        old = columns >= 0
        self.rows[old], self.lengths[old] = other.rows[columns[old]], other.lengths[columns[old]]

    def move(self, rows: Array) -> None:
        """Add the way to new rows."""
        travel(rows, self.rows, self._solids.middles, self._solids.radii, self.lengths)
