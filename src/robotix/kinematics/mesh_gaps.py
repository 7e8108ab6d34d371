"""Gaps between a robot and obstacles where one of the two is a mesh.

The compiled kernels find the gaps between primitive solids; here the pairs with a mesh are added,
the nearest first, as far as balls around them do not tell that they are out of reach. A mesh that
is an obstacle gives one gap for each of its sides within reach, since a concave one may be in the
way on several.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, place_shapes
from robotix.collision.distance_kernels import ROTATION, TRANSLATION
from robotix.geometry import Array
from robotix.kinematics.kernels import clearance as ck
from robotix.meshes.solids import PackedSolids, solid_distance

__all__ = ["MeshGaps", "insert_gap"]

MIN_REACH = 1e-9  # m
SAME_GAP = 1e-9  # m, by which the gap to a side differs from the nearest one


class MeshGaps:
    """The pairs of a robot's solids and obstacles that need a mesh."""

    def __init__(
        self, solids: PackedSolids, links: NDArray[np.int64], obstacles: PackedSolids
    ) -> None:
        """Take the solids of the robot with their links, and the obstacles, in the base frame."""
        self._solids, self._links, self._obstacles = solids, links, obstacles
        self._needs = solids.is_mesh[:, None] | obstacles.is_mesh[None, :]
        self._sides = [
            [obstacles.side(k, tree) for tree in trees] for k, trees in enumerate(obstacles.sides)
        ]
        self._side_boxes = [
            np.array([tree.bounds[0] for tree in trees]).reshape(-1, 6) for trees in obstacles.sides
        ]
        self._placed = np.empty_like(solids.rows)
        self._out = np.empty(RESULT_SIZE)

    @property
    def is_empty(self) -> bool:
        """Whether no pair needs a mesh."""
        return not self._needs.any()

    def add(
        self, world: Array, rows: Array, keep: Array, *, influence: float, gaps: Array, count: int,
        least: float,
    ) -> tuple[int, float]:  # fmt: skip
        """Add gaps to a list as `find_gaps` makes it; return their number and the least slack.

        With an infinite influence only the least slack is found.
        """
        place_shapes(self._solids.rows, self._links, world, self._placed)
        centres = self._solids.centres(self._placed)
        bounds = self._bounds(centres, rows) - keep  # below the slack
        bounds[~self._needs] = math.inf
        only_least = influence == math.inf
        order = np.argsort(bounds, axis=None)
        for flat in order[: int((bounds < influence).sum())].tolist():
            i, k = divmod(flat, bounds.shape[1])
            if only_least and bounds[i, k] >= least:
                break
            reach = max(keep[k] + (least if only_least else influence), MIN_REACH)
            for gap in self._measure(i, k, rows[k], centres[i], reach):
                slack = float(gap[0] - keep[k])
                least = min(least, slack)
                if slack < influence and not only_least:
                    count = insert_gap(gaps, count, np.array([slack, i, k, *gap[1:]]))
        return count, least

    def _bounds(self, centres: Array, rows: Array) -> Array:
        """Return distances that no pair can fall short of, by the balls around the solids."""
        obstacles = self._obstacles
        apart = centres[:, None] - obstacles.centres(rows)[None]
        radii = self._solids.radii[:, None] + obstacles.radii[None]
        return np.asarray(np.linalg.norm(apart, axis=2) - radii)

    def _measure(self, i: int, k: int, row: Array, centre: Array, reach: float) -> list[Array]:
        """Return what `solid_distance` finds within reach: for a mesh, on each of its sides."""
        nearest = self._distance(i, self._obstacles, k, row, reach)
        if nearest >= reach:
            return []
        found = [self._out.copy()]
        if nearest <= 0.0:  # overlapping: an estimate is all there is
            return found
        for side in self._near_sides(i, k, row, centre, reach):
            is_near = self._distance(i, side, 0, row, reach) < reach
            if is_near and self._out[0] > nearest + SAME_GAP:
                found.append(self._out.copy())
        return found

    def _near_sides(
        self, i: int, k: int, row: Array, centre: Array, reach: float
    ) -> list[PackedSolids]:
        """Return the sides of a mesh that the ball around a solid comes near to."""
        local = row[ROTATION:TRANSLATION].reshape(3, 3).T @ (centre - row[TRANSLATION:])
        boxes = self._side_boxes[k]
        away = np.maximum(np.maximum(boxes[:, :3] - local, local - boxes[:, 3:]), 0.0)
        is_near = np.linalg.norm(away, axis=1) < reach + self._solids.radii[i]
        return [side for side, near in zip(self._sides[k], is_near, strict=True) if near]

    def _distance(self, i: int, other: PackedSolids, k: int, row: Array, reach: float) -> float:
        return solid_distance(
            self._solids, i, self._placed[i], other, k, row, limit=reach, out=self._out
        )


def insert_gap(gaps: Array, count: int, gap: Array) -> int:
    """Put a gap into a list with `count` gaps; a full list keeps the tightest. Return the count."""
    slot = count
    if count == len(gaps):
        slot = int(np.argmax(gaps[:count, ck.SLACK]))
        if gaps[slot, ck.SLACK] <= gap[ck.SLACK]:
            return count
    gaps[slot] = gap
    return max(count, slot + 1)
