"""A small stand-in for trials with operators: durations from a known law, and a short recording.

The law: 20 s for `shelf`, 30 s for every other task, times 1 for the first arm and 1.2 for every
other, times a factor of the participant and log-normal noise from the seed of the plan.
"""

from __future__ import annotations

import math
import os
import time

import numpy as np

from robotix.experiments.trial import TrialOutcome, TrialPlan

DELAY = float(os.environ.get("STAND_IN_SECONDS", "0"))  # how long a trial takes in reality


def run_trial(plan: TrialPlan) -> TrialOutcome:
    rng = np.random.default_rng(plan.seed)
    person = np.random.default_rng(sum(map(ord, plan.participant))).normal(0.0, 0.2)
    base = 20.0 if plan.task == "shelf" else 30.0
    base *= 1.0 if plan.levels.get("arm") in ("a", "kuka_lwr") else 1.2
    duration = base * math.exp(person + rng.normal(0.0, 0.1))
    if DELAY:
        time.sleep(DELAY)
    if plan.recording is not None:
        plan.recording.write_bytes(b"motion of " + plan.task.encode())
    status = "finished" if duration <= plan.time_limit else "timeout"
    return TrialOutcome(
        status,  # type: ignore[arg-type]
        min(duration, plan.time_limit),
        int(rng.poisson(0.5)),
        {"path_length": float(rng.uniform(2, 4)), "throughput": float(rng.uniform(1, 3))},
        plan.recording,
    )


def fail(plan: TrialPlan) -> TrialOutcome:
    """Stand for a runner that cannot run a task."""
    raise ValueError(f"no task {plan.task!r}")


def die(plan: TrialPlan) -> TrialOutcome:
    """Stand for a worker that crashes."""
    os._exit(3)
