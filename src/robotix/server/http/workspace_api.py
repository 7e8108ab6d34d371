"""The reachable space of a robot as a cloud of points, worked out in a process of its own."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from robotix.model import ControlPoint, Model

__all__ = ["WorkspaceClouds", "make_cloud"]

FEWEST, MOST = 1_000, 1_000_000  # samples
CUBES = 40  # along the reach, so that clouds of small and large arms look alike
KEPT = 16  # clouds
SEED = 0  # the same cloud every time


class WorkspaceClouds:
    """Makes clouds, one at a time, and keeps the last ones."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._known: OrderedDict[tuple[int, bytes, int], tuple[Model, bytes]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def get(self, model: Model, point: ControlPoint, samples: int) -> bytes:
        """Return f32 rows x y z dexterity in the frame of the base; ValueError if it cannot be."""
        if not FEWEST <= samples <= MOST:
            raise ValueError(f"the number of samples must be {FEWEST} to {MOST}, got {samples}")
        key = id(model), point.body.encode() + point.pose.matrix.tobytes(), samples
        async with self._lock:
            known = self._known.get(key)
            if known is None or known[0] is not model:
                known = self._known[key] = model, await self._make(model, point, samples)
            self._known.move_to_end(key)
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return known[1]

    async def _make(self, model: Model, point: ControlPoint, samples: int) -> bytes:
        if self._pool is None:
            # A fresh process: one that is forked while threads run may never get going.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_ignore_ctrl_c)
        server = asyncio.get_running_loop()
        try:
            return await server.run_in_executor(self._pool, make_cloud, model, point, samples)
        except BrokenProcessPool:
            self._pool = None
            raise ValueError("the worker process ended; ask for fewer samples") from None

    def close(self) -> None:
        """End the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def make_cloud(model: Model, point: ControlPoint, samples: int) -> bytes:
    """Return the centres of the cubes that the point was seen in, and the best isotropy there."""
    import numpy as np

    from robotix.kinematics.workspace import reachability_map, sample_workspace

    rng = np.random.default_rng(SEED)
    size = float(np.ptp(sample_workspace(model, FEWEST, rng=rng, point=point).points, axis=0).max())
    voxel = max(size, 1e-3) / CUBES
    found = reachability_map(model, voxel=voxel, samples=samples, rng=rng, point=point)
    best = found.best / max(float(found.best.max()), 1e-12)
    return np.column_stack([found.centres, best]).astype("<f4").tobytes()


def _ignore_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
