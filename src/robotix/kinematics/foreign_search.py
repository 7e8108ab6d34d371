"""Search with tasks that the kernels do not know: Levenberg-Marquardt with trial steps.

Each step q⁺ = q + argmin ‖A u − e‖² + λ²‖u‖² stays inside the joint limits and is compiled; errors
and Jacobians of foreign tasks are evaluated in Python in between. λ² falls after a step that lowers
the squared error and rises after one that does not.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.kinematics.kernels import search
from robotix.kinematics.kernels.tables import Ints
from robotix.kinematics.posture import Posture
from robotix.kinematics.task_arena import TaskArena

__all__ = ["search_foreign"]


def search_foreign(
    tasks: TaskArena,
    settings: Array,
    counts: Ints,
    seed: np.typing.NDArray[np.uint64],
    random_low: Array,
    random_high: Array,
    best: Array,
) -> tuple[float, int, int]:
    """Search from `best` and then from random starts; return squared error, iterations, restarts.

    Arguments and result are those of the kernel `search`: `best` ends as the best posture found,
    and `seed` moves on.
    """
    rng = np.random.default_rng(int(seed[0]))
    seed[0] = rng.integers(1 << 63, dtype=np.uint64)
    least, total, restart, q = math.inf, 0, 0, best.copy()
    while True:
        square, iterations = _descend(tasks, settings, int(counts[search.ITERATIONS]), q)
        total += iterations
        if square < least:
            least, best[:] = square, q
        if least <= settings[search.TOLERANCE] ** 2 or restart >= counts[search.RESTARTS]:
            return least, total, restart
        restart += 1
        q = np.where(random_high > random_low, rng.uniform(random_low, random_high), best)


def _descend(tasks: TaskArena, settings: Array, iterations: int, q: Array) -> tuple[float, int]:
    """Follow one start in place; return its squared error and the number of iterations."""
    arena, trial, damping = tasks.arena, np.empty_like(q), search.FIRST_POLISH_DAMPING
    square = _squared_error(tasks, q)
    for iteration in range(iterations):
        if square <= settings[search.TOLERANCE] ** 2 or not math.isfinite(square):
            return square, iteration
        search.try_step(
            arena.floats, arena.float_map, arena.ints, arena.int_map, damping,
            settings[search.MAX_STEP], q, trial,
        )  # fmt: skip
        at_trial = _squared_error(tasks, trial)
        if at_trial < square:
            gain, square, q[:] = square - at_trial, at_trial, trial
            damping = max(search.POLISH_DECREASE * damping, search.MIN_POLISH_DAMPING)
            if gain < search.MIN_POLISH_GAIN * square:
                return square, iteration + 1
        else:
            tasks.evaluate_foreign(Posture(tasks.model, q))  # back to the rows at `q`
            damping *= search.POLISH_INCREASE
            if damping > search.MAX_POLISH_DAMPING:
                return square, iteration + 1
    return square, iterations


def _squared_error(tasks: TaskArena, q: Array) -> float:
    tasks.evaluate_foreign(Posture(tasks.model, q))
    arena = tasks.arena
    error: float = search.squared_error(arena.floats, arena.float_map, arena.ints, arena.int_map, q)
    return error
