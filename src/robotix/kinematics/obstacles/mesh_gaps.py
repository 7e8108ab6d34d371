"""Gaps between a robot and obstacles where one of the two is a mesh.

The compiled kernels find the gaps between primitive solids; here the pairs with a mesh are added,
the nearest first, as far as neither balls around them nor what was measured before tells that they
are out of reach. A mesh that is an obstacle gives one gap for each of its sides within reach, since
a concave one may be in the way on several.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, place_shapes
from robotix.geometry import Array
from robotix.kinematics.kernels import clearance as ck
from robotix.meshes.coherence import CoherentDistances
from robotix.meshes.solids import PackedSolids

__all__ = ["MeshGaps", "insert_gap"]

MIN_REACH = 1e-9  # m
SAME_GAP = 1e-9  # m, by which the gap to a side differs from the nearest one


class MeshGaps:
    """The pairs of a robot's solids and obstacles that need a mesh."""

    def __init__(
        self, solids: PackedSolids, links: NDArray[np.int64], obstacles: PackedSolids
    ) -> None:
        """Take the solids of the robot with their links, and the obstacles, in the base frame."""
        self._solids, self._links = solids, links
        self._n_obstacles = len(obstacles.rows)
        self._targets, self._owners = obstacles.with_sides()  # obstacles, then their sides
        self._sides = [np.flatnonzero(self._owners == k)[1:] for k in range(self._n_obstacles)]
        self._exempt = ~(solids.is_mesh[:, None] | obstacles.is_mesh[None, :])
        self._distances = CoherentDistances(solids, self._targets)
        self._was_near = np.zeros(self._exempt.shape, dtype=bool)  # within reach when last measured
        self._placed = np.empty_like(solids.rows)
        self._out = np.empty(RESULT_SIZE)

    @property
    def is_empty(self) -> bool:
        """Whether no pair needs a mesh."""
        return bool(self._exempt.all())

    def inherit(self, other: MeshGaps, obstacles: Sequence[int]) -> None:
        """Take over what is known of obstacles that had other indices before (-1 for new)."""
        columns = [int(k) for k in obstacles]
        for before, sides in zip(obstacles, self._sides, strict=True):
            columns += other._sides[before].tolist() if before >= 0 else [-1] * len(sides)
        self._distances.inherit(other._distances, np.array(columns, dtype=np.int64))

    def add(
        self, world: Array, rows: Array, keep: Array, *, influence: float, gaps: Array, count: int,
        least: float, sides: bool = True,
    ) -> tuple[int, float]:  # fmt: skip
        """Add gaps to a list as `find_gaps` makes it; return their number and the least slack.

        With an infinite influence only the least slack is found; without `sides`, the nearest gap
        of each mesh.
        """
        place_shapes(self._solids.rows, self._links, world, self._placed)
        self._distances.move(self._placed, rows[self._owners])
        bounds = self._distances.bounds() - keep[self._owners]  # below the slack
        near = bounds[:, : self._n_obstacles]
        near[self._exempt] = math.inf
        only_least = influence == math.inf
        found = np.flatnonzero(near.ravel() < influence)
        for flat in found[np.argsort(near.ravel()[found])].tolist():
            i, k = divmod(flat, self._n_obstacles)
            if only_least and near[i, k] >= least:
                break
            reach = max(keep[k] + (least if only_least else influence), MIN_REACH)
            for gap in self._measure(i, k, bounds[i] + keep[k], reach, sides=sides):
                slack = float(gap[0] - keep[k])
                least = min(least, slack)
                if slack < influence and not only_least:
                    count = insert_gap(gaps, count, np.array([slack, i, k, *gap[1:]]))
        return count, least

    def _measure(self, i: int, k: int, bounds: Array, reach: float, *, sides: bool) -> list[Array]:
        """Return the nearest points within reach, the nearest first: of a mesh, on each side."""
        if not sides:
            is_near = self._distances.measure(i, k, limit=reach, out=self._out) < reach
            return [self._out.copy()] if is_near else []
        return self._measure_sides(i, k, bounds, reach)

    def _measure_sides(self, i: int, k: int, bounds: Array, reach: float) -> list[Array]:
        sides, found = self._sides[k], list[Array]()
        if bounds[k] <= 0.0 or not self._was_near[i, k] or not len(sides):
            nearest = self._distances.measure(i, k, limit=reach, out=self._out)
            self._was_near[i, k] = nearest < reach
            if nearest >= reach:
                return []
            found.append(self._out.copy())
            if nearest <= 0.0:  # overlapping: an estimate is all there is
                return found
        for side in sides[bounds[sides] < reach].tolist():
            if self._distances.measure(i, side, limit=reach, out=self._out) < reach:
                found.append(self._out.copy())
        if len(sides):  # together they are the whole mesh, and it is known not to overlap
            known = np.maximum(bounds[sides], self._distances.bounds_of(i)[sides])
            self._distances.note(i, k, float(known.min()))
        self._was_near[i, k] = bool(found)
        found.sort(key=lambda each: float(each[0]))
        return [each for n, each in enumerate(found) if not n or each[0] > found[0][0] + SAME_GAP]


def insert_gap(gaps: Array, count: int, gap: Array) -> int:
    """Put a gap into a list with `count` gaps; a full list keeps the tightest. Return the count."""
    slot = count
    if count == len(gaps):
        slot = int(np.argmax(gaps[:count, ck.SLACK]))
        if gaps[slot, ck.SLACK] <= gap[ck.SLACK]:
            return count
    gaps[slot] = gap
    return max(count, slot + 1)
