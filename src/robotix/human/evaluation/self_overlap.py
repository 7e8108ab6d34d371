"""Overlap of a body with itself: how deep its collision shapes enter each other.

Parts that meet in a joint overlap by construction and are not compared. Nor are thigh and abdomen:
they meet in the fold of the hip, where most bodies' shapes overlap while standing, and where flesh
gives way, which rigid shapes do not. All others count.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, distance_rows, pack_shapes, place_shapes
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES
from robotix.kinematics import Posture
from robotix.model import Model

__all__ = ["deepest_self_overlap"]

FOLDS = {frozenset((f"{side}_thigh", "lumbar")) for side in SIDES}


def deepest_self_overlap(manikin: Manikin, q: Array) -> tuple[float, str]:
    """Return the deepest overlap over postures (n, n_dof), m, and the names of both parts."""
    solids = _solids_of(manikin)
    worst, names = 0.0, ""
    for row in q:
        distances = solids.distances(Posture(manikin.model, row))
        pair = int(np.argmin(distances))
        if -distances[pair] > worst:
            worst, names = -float(distances[pair]), solids.label(pair)
    return worst, names


class _Solids:
    """The shapes of a body, and the pairs of them that must not overlap."""

    def __init__(self, manikin: Manikin) -> None:
        bodies = [(i, body) for i, body in enumerate(manikin.model.bodies) if body.collision]
        every = [(body.name, i, solid) for i, body in bodies for solid in body.collision]
        self._names = [name for name, _, _ in every]
        self._body: NDArray[np.int64] = np.array([i for _, i, _ in every], dtype=np.int64)
        self._local = pack_shapes(solid for _, _, solid in every)
        self._placed = np.empty_like(self._local)
        apart = set(_apart(manikin.model))
        found = [
            (i, k)
            for i, k in combinations(range(len(every)), 2)
            if frozenset((self._names[i], self._names[k])) in apart
        ]
        self._pairs: NDArray[np.int64] = np.array(found, dtype=np.int64)
        self._out = np.empty((len(found), RESULT_SIZE))

    def distances(self, posture: Posture) -> Array:
        """Return the signed distance of every pair, (k,), m."""
        place_shapes(self._local, self._body, posture.body_poses, self._placed)
        distance_rows(self._placed, self._placed, self._pairs, self._out)
        return self._out[:, 0]

    def label(self, pair: int) -> str:
        """Name the two parts of a pair."""
        i, k = self._pairs[pair]
        return f"{self._names[i]} and {self._names[k]}"


def _apart(model: Model) -> Iterator[frozenset[str]]:
    """Yield the pairs of parts that do not meet in a joint or in the fold of the hip."""
    solid = {body.name: bool(body.collision) for body in model.bodies}
    above = {body.name: body.parent for body in model.bodies}

    def next_above(name: str) -> str | None:  # joints of several axes have parts without shapes
        parent = above[name]
        return parent if parent is None or solid[parent] else next_above(parent)

    for a, b in combinations([name for name, has_shape in solid.items() if has_shape], 2):
        pair = frozenset((a, b))
        if a != next_above(b) and b != next_above(a) and pair not in FOLDS:
            yield pair


@lru_cache(maxsize=16)
def _solids_of(manikin: Manikin) -> _Solids:
    return _Solids(manikin)
