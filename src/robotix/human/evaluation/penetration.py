"""Penetration of a performance: body into environment, load into body and environment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.collision.distance import RESULT_SIZE, distance_rows, pack_shapes, place_shapes
from robotix.geometry import Array, Shape
from robotix.human.motion.contacts import contact_positions
from robotix.human.motion.performance import Performance
from robotix.kinematics import Posture
from robotix.kinematics.posture import IDENTITY_ROW

__all__ = ["Overlap", "deepest_overlap"]

GRASPING_PARTS = ("hand_segment",)  # close around what they grasp
HOLDING_PARTS = ("hand_segment", "forearm")  # lie against what is held


@dataclass(frozen=True)
class Overlap:
    """The largest overlap of two solids."""

    depth: float = 0.0  # m; 0 without overlap
    what: str = ""
    time: float = 0.0  # s


def deepest_overlap(performance: Performance) -> Overlap:
    """Return the deepest overlap over all rows; a foot over a hole counts as overlapping it."""
    solids = _Solids(performance)
    worst = Overlap()
    out = np.empty((len(solids.pairs), RESULT_SIZE))
    for row, time in enumerate(performance.motion.times):
        placed = solids.placed(row)
        distance_rows(placed, placed, solids.pairs, out)
        pair = int(np.argmin(out[:, 0])) if len(out) else 0
        if len(out) and -out[pair, 0] > worst.depth:
            worst = Overlap(-float(out[pair, 0]), solids.label(pair), float(time))
    over = _over_hole(performance)
    return max(worst, over, key=lambda bump: bump.depth)


class _Solids:
    """All solids of body, loads and environment, and the pairs that must not overlap."""

    def __init__(self, performance: Performance) -> None:
        self._performance = performance
        model, room = performance.manikin.model, performance.environment
        loads = {phase.load.name: phase.load for phase in performance.loads}
        n = len(model.bodies)
        of_body: list[tuple[str, int, Shape]] = [
            (body.name, i, solid) for i, body in enumerate(model.bodies) for solid in body.collision
        ]
        of_loads = [(name, n + i, load.box) for i, (name, load) in enumerate(loads.items())]
        of_room = [(name, n + len(loads), solid) for name, solid in room.solids.items()]
        every = [*of_body, *of_loads, *of_room]
        self.names = [name for name, _, _ in every]
        self._frame = np.array([frame for _, frame, _ in every], dtype=np.int64)
        self._local = pack_shapes(solid for _, _, solid in every)
        self._load_frames = [_frames(performance, name) for name in loads]
        first, last = len(of_body), len(of_body) + len(of_loads)
        self.pairs = np.array(
            [
                (i, k)
                for i in range(last)
                for k in range(first, len(every))
                if k > i and self._may_not_touch(i, k, is_load=k < last)
            ],
            dtype=np.int64,
        ).reshape(-1, 2)

    def _may_not_touch(self, i: int, k: int, *, is_load: bool) -> bool:
        part, thing = self.names[i], self.names[k]
        if is_load:
            return not part.endswith(HOLDING_PARTS)
        return not (
            part.endswith(GRASPING_PARTS) and thing in self._performance.environment.graspable
        )

    def placed(self, row: int) -> Array:
        """Return all solids in the world at a row of the motion."""
        posture = Posture(self._performance.manikin.model, self._performance.motion.q[row])
        frames = np.vstack(
            [posture.body_poses, *(frames[row] for frames in self._load_frames), IDENTITY_ROW]
        )
        out = np.empty_like(self._local)
        place_shapes(self._local, self._frame, frames, out)
        return out

    def label(self, pair: int) -> str:
        """Name the two solids of a pair."""
        i, k = self.pairs[pair]
        return f"{self.names[i]} in {self.names[k]}"


def _frames(performance: Performance, load: str) -> Array:
    """Return the frames of a load: rotation row-major, then position, (rows, 12)."""
    positions, rotations = performance.load_poses(load)
    return np.hstack([rotations.reshape(-1, 9), positions])


def _over_hole(performance: Performance) -> Overlap:
    worst = Overlap()
    for span in performance.spans() if performance.environment.holes else ():
        start = Posture(performance.manikin.model, performance.motion.q[span.first])
        points = contact_positions(start, span.contacts)
        for hole in performance.environment.holes:
            depth = -hole.gap(points)
            if depth > worst.depth:
                time = float(performance.motion.times[span.first])
                worst = Overlap(depth, "a foot over the hole", time)
    return worst
