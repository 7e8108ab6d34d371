"""A study piloted by simulated operators: all its trials, in worker processes.

Only this process writes to the store; workers run trials and send back outcomes. A pilot that was
ended in the middle goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace

from robotix.errors import RobotixError
from robotix.experiments.store.store import StudyStore
from robotix.experiments.study.plan import SessionStep, stable_seed
from robotix.experiments.trial import TrialOutcome, TrialPlan, TrialRunner
from robotix.files.worker_pool import WorkerPool

__all__ = ["PilotReport", "TrialFailed", "count_pilot_trials", "run_pilot"]


class TrialFailed(RobotixError):
    """A trial could not be run."""

    def __init__(self, trial: str, reason: str) -> None:
        super().__init__(trial, reason)

    def __str__(self) -> str:
        return f"{self.args[0]}: {self.args[1]}; what is done is stored, run the pilot again"


@dataclass(frozen=True)
class PilotReport:
    """What a pilot did."""

    trials: int  # of all operators
    finished: int  # of these, also before this run
    timeouts: int
    aborted: int
    interrupted: int  # by earlier ends of the program; repeated since
    run: int  # trials of this run
    seconds: float  # of this run


@dataclass(frozen=True)
class _Running:
    number: int
    step: SessionStep


def count_pilot_trials(store: StudyStore, operators: int) -> int:
    """Return how many trials are still to be run."""
    return len(list(_pending(store, _operators(store, operators))))


def run_pilot(
    store: StudyStore,
    runner: TrialRunner,
    *,
    operators: int,
    seed: int | None = None,
    jobs: int = 1,
    advance: Callable[[], object] = lambda: None,
) -> PilotReport:
    """Run all missing trials of a number of simulated operators.

    `seed` replaces that of the study for the operators; orders keep the study's.
    """
    if operators < 1 or jobs < 1:
        raise ValueError("a pilot needs one operator and one job or more")
    chosen = store.study.seed if seed is None else seed
    store.keep_setting("pilot seed", str(chosen))
    start = time.monotonic()
    names = _operators(store, operators)
    steps = (_seeded(step, chosen) for step in list(_pending(store, names)))
    run = 0
    for _ in (
        _run_here(store, runner, steps) if jobs == 1 else _run_pool(store, runner, steps, jobs)
    ):
        run += 1
        advance()
    stored = [each for each in store.trials() if each.participant in names]
    count = {
        status: sum(each.status == status and not each.is_discarded for each in stored)
        for status in ("finished", "timeout", "aborted", "interrupted")
    }
    return PilotReport(
        trials=len(names) * store.study.trials_of_one,
        finished=count["finished"],
        timeouts=count["timeout"],
        aborted=count["aborted"],
        interrupted=count["interrupted"],
        run=run,
        seconds=time.monotonic() - start,
    )


def _operators(store: StudyStore, count: int) -> list[str]:
    """Return the simulated participants, added where they are missing."""
    known = [each.name for each in store.participants() if each.is_simulated][:count]
    missing = range(count - len(known))
    return known + [store.add_participant(is_simulated=True).name for _ in missing]


def _pending(store: StudyStore, names: list[str]) -> Iterator[SessionStep]:
    for name in names:
        done = store.steps_done(name)
        for step in store.plan(store.participant(name)):
            if step.kind == "trial" and step.number not in done:
                yield step


def _seeded(step: SessionStep, seed: int) -> SessionStep:
    assert step.trial is not None
    trial = replace(step.trial, seed=stable_seed(seed, f"operator {step.trial.seed}"))
    return replace(step, trial=trial)


# -- running -----------------------------------------------------------------------------------


def _run_here(
    store: StudyStore, runner: TrialRunner, steps: Iterator[SessionStep]
) -> Iterator[int]:
    for step in steps:
        number, plan = store.begin_trial(step)
        try:
            outcome = runner(plan)
        except Exception as error:
            _give_up(store, _Running(number, step), error)
        store.finish_trial(number, outcome, step=step)
        yield number


def _run_pool(
    store: StudyStore, runner: TrialRunner, steps: Iterator[SessionStep], jobs: int
) -> Iterator[int]:
    """Run trials in `jobs` processes; as many are begun as run, so that no more are interrupted."""
    with WorkerPool(jobs) as pool:
        running: dict[Future[TrialOutcome], _Running] = {}
        try:
            while True:
                while len(running) < jobs and (step := next(steps, None)) is not None:
                    number, plan = store.begin_trial(step)
                    running[pool.submit(_call, runner, plan)] = _Running(number, step)
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    trial = running.pop(future)
                    try:
                        outcome = future.result()
                    except Exception as error:
                        _give_up(store, trial, error)
                    store.finish_trial(trial.number, outcome, step=trial.step)
                    yield trial.number
        finally:
            for future, trial in running.items():
                future.cancel()
                store.finish_trial(trial.number, TrialOutcome("interrupted", 0.0), step=trial.step)


def _call(runner: TrialRunner, plan: TrialPlan) -> TrialOutcome:
    return runner(plan)


def _give_up(store: StudyStore, trial: _Running, error: Exception) -> None:
    """Mark a trial as interrupted and raise what happened."""
    store.finish_trial(trial.number, TrialOutcome("interrupted", 0.0), step=trial.step)
    plan = trial.step.trial
    assert plan is not None
    levels = ", ".join(plan.levels.values())
    what = f"trial {trial.number} ({plan.participant}, {plan.task}, {levels})"
    if isinstance(error, BrokenProcessPool):
        raise TrialFailed(what, "the worker process ended") from error
    if isinstance(error, RobotixError | ValueError):
        raise TrialFailed(what, str(error)) from error
    raise TrialFailed(what, f"{type(error).__name__}: {error}") from error
