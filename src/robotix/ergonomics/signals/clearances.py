"""Distances between a body and its environment along a performance."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from robotix.collision.distance import RESULT_SIZE, distance_rows, pack_shapes, place_shapes
from robotix.ergonomics.methods.verdict import ScoreArray
from robotix.geometry import Array, Halfspace, Shape
from robotix.human.motion.performance import Performance
from robotix.kinematics import Posture
from robotix.kinematics.posture import IDENTITY_ROW

__all__ = ["ClearanceSeries", "clearances"]

# Body parts that may touch an object, by the start of its name.
CONTACT_PARTS = {
    "seat": ("pelvis", "thigh"),
    "step": ("foot_segment", "toes"),
    "rung": ("foot_segment", "toes", "hand_segment"),
}


@dataclass(frozen=True, eq=False)
class ClearanceSeries:
    """The smallest distance between body and environment at every row."""

    gap: Array  # (N,), m; negative where they overlap
    pair: ScoreArray  # (N,), in `pairs`
    pairs: tuple[tuple[str, str], ...]  # part of the body, thing
    by_pair: Array  # (n_pairs,), m, smallest of each over all rows

    @cached_property
    def row(self) -> int:
        """The row with the smallest distance of all."""
        return int(np.argmin(self.gap))

    def label(self, row: int) -> str:
        """Return the names of the nearest pair at a row."""
        part, thing = self.pairs[self.pair[row]]
        return f"{_words(part)} to {_words(thing)}"

    def nearest(self, count: int) -> list[tuple[str, float]]:
        """Return the nearest pairs over all rows, and their distances, m."""
        order = np.argsort(self.by_pair, kind="stable")[:count]
        return [
            (f"{_words(self.pairs[k][0])} to {_words(self.pairs[k][1])}", float(self.by_pair[k]))
            for k in order
        ]


def clearances(performance: Performance) -> ClearanceSeries | None:
    """Return the distances; None without objects. The floor is not included."""
    model = performance.manikin.model
    parts: list[tuple[str, int, Shape]] = [
        (body.name, i, solid) for i, body in enumerate(model.bodies) for solid in body.collision
    ]
    things = [
        (name, len(model.bodies), solid)
        for name, solid in performance.environment.solids.items()
        if not isinstance(solid, Halfspace)
    ]
    every = [*parts, *things]
    graspable = performance.environment.graspable
    pairs = [
        (i, len(parts) + k)
        for i, (part, _, _) in enumerate(parts)
        for k, (thing, _, _) in enumerate(things)
        if not _uses(part, thing) and not (part.endswith("hand_segment") and thing in graspable)
    ]
    if not pairs:
        return None
    gaps = _distances(performance, every, np.array(pairs, dtype=np.int64))
    nearest = gaps.argmin(axis=1)
    return ClearanceSeries(
        gaps.min(axis=1),
        nearest.astype(np.int64),
        tuple((every[i][0], every[k][0]) for i, k in pairs),
        gaps.min(axis=0),
    )


def _distances(
    performance: Performance, solids: list[tuple[str, int, Shape]], pairs: ScoreArray
) -> Array:
    """Return the distance of every pair at every row, (N, n_pairs)."""
    frame = np.array([index for _, index, _ in solids], dtype=np.int64)
    local = pack_shapes(solid for _, _, solid in solids)
    placed, out = np.empty_like(local), np.empty((len(pairs), RESULT_SIZE))
    gaps = np.empty((len(performance.motion.times), len(pairs)))
    for row, q in enumerate(performance.motion.q):
        poses = Posture(performance.manikin.model, q).body_poses
        place_shapes(local, frame, np.vstack([poses, IDENTITY_ROW]), placed)
        distance_rows(placed, placed, pairs, out)
        gaps[row] = out[:, 0]
    return gaps


def _uses(part: str, thing: str) -> bool:
    return any(
        thing.startswith(name) and part.endswith(ends) for name, ends in CONTACT_PARTS.items()
    )


def _words(name: str) -> str:
    return name.removesuffix("_segment").replace("_", " ")
