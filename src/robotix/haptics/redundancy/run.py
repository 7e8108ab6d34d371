"""Both experiments in one call."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from robotix.haptics.devices.resolution_kernels import time_resolutions
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.redundancy.experiments import (
    height_cases,
    number_of_ticks,
    radius_cases,
    run_height_case,
    run_radius_case,
)
from robotix.haptics.redundancy.findings import Runs
from robotix.haptics.redundancy.strategies import Approach
from robotix.kinematics import Posture

__all__ = ["run_experiments", "total_ticks"]

TIMED_CALLS, TIMED_ROUNDS = 2000, 9
_TWIST = np.array([0.0, -1.0, 0.0, 0.0, 0.0, 0.0])


def total_ticks(dt: float) -> int:
    """Return how many ticks both experiments take."""
    return number_of_ticks([*radius_cases(), *height_cases()], dt)


def run_experiments(*, dt: float = 1e-3, advance: Callable[[], None] | None = None) -> Runs:
    """Run both experiments; `advance` is called after each tick."""
    circles = {case: run_radius_case(case, dt=dt, advance=advance) for case in radius_cases()}
    heights = {case: run_height_case(case, dt=dt, advance=advance) for case in height_cases()}
    q = next(iter(circles.values())).q[0]
    return Runs(circles, heights, {a: _resolution_time(a, q) for a in Approach})


def _resolution_time(approach: Approach, q: np.ndarray) -> float:
    """Return the shortest time of one compiled resolution with its gradient, s."""
    q = np.array(q)
    J, rates = np.array(Posture(vishard10(), q).jacobian()), np.zeros(len(q))
    is_partitioned, times = approach is Approach.partitioned, []
    time_resolutions(J, q, _TWIST, 1.0, is_partitioned, 1, rates)  # compiled, if it was not
    for _ in range(TIMED_ROUNDS):
        begin = time.perf_counter()
        time_resolutions(J, q, _TWIST, 1.0, is_partitioned, TIMED_CALLS, rates)
        times.append((time.perf_counter() - begin) / TIMED_CALLS)
    return min(times)
