"""Which assumptions about simulated operators would turn the ranking of arms.

Every number of an operator is assumed. One after the other is changed, the same trials are run
again, and the rankings by E = μ² + σ² of the completion times are compared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace

import numpy as np

from robotix.errors import UnknownName
from robotix.experiments.operators.traits import TYPICAL, OperatorTraits
from robotix.experiments.runner import run_operator
from robotix.experiments.tasks.library import TASKS
from robotix.experiments.trial import TrialOutcome, TrialPlan
from robotix.files.worker_pool import WorkerPool

__all__ = ["CHANGES", "SensitivityRow", "SensitivityTable", "count_trials", "run_sensitivity"]

# What is changed, by name: the typical operator, half and twice the value of one assumption.
CHANGES: Mapping[str, OperatorTraits] = {
    "as assumed": TYPICAL,
    "twice the reaction time": replace(TYPICAL, reaction_time=2 * TYPICAL.reaction_time),
    "half the aiming noise": replace(TYPICAL, aiming_noise=TYPICAL.aiming_noise / 2),
    "twice the aiming noise": replace(TYPICAL, aiming_noise=2 * TYPICAL.aiming_noise),
    "twice the error of sight": replace(TYPICAL, sight_noise=2 * TYPICAL.sight_noise),
    "half the pace": replace(TYPICAL, pace=TYPICAL.pace / 2),
    "full pace": replace(TYPICAL, pace=1.0),
    "one axis at a time": replace(TYPICAL, one_axis=1.0),
    "all axes at once": replace(TYPICAL, one_axis=0.0),
    "no learning": replace(TYPICAL, learning=0.0),
}


@dataclass(frozen=True)
class SensitivityRow:
    """The result under one assumption."""

    change: str
    scores: Mapping[str, float]  # E in s², by arm; infinite if a trial was not finished
    means: Mapping[str, float]  # s, by arm, of finished trials; NaN without any
    ranking: tuple[str, ...]  # best first
    is_turned: bool  # against the first row

    @property
    def best(self) -> str:
        """The best arm; empty if no arm finished all its trials."""
        return self.ranking[0] if math.isfinite(self.scores[self.ranking[0]]) else ""

    @property
    def lead(self) -> float:
        """By how much of its own √E the best arm is ahead of the next; NaN if there is no next."""
        scores = [self.scores[arm] for arm in self.ranking[:2]]
        if len(scores) < 2 or not math.isfinite(scores[0]):
            return math.nan
        return math.sqrt(scores[1] / scores[0]) - 1


@dataclass(frozen=True)
class SensitivityTable:
    """Rankings of arms in one task under several assumptions."""

    task: str
    operators: int
    seed: int
    time_limit: float  # s
    rows: tuple[SensitivityRow, ...]


def count_trials(arms: Sequence[str], operators: int) -> int:
    """Return how many trials `run_sensitivity` runs."""
    return len(CHANGES) * len(arms) * operators


def run_sensitivity(
    task: str,
    *,
    arms: Sequence[str],
    operators: int,
    seed: int = 0,
    jobs: int = 1,
    time_limit: float = 600.0,
    advance: Callable[[], None] = lambda: None,
) -> SensitivityTable:
    """Run the same trials under every change of `CHANGES`.

    Args:
        task: of the laboratory.
        arms: names of the library.
        operators: how many; each does the task once with every arm.
        seed: of all random numbers.
        jobs: number of processes.
        time_limit: of a trial, s.
        advance: called after every trial.
    """
    if task not in TASKS:
        raise UnknownName("task", task, TASKS)
    asked = [
        (change, TrialPlan(f"P{k + 1:02}", task, 1, {"arm": arm}, seed + k, time_limit))
        for change in CHANGES
        for k in range(operators)
        for arm in arms
    ]
    outcomes: dict[tuple[str, str], list[TrialOutcome]] = {}
    for (change, plan), outcome in zip(asked, _run_all(asked, jobs), strict=True):
        outcomes.setdefault((change, plan.levels["arm"]), []).append(outcome)
        advance()
    rows: list[SensitivityRow] = []
    for change in CHANGES:
        rows.append(_row(change, {arm: outcomes[change, arm] for arm in arms}, rows[:1]))
    return SensitivityTable(task, operators, seed, time_limit, tuple(rows))


def _run_all(asked: Sequence[tuple[str, TrialPlan]], jobs: int) -> Iterator[TrialOutcome]:
    with nullcontext() if jobs == 1 else WorkerPool(jobs) as pool:
        yield from map(_run, asked) if pool is None else pool.map(_run, asked)


def _run(asked: tuple[str, TrialPlan]) -> TrialOutcome:
    change, plan = asked
    return run_operator(plan, typical=CHANGES[change])


def _row(
    change: str, outcomes: Mapping[str, Sequence[TrialOutcome]], first: Sequence[SensitivityRow]
) -> SensitivityRow:
    scores, means = {}, {}
    for arm, trials in outcomes.items():
        times = [trial.duration for trial in trials if trial.status == "finished"]
        means[arm] = float(np.mean(times)) if times else float("nan")
        is_whole = len(times) == len(trials)
        spread = float(np.var(times, ddof=1)) if len(times) > 1 else 0.0
        scores[arm] = means[arm] ** 2 + spread if is_whole else float("inf")
    ranking = tuple(sorted(scores, key=lambda arm: scores[arm]))
    return SensitivityRow(
        change, scores, means, ranking, bool(first) and ranking != first[0].ranking
    )
