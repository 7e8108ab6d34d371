"""Solving, not only following: find a posture for a target, with limits and restarts."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array, Pose
from robotix.kinematics.foreign_search import search_foreign
from robotix.kinematics.kernels import search
from robotix.kinematics.kernels.arena import FloatBlock
from robotix.kinematics.kernels.tables import DOF, FLOATING, KIND, Ints, tables_of
from robotix.kinematics.limits import Limits
from robotix.kinematics.movable import movable_dofs
from robotix.kinematics.task_arena import make_arena
from robotix.kinematics.tasks import Point, PointTask, PoseTask, Task
from robotix.model import Model
from robotix.model.configuration import Configuration, as_configuration

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


DAMPING_PER_ERROR = 3e-2  # λ² per squared error
MIN_DAMPING = 1e-9  # added to λ²
MAX_STEP = 2.0  # rad or m per iteration and joint
MAX_STALLED = 3  # iterations in a row that may fail to halve the squared error
BATCH_BLOCK = 256  # targets of a batch that share one stream of random numbers
MAX_KEPT_SEARCHERS = 16  # of `solve`, over all models, points and threads


class Searcher:
    """Finds postures for one set of tasks, repeatedly, without laying out the problem again.

    Minimises E(q) = Σ wᵢ ‖eᵢ(q)‖² over all tasks inside the joint limits, by Levenberg-Marquardt
    steps with restarts [Sugihara2011]; see `robotix.kinematics.kernels.search`. Tasks of one's own
    kinds are evaluated in Python, which takes longer (see `foreign_search`).

    Joints that cannot change any task's error stay at the start posture, as do joints that are not
    among `joints` or that are `locked`.

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
        joints: Collection[str] | None = None,
        locked: Collection[str] = (),
    ) -> None:
        """Lay out everything; a search may take `restarts` random starts of `iterations` each."""
        if not tolerance > 0 or iterations < 1 or restarts < 0:
            raise ValueError(
                f"tolerance and iterations must be positive and restarts not negative, "
                f"got {tolerance}, {iterations}, {restarts}"
            )
        if not tasks:
            raise ValueError("a search needs at least one task")
        self.model = model
        self.tolerance = tolerance
        self.limits = limits or Limits.of(model)
        self.seed = seed
        self._tasks = make_arena(model, tasks)
        arena = self._tasks.arena
        self._lower, self._upper = arena.flat(FloatBlock.LOWER), arena.flat(FloatBlock.UPPER)
        self._lower[:], self._upper[:] = self.limits.lower, self.limits.upper
        self._goal, self._turn = (
            arena[FloatBlock.TARGET_POSITIONS][0],
            arena[FloatBlock.TARGET_ROTATIONS][0],
        )
        self._blocks = (arena.floats, arena.float_map, arena.ints, arena.int_map)
        self._settings = np.array([tolerance, DAMPING_PER_ERROR, MIN_DAMPING, MAX_STEP])
        self._counts = np.array([MAX_STALLED, iterations, restarts], dtype=np.int64)
        self._low, self._high = _random_range(model, self.limits)
        movable = movable_dofs(model, tasks, joints=joints, locked=locked)
        self._resting = np.setdiff1d(np.arange(model.n_dof), movable)
        self._low[self._resting] = self._high[self._resting] = 0.0  # no random start moves them
        self._seed = np.array([0], dtype=np.uint64)

    def solve(self, target: Pose | None = None, *, q0: Configuration | None = None) -> Solution:
        """Search from `q0` (neutral when None); `target` moves the first task's target before."""
        if target is not None:
            self._check_target()
            self._turn[:] = target.rotation.ravel()
            self._goal[:] = target.translation
        best = _start(self.model, q0, self.limits)
        self._hold(best)
        self._seed[0] = _mix(self.seed)
        begin = time.perf_counter()
        square, count, tries = self._search(best)
        seconds = time.perf_counter() - begin
        error = math.sqrt(square)
        return Solution(best, error <= self.tolerance, error, count, tries, seconds)

    def solve_rows(self, targets: Array, q0: Array, *, seed: int) -> tuple[Array, Array, Ints]:
        """Search for each target row (rotation 9, position 3) of the first task, from one start."""
        self._check_target()
        self._hold(q0)
        q, error = np.empty((len(targets), len(q0))), np.empty(len(targets))
        count = np.empty(len(targets), dtype=np.int64)
        self._seed[0] = _mix(seed)
        if not self._tasks.has_foreign:
            search.search_many(
                *self._blocks, self._settings, self._counts, self._seed, self._low, self._high, q0,
                targets, q, error, count,
            )  # fmt: skip
            return q, error, count
        for i, row in enumerate(targets):
            self._turn[:], self._goal[:], q[i] = row[:9], row[9:], q0
            square, count[i], _ = self._search(q[i])
            error[i] = math.sqrt(square)
        return q, error, count

    def _hold(self, start: Array) -> None:
        """Keep the joints that must not move at `start`: limits without play."""
        rest = self._resting
        self._lower[rest] = self._upper[rest] = start[rest]

    def _search(self, best: Array) -> tuple[float, int, int]:
        """Replace `best` by what is found from it; return squared error, iterations, restarts."""
        if self._tasks.has_foreign:
            return search_foreign(
                self._tasks, self._settings, self._counts, self._seed, self._low, self._high, best
            )
        square, iterations, restarts = search.search(
            *self._blocks, self._settings, self._counts, self._seed, self._low, self._high, best
        )
        return square, iterations, restarts

    def _check_target(self) -> None:
        if not self._tasks.has_target(0):
            raise ValueError("the first task has no target pose; make a Searcher with another task")


