"""How a contestant is timed: the same loop for all, and one JSON document on standard output."""

import argparse
import gc
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from workloads import ReachWork, TickWork, load_work
from yardstick import Array

WARM_UP = 20  # problems solved before the clock starts

# For contestants that bring a step but no search: iterations from each start, damping of a step.
# Found good among 10-30 and 1e-8-3e-2 with placo, the fastest of them; their steps are the same.
LOOP_ITERATIONS = 20
LOOP_DAMPING = 1e-4


class Ticker(Protocol):
    """A humanoid that follows the targets of a `TickWork`."""

    def reset(self) -> None:
        """Go back to `work.home`, kinematics done."""

    def tick(self, k: int) -> None:
        """Set the targets of tick `k`, solve, integrate, update the kinematics. This is timed."""

    def q(self) -> Array:
        """Return position, quaternion (w, x, y, z) and the angles in the order of `work.joints`."""


Reach = Callable[[int], Array | None]
ReachAll = Callable[[], Array]  # every problem at once; NaN rows where there is no solution


def serve(
    *,
    packages: Sequence[str],
    ticker: Callable[[TickWork], Ticker] | None = None,
    reacher: Callable[[ReachWork], Reach] | None = None,
    batcher: Callable[[ReachWork], ReachAll] | None = None,
) -> None:
    """Run the workload named on the command line and report it.

    Args:
        packages: Distributions whose versions go into the report.
        ticker: Maker for the `tick_…` workloads.
        reacher: Maker for `reach`, and for `batch` (in a loop) where there is no `batcher`.
        batcher: Maker for `batch`.
    """
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--work", type=Path, required=True, help="workload file to read")
    arguments.add_argument("--out", type=Path, required=True, help="file for times and postures")
    options = arguments.parse_args()
    report = _claim_stdout()
    work = load_work(options.work)
    gc.disable()  # nobody's ticks pay for garbage of the harness
    whole = options.work.stem == "batch"
    if isinstance(work, TickWork) and ticker is not None:
        times, q = time_ticks(ticker(work), work)
    elif isinstance(work, ReachWork) and whole and batcher is not None:
        times, q = time_batch(batcher(work))
    elif isinstance(work, ReachWork) and reacher is not None:
        times, q = time_reaches(reacher(work), work, whole=whole)
    else:
        raise SystemExit(f"this contestant has nothing for {options.work.stem}")
    np.savez(options.out, times=times, q=q)
    versions = {name: version(name) for name in (*packages, "numpy")}
    report({"python": sys.version.split()[0], "versions": versions, **summary(times)})


def time_ticks(ticker: Ticker, work: TickWork) -> tuple[Array, Array]:
    """Follow the motion twice: once to warm up and keep the postures, once to take the times."""
    q = np.full((len(work.poses), len(work.home)), np.nan)
    ticker.reset()
    for k in range(len(q)):
        ticker.tick(k)
        q[k] = ticker.q()
    times = np.empty(len(q))
    ticker.reset()
    for k in range(len(q)):
        begin = time.perf_counter_ns()
        ticker.tick(k)
        times[k] = time.perf_counter_ns() - begin
    return times, q


def time_reaches(reach: Reach, work: ReachWork, *, whole: bool) -> tuple[Array, Array]:
    """Solve each problem; time every one, or with `whole` the loop over all of them."""
    solutions: list[Array | None] = [None] * len(work.poses)
    times = np.empty(len(solutions))
    for k in range(WARM_UP):
        reach(k)
    start = time.perf_counter_ns()
    for k in range(len(solutions)):
        begin = time.perf_counter_ns()
        solutions[k] = reach(k)
        times[k] = time.perf_counter_ns() - begin
    if whole:
        times = np.array([time.perf_counter_ns() - start], dtype=float)
    missing = np.full(len(work.joints), np.nan)
    return times, np.array([missing if q is None else q for q in solutions])


def time_batch(reach_all: ReachAll) -> tuple[Array, Array]:
    """Time one call that solves all problems; a first one warms up."""
    reach_all()
    begin = time.perf_counter_ns()
    q = reach_all()
    return np.array([time.perf_counter_ns() - begin], dtype=float), q


def first_success(starts: Array, attempt: Callable[[Array], Array | None]) -> Array | None:
    """Return the first solution found over the given starts, for solvers without restarts."""
    for start in starts:
        q = attempt(start)
        if q is not None:
            return q
    return None


def summary(times: Array) -> dict[str, float]:
    """Describe times given in ns, in µs."""
    micro = times / 1000
    return {
        "timings": len(micro),
        "median": float(np.median(micro)),
        "mean": float(np.mean(micro)),
        "p95": float(np.percentile(micro, 95)),
        "p99": float(np.percentile(micro, 99)),
    }


def _claim_stdout() -> Callable[[dict[str, Any]], None]:
    """Keep standard output for the report; what libraries print goes to standard error."""
    own = os.dup(1)
    os.dup2(2, 1)

    def report(document: dict[str, Any]) -> None:
        with os.fdopen(own, "w") as stream:
            json.dump(document, stream)

    return report
