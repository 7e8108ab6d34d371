"""Shared tasks as trials of a study: strategies, reactions and faults are factors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from robotix.errors import UnknownName
from robotix.experiments.sharing.rooms import SHARED_TASKS, SharedSetup, draw_setup
from robotix.experiments.sharing.run import DEFAULT_LIMIT, run_shared
from robotix.experiments.study.plan import stable_seed
from robotix.experiments.trial import TrialOutcome, TrialPlan
from robotix.safety.faults import Fault, parse_fault
from robotix.safety.protection import ProtectionSettings, SafetyReaction, SafetyStrategy

__all__ = ["SHARED_FACTORS", "is_shared", "run_shared_trial", "shared_conditions"]

# Factors of shared tasks, with their levels; empty: any.
SHARED_FACTORS: Mapping[str, tuple[str, ...]] = {
    "strategy": get_args(SafetyStrategy),
    "reaction": get_args(SafetyReaction),
    "fault": (),
    "arm": (),
    "speed": ("slow", "normal", "fast"),
    "device": (),  # with people: a headset makes the participant the person at work
}
SPEEDS = {"slow": 0.3, "normal": 0.6, "fast": 1.0}  # m/s


def is_shared(task: str) -> bool:
    """Return whether a task is one of person and robot."""
    return task in SHARED_TASKS


def run_shared_trial(plan: TrialPlan) -> TrialOutcome:
    """Run a shared task; the person, and when she begins, are drawn from participant and seed.

    The same participant meets all levels with the same body and the same beginning.
    """
    setup, protection, fault = shared_conditions(plan)
    limit = min(plan.time_limit, DEFAULT_LIMIT)
    run = run_shared(plan.task, protection, setup=setup, time_limit=limit, fault=fault)
    return TrialOutcome(
        "finished" if run.is_done else "timeout",
        run.duration,
        int(run.figures.get("moving_contacts", 0)),
        dict(run.figures),
    )


def shared_conditions(plan: TrialPlan) -> tuple[SharedSetup, ProtectionSettings, Fault | None]:
    """Return who works, how the arm protects them, and what goes wrong, by levels of a trial."""
    levels = plan.levels
    for factor, level in levels.items():
        if SHARED_FACTORS.get(factor) and level not in SHARED_FACTORS[factor]:
            raise UnknownName(f"level of {factor}", level, SHARED_FACTORS[factor])
    protection = ProtectionSettings(
        strategy=levels.get("strategy", "ssm"),  # type: ignore[arg-type]
        reaction=levels.get("reaction", "stop"),  # type: ignore[arg-type]
    )
    setup = draw_setup(
        stable_seed(plan.repeat, plan.participant),
        arm=levels.get("arm", "ur5"),
        speed=SPEEDS[levels.get("speed", "normal")],
    )
    return setup, protection, parse_fault(levels.get("fault", "none"))