def solve(
    model: Model,
    target: Target,
    *,
    point: Point = None,
    q0: Configuration | None = None,
    joints: Collection[str] | None = None,
    locked: Collection[str] = (),
    tolerance: float = 1e-6,
    iterations: int = 60,
    restarts: int = 100,
    seed: int = 0,
    limits: Limits | None = None,
) -> Solution:
    """Find a posture that meets a target inside the joint limits.

    `target` is a pose (also as a 4×4 matrix) or a position (3 numbers) for a control point, a
    task, or several tasks that must hold at once. The search starts at `q0` (neutral when None; a
    mapping names some joints) and goes on from random postures. Joints that cannot help stay at
    `q0`; `joints` names the only ones that may move, `locked` those that may not. To solve many
    targets, keep a `Searcher` or use `solve_batch`.

    Examples:
        >>> found = rx.solve(rx.load("panda"), [0.5, 0.1, 0.4])
        >>> bool(found.converged), found.q.shape
        (True, (7,))
    """
    goal = _as_pose(target)
    if goal is not None and limits is None:
        kind = PointTask if isinstance(goal, np.ndarray) else PoseTask
        searcher = _kept_searcher(
            threading.get_ident(), model, kind, point, tolerance, iterations, restarts, seed,
            None if joints is None else _names(joints), _names(locked),
        )  # fmt: skip
        pose = Pose(translation=goal) if isinstance(goal, np.ndarray) else goal
        return searcher.solve(pose, q0=q0)
    searcher = Searcher(
        model, _tasks(goal if goal is not None else target, point), tolerance=tolerance,
        iterations=iterations, restarts=restarts, seed=seed, limits=limits, joints=joints,
        locked=locked,
    )  # fmt: skip
    return searcher.solve(q0=q0)


@lru_cache(maxsize=MAX_KEPT_SEARCHERS)
def _kept_searcher(
    thread: int, model: Model, kind: type[PointTask | PoseTask], point: Point, tolerance: float,
    iterations: int, restarts: int, seed: int, joints: tuple[str, ...] | None,
    locked: tuple[str, ...],
) -> Searcher:  # fmt: skip
    """Return the searcher of earlier calls: laying out a problem takes longer than most searches.

    One for each thread, because a searcher must not be shared.
    """
    task = PointTask(point, np.zeros(3)) if kind is PointTask else PoseTask(point, Pose())
    return Searcher(
        model, [task], tolerance=tolerance, iterations=iterations, restarts=restarts, seed=seed,
        joints=joints, locked=locked,
    )  # fmt: skip


def _names(joints: Collection[str]) -> tuple[str, ...]:
    return (joints,) if isinstance(joints, str) else tuple(joints)


def solve_batch(
    model: Model,
    positions: ArrayLike,
    rotations: ArrayLike | None = None,
    *,
    point: Point = None,
    q0: Configuration | None = None,
    joints: Collection[str] | None = None,
    locked: Collection[str] = (),
    tolerance: float = 1e-6,
    iterations: int = 60,
    restarts: int = 100,
    seed: int = 0,
    threads: int = 1,
) -> Solutions:
    """Find a posture for each target: positions (N, 3) and, if wanted, rotations (N, 3, 3).

    Every search starts at `q0`; `joints` and `locked` are those of `solve`. The result does not
    depend on the number of threads.

    Examples:
        >>> found = rx.solve_batch(rx.load("panda"), [[0.5, 0.1, 0.4], [0.4, 0.2, 0.5]])
        >>> found.converged.all(), found.q.shape
        (np.True_, (2, 7))
    """
    targets = _target_rows(positions, rotations)
    task: Task = PointTask(point, np.zeros(3)) if rotations is None else PoseTask(point, Pose())
    start = _start(model, q0, Limits.of(model))

    def run(block: range) -> list[tuple[Array, Array, Ints]]:
        searcher = Searcher(
            model, [task], tolerance=tolerance, iterations=iterations, restarts=restarts,
            joints=joints, locked=locked,
        )  # fmt: skip
        return [
            searcher.solve_rows(targets[first : first + BATCH_BLOCK], start, seed=seed + first)
            for first in block
        ]

    firsts = range(0, len(targets), BATCH_BLOCK)
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


def _as_pose(target: Target) -> Pose | Array | None:
    """Return the pose or the position (3,) that a target is; None if it is made of tasks."""
    if isinstance(target, Pose):
        return target
    if isinstance(target, Task):
        return None
    if isinstance(target, Sequence) and len(target) and all(isinstance(t, Task) for t in target):
        return None
    numbers = np.asarray(target, dtype=float)
    if numbers.shape == (4, 4):
        return Pose.from_matrix(numbers)
    if numbers.shape != (3,) or not np.isfinite(numbers).all():
        raise ValueError(
            f"a target is a pose, a 4×4 matrix, three finite numbers or tasks, got {target!r}"
        )
    return numbers


def _tasks(target: Target, point: Point) -> list[Task]:
    if isinstance(target, Pose):
        return [PoseTask(point, target)]
    if isinstance(target, np.ndarray):
        return [PointTask(point, target)]
    return [target] if isinstance(target, Task) else list(target)  # type: ignore[arg-type]


def _start(model: Model, q0: Configuration | None, limits: Limits) -> Array:
    q = as_configuration(model, q0, what="q0")
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
