"""The published finding: the KUKA LWR was best in all four tests, by E = μ² + σ².

The publications give the ranking and figures without numbers: ten users, three arms on the rail of
a wheelchair, a joystick. Whether it comes out here depends on how arms are compared, so that is
varied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.experiments.analysis.scores import score_e
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.study.study import Study
from robotix.geometry import Array

__all__ = [
    "PUBLISHED_ARMS",
    "PUBLISHED_BEST",
    "PUBLISHED_TASKS",
    "PublishedRanking",
    "compare_ranking",
]

PUBLISHED_BEST = "kuka_lwr"
PUBLISHED_ARMS = ("kuka_lwr", "amtec_ulwr", "mitsubishi_pa10")
PUBLISHED_TASKS = ("books", "shelf", "chess", "tables")
RESAMPLES = 2000


@dataclass(frozen=True)
class PublishedRanking:
    """Whether the published arm is best, task by task, under several ways to compare."""

    best: Mapping[str, str]  # task -> best arm by E
    reproduced: bool  # best in all tasks that were run, and these are all four
    tasks_missing: tuple[str, ...]
    by_criterion: Mapping[str, Mapping[str, str]]  # way to compare -> task -> best arm
    bootstrap: Mapping[str, float]  # task -> share of resampled participants with the KUKA best
    participants: Mapping[str, int]  # task -> how many used all arms; only they count


def compare_ranking(trials: TidyTable, study: Study) -> PublishedRanking | None:
    """Compare with the published ranking; None if the study does not compare these arms."""
    factor = study.factors.get("arm")
    if factor is None or not set(PUBLISHED_ARMS) <= set(factor.levels):
        return None
    samples = {
        task: means for task in PUBLISHED_TASKS if (means := _means(trials, task)) is not None
    }
    finished = trials.where(lambda row: row["status"] == "finished")
    ways: dict[str, dict[str, str]] = {
        name: {task: _best(each, score) for task, each in samples.items()}
        for name, score in CRITERIA.items()
    }
    ways["E of finished trials only"] = {
        task: _best(each, _e) for task in samples if (each := _means(finished, task)) is not None
    }
    best = ways["E = mean² + sd²"]
    missing = tuple(task for task in PUBLISHED_TASKS if task not in samples)
    rng = np.random.default_rng(study.seed)
    return PublishedRanking(
        best,
        not missing and all(arm == PUBLISHED_BEST for arm in best.values()),
        missing,
        ways,
        {task: _bootstrap(each, rng) for task, each in samples.items()},
        {task: len(each) for task, each in samples.items()},
    )


def _e(values: Array) -> float:
    return score_e(float(values.mean()), float(values.std(ddof=1)))


CRITERIA: Mapping[str, Callable[[Array], float]] = {
    "E = mean² + sd²": _e,
    "mean": lambda values: float(values.mean()),
    "median": lambda values: float(np.median(values)),
    "mean of logarithms": lambda values: float(np.log(np.maximum(values, 1e-9)).mean()),
}


def _means(trials: TidyTable, task: str) -> Array | None:
    """Return the mean durations (participants, arms) of those who used all arms; None below two."""
    known = dict[str, dict[str, list[float]]]()
    for row in trials.rows():
        if row["task"] == task and row["arm"] in PUBLISHED_ARMS:
            person = known.setdefault(row["participant"], {})
            person.setdefault(row["arm"], []).append(float(row["duration"]))
    rows: list[Sequence[float]] = [
        [float(np.mean(person[arm])) for arm in PUBLISHED_ARMS]
        for person in known.values()
        if len(person) == len(PUBLISHED_ARMS)
    ]
    return np.array(rows) if len(rows) >= 2 else None


def _best(samples: Array, score: Callable[[Array], float]) -> str:
    scores = [score(column) for column in samples.T]
    return PUBLISHED_ARMS[int(np.argmin(scores))]


def _bootstrap(samples: Array, rng: np.random.Generator) -> float:
    n, at = len(samples), PUBLISHED_ARMS.index(PUBLISHED_BEST)
    drawn = samples[rng.integers(0, n, (RESAMPLES, n))]  # (resamples, n, arms)
    e = drawn.mean(axis=1) ** 2 + drawn.var(axis=1, ddof=1)
    return float((e.argmin(axis=1) == at).mean())
