"""The reachable workspace of a robot as a point cloud, computed in a separate process."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import OrderedDict
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import TYPE_CHECKING

from robotix.files.parent_process import end_with_parent

if TYPE_CHECKING:
    from robotix.model import ControlPoint, Model

__all__ = ["WorkspaceClouds", "make_cloud"]

MIN_SAMPLES, MAX_SAMPLES = 1_000, 1_000_000  # samples
VOXELS_ACROSS = 40  # along the reach: the same resolution for small and large arms
MAX_CACHED_CLOUDS = 16  # clouds
SEED = 0  # clouds are reproducible


class WorkspaceClouds:
    """Computes clouds, one at a time, and caches the latest."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._cache: OrderedDict[tuple[int, bytes, int], tuple[Model, bytes]] = OrderedDict()
        self._lock = asyncio.Lock()

    async def get(self, model: Model, point: ControlPoint, samples: int) -> bytes:
        """Return f32 rows (x, y, z, dexterity) in the base frame; raise ValueError on failure."""
        if not MIN_SAMPLES <= samples <= MAX_SAMPLES:
            raise ValueError(
                f"the number of samples must be {MIN_SAMPLES} to {MAX_SAMPLES}, got {samples}"
            )
        key = id(model), point.body.encode() + point.pose.matrix.tobytes(), samples
        async with self._lock:
            known = self._cache.get(key)
            if known is None or known[0] is not model:
                known = self._cache[key] = model, await self._make(model, point, samples)
            self._cache.move_to_end(key)
            while len(self._cache) > MAX_CACHED_CLOUDS:
                self._cache.popitem(last=False)
        return known[1]

    async def _make(self, model: Model, point: ControlPoint, samples: int) -> bytes:
        if self._pool is None:
            # Spawned: forking a process with threads may deadlock.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(1, mp_context=context, initializer=_initialize_process)
        server = asyncio.get_running_loop()
        try:
            return await server.run_in_executor(self._pool, make_cloud, model, point, samples)
        except BrokenProcessPool:
            self._pool = None
            raise ValueError("the worker process ended; ask for fewer samples") from None

    def close(self) -> None:
        """Stop the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def make_cloud(model: Model, point: ControlPoint, samples: int) -> bytes:
    """Return the centres of the voxels that the point reaches, and the best isotropy in each."""
    import numpy as np

    from robotix.kinematics.workspace import reachability_map, sample_workspace

    rng = np.random.default_rng(SEED)
    size = float(
        np.ptp(sample_workspace(model, MIN_SAMPLES, rng=rng, point=point).points, axis=0).max()
    )
    voxel = max(size, 1e-3) / VOXELS_ACROSS
    found = reachability_map(model, voxel=voxel, samples=samples, rng=rng, point=point)
    best = found.best / max(float(found.best.max()), 1e-12)
    return np.column_stack([found.centres, best]).astype("<f4").tobytes()


def _initialize_process() -> None:
    """Ignore SIGINT: the server stops this process, or takes it along when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    end_with_parent(os.getppid())
