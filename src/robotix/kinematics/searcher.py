"""Solving, not only following: find a posture for a target, with limits and restarts."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics.kernels import search
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, Ints, tables_of
from robotix.kinematics.limits import Limits
from robotix.kinematics.solver import Solver
from robotix.kinematics.tasks import Point, PointTask, PoseTask, Task, TaskOptions
from robotix.model import Model

__all__ = ["Searcher", "Solution", "Solutions", "Target", "solve", "solve_batch"]

Target: TypeAlias = Pose | ArrayLike | Task | Sequence[Task]


@dataclass(frozen=True, eq=False)
class Solution:
    """What a search found: the best posture seen, and whether it is good enough."""

    q: Array  # (n_dof,), always inside the limits
    converged: bool
    error: float  # norm of all weighted task errors, m and rad together
    iterations: int
    restarts: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Solutions:
    """What a batch of searches found, one row a target."""

    q: Array  # (N, n_dof)
    converged: NDArray[np.bool_]  # (N,)
    error: Array  # (N,)
    iterations: NDArray[np.int64]  # (N,)


SHARE = 3e-2  # damping per squared error
LEAST = 1e-9
LONGEST = 2.0  # rad or m per iteration
PATIENCE = 3  # iterations that may fail to halve the squared error
BLOCK = 256  # targets of a batch that share one stream of random numbers


class Searcher:
    """Finds postures for one set of tasks, again and again, with nothing to set up in between.

    Not to be shared between threads; make one for each.
    """

    def __init__(
        self,
        model: Model,
        tasks: Sequence[Task],
        *,
        tolerance: float = 1e-6,
        iterations: int = 60,
        restarts: int = 100,
        seed: int = 0,
        limits: Limits | None = None,
    ) -> None:
        """Lay out everything; a search may take `restarts` random starts of `iterations` each."""
        if not tolerance > 0 or iterations < 1 or restarts < 0:
            raise ValueError(
                f"tolerance and iterations must be positive and restarts not negative, "
                f"got {tolerance}, {iterations}, {restarts}"
            )
        foreign = [task for task in tasks if not isinstance(task, TaskOptions)]
        if foreign or not tasks:
            raise ValueError(f"a search needs tasks of robotix's own kinds, got {list(tasks)!r}")
        self.model = model
        self.tolerance = tolerance
        self.limits = limits or Limits.of(model)
        self._arena = Solver(model, tasks, dt=1.0, limits=self.limits).arena
        self._goal, self._turn = self._arena[FloatBlock.GOALS][0], self._arena[FloatBlock.TURNS][0]
        self._settings = np.array([tolerance, SHARE, LEAST, LONGEST])
        self._counts = np.array([PATIENCE, iterations, restarts], dtype=np.int64)
        self._low, self._high = _random_range(model, self.limits)
        self._seed = np.array([0], dtype=np.uint64)
        self.seed = seed

    def solve(self, target: Pose | None = None, *, q0: ArrayLike | None = None) -> Solution:
        """Search from `q0` (neutral when None); `target` moves the first task's target before."""
        if target is not None:
            self._turn[:] = target.rotation.ravel()
            self._goal[:] = target.translation
        best = _start(self.model, q0, self.limits)
        self._seed[0] = _mix(self.seed)
        begin = time.perf_counter()
        arena = self._arena
        square, count, tries = search.search(
            arena.floats, arena.float_map, arena.ints, arena.int_map, self._settings, self._counts,
            self._seed, self._low, self._high, best,
        )  # fmt: skip
        seconds = time.perf_counter() - begin
        error = math.sqrt(square)
        return Solution(best, error <= self.tolerance, error, count, tries, seconds)

    def solve_rows(self, targets: Array, q0: Array, *, seed: int) -> tuple[Array, Array, Ints]:
        """Search for each target row (rotation 9, position 3) of the first task, from one start."""
        q, error = np.empty((len(targets), len(q0))), np.empty(len(targets))
        count = np.empty(len(targets), dtype=np.int64)
        self._seed[0] = _mix(seed)
        arena = self._arena
        search.search_many(
            arena.floats, arena.float_map, arena.ints, arena.int_map, self._settings, self._counts,
            self._seed, self._low, self._high, q0, targets, q, error, count,
        )  # fmt: skip
        return q, error, count


def solve(
    model: Model,
    target: Target,
    *,
    point: Point = None,
    q0: ArrayLike | None = None,
    tolerance: float = 1e-6,
    iterations: int = 60,
    restarts: int = 100,
    seed: int = 0,
    limits: Limits | None = None,
) -> Solution:
    """Find a posture that meets a target inside the joint limits.

    `target` is a pose or a place (3 numbers) for a control point, a task, or several tasks that
    must hold at once. The search starts at `q0` (neutral when None) and goes on from random
    postures. To solve many targets, keep a `Searcher` or use `solve_batch`.
    """
    searcher = Searcher(
        model, _tasks(target, point), tolerance=tolerance, iterations=iterations,
        restarts=restarts, seed=seed, limits=limits,
    )  # fmt: skip
    return searcher.solve(q0=q0)


