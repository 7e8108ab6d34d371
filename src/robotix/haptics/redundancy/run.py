"""Both experiments in one call."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.redundancy.experiments import (
    height_cases,
    number_of_ticks,
    radius_cases,
    run_height_case,
    run_radius_case,
)
from robotix.haptics.redundancy.findings import Runs
from robotix.haptics.redundancy.strategies import (
    Approach,
    ResolutionSettings,
    Strategy,
    make_resolution,
)
from robotix.kinematics import Posture

__all__ = ["run_experiments", "total_ticks"]

TIMED_CALLS = 200
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
    """Return the shortest time of one resolution, s."""
    model = vishard10()
    resolution = make_resolution(model, ResolutionSettings(approach, Strategy.directional))
    times = []
    for _ in range(TIMED_CALLS):
        posture = Posture(model, q)
        begin = time.perf_counter()
        resolution.velocity(posture, _TWIST)
        times.append(time.perf_counter() - begin)
    return min(times)