def solve_batch(
    model: Model,
    positions: ArrayLike,
    rotations: ArrayLike | None = None,
    *,
    point: Point = None,
    q0: ArrayLike | None = None,
    tolerance: float = 1e-6,
    iterations: int = 60,
    restarts: int = 100,
    seed: int = 0,
    threads: int = 1,
) -> Solutions:
    """Find a posture for each target: positions (N, 3) and, if wanted, rotations (N, 3, 3).

    The result does not depend on the number of threads.
    """
    targets = _target_rows(positions, rotations)
    task: Task = PointTask(point, np.zeros(3)) if rotations is None else PoseTask(point, Pose())
    start = _start(model, q0, Limits.of(model))

    def run(block: range) -> list[tuple[Array, Array, Ints]]:
        searcher = Searcher(
            model, [task], tolerance=tolerance, iterations=iterations, restarts=restarts
        )
        return [
            searcher.solve_rows(targets[first : first + BLOCK], start, seed=seed + first)
            for first in block
        ]

    firsts = range(0, len(targets), BLOCK)
    n = max(threads, 1)
    with ThreadPoolExecutor(n) as pool:
        shares = list(pool.map(run, [firsts[k::n] for k in range(n)]))
    parts = [shares[i % n][i // n] for i in range(len(firsts))]
    q = np.concatenate([part[0] for part in parts] or [np.empty((0, model.n_dof))])
    error = np.concatenate([part[1] for part in parts] or [np.empty(0)])
    count = np.concatenate([part[2] for part in parts] or [np.empty(0, dtype=np.int64)])
    return Solutions(q, error <= tolerance, error, count)


def _target_rows(positions: ArrayLike, rotations: ArrayLike | None) -> Array:
    """Return one row a target: rotation (9), then position (3)."""
    places = np.asarray(positions, dtype=float)
    turns = np.eye(3) if rotations is None else np.asarray(rotations, dtype=float)
    if places.size and (places.ndim > 2 or places.shape[-1] != 3):
        raise ValueError(f"positions must be (N, 3), got {places.shape}")
    places = places.reshape(-1, 3)
    if turns.shape not in ((3, 3), (len(places), 3, 3)):
        raise ValueError(f"rotations must be ({len(places)}, 3, 3), got {turns.shape}")
    turns = np.broadcast_to(turns, (len(places), 3, 3))
    targets = np.concatenate([turns.reshape(-1, 9), places], axis=1)
    if not np.isfinite(targets).all():
        raise ValueError("targets must be finite; drop the rows that are not")
    return targets


def _mix(seed: int) -> int:
    """Spread a small seed over 64 bits."""
    return (seed * 0x9E3779B97F4A7C15 + 0x1234567) & 0xFFFFFFFFFFFFFFFF


def _tasks(target: Target, point: Point) -> list[Task]:
    if isinstance(target, Pose):
        return [PoseTask(point, target)]
    if isinstance(target, Task):
        return [target]
    if isinstance(target, Sequence) and len(target) and all(isinstance(t, Task) for t in target):
        return list(target)
    place = np.asarray(target, dtype=float)
    if place.shape != (3,) or not np.isfinite(place).all():
        raise ValueError(f"a target is a pose, three finite numbers or tasks, got {target!r}")
    return [PointTask(point, place)]


def _start(model: Model, q0: ArrayLike | None, limits: Limits) -> Array:
    q = np.array(model.neutral if q0 is None else q0, dtype=float)
    if q.shape != (model.n_dof,) or not math.isfinite(q.sum()):
        raise ValueError(f"{model.name} needs {model.n_dof} finite joint positions, got {q0!r}")
    np.maximum(q, limits.lower, out=q)
    np.minimum(q, limits.upper, out=q)
    return q


def _random_range(model: Model, limits: Limits) -> tuple[Array, Array]:
    """Return where random starts may lie; a floating root stays where it is."""
    low = np.where(np.isfinite(limits.lower), limits.lower, -np.pi)
    high = np.where(np.isfinite(limits.upper), limits.upper, np.pi)
    tables = tables_of(model)
    for row in tables.link_ints:
        if row[KIND] == FLOATING:
            low[row[DOF] : row[DOF] + 6] = high[row[DOF] : row[DOF] + 6] = 0.0
    return low, np.maximum(low, high)
