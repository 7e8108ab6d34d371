"""The whole analysis of a study: all tasks and measures, questionnaires, the index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from robotix.errors import RobotixError
from robotix.experiments.analysis.analyse import MeasureAnalysis, analyse_measure, main_factor
from robotix.experiments.analysis.index import (
    IndexSensitivity,
    SyntheticIndex,
    best_for_users,
    make_index,
    mean_weights,
    test_weights,
    users_weights,
)
from robotix.experiments.analysis.published import PublishedRanking, compare_ranking
from robotix.experiments.analysis.reliability import cronbach_alpha
from robotix.experiments.analysis.scores import SampleSummary, summarise
from robotix.experiments.analysis.tables import answer_table, score_table, trial_table
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.study.study import Study

__all__ = ["FormAnalysis", "NoStatistics", "StudyAnalysis", "analyse_study", "analyse_tables"]

COUNTED = ("finished", "timeout")  # statuses whose duration counts
NOT_MEASURES = frozenset({"time_limit", "begun", "repeat"})


class NoStatistics(RobotixError, ImportError):
    """The packages of statistics are not installed."""

    def __str__(self) -> str:
        return "statistics need SciPy and statsmodels; install them by: pip install 'robotix[lab]'"


@dataclass(frozen=True)
class FormAnalysis:
    """A questionnaire: its scores over the levels of the main factor, and its reliability."""

    form: str
    title: str
    scale: str  # `score`, or the name of a scale
    cells: Mapping[str, SampleSummary]
    alpha: float | None  # Cronbach's, of all answers


@dataclass(frozen=True)
class StudyAnalysis:
    """Everything that is reported of a study."""

    study: Study
    trials: TidyTable
    answers: TidyTable
    scores: TidyTable
    factor: str
    measures: tuple[MeasureAnalysis, ...]
    forms: tuple[FormAnalysis, ...]
    index: SyntheticIndex | None
    sensitivity: IndexSensitivity | None
    published: PublishedRanking | None
    participants: int
    simulated: int
    users: int  # participants who chose the weights of the index; 0: those of the study file
    best_for_users: Mapping[str, int]  # alternative -> users for whose own weights it is best

    def of(self, measure: str) -> dict[str, MeasureAnalysis]:
        """Return the analyses of a measure by task."""
        return {each.task: each for each in self.measures if each.measure == measure}

    @property
    def table_of_scores(self) -> TidyTable:
        """One row a task and level: n, mean, sd, interval, E of the completion times."""
        return TidyTable.of([
            {
                "task": task, self.factor or "level": level, "n": cell.n, "mean": cell.mean,
                "sd": cell.sd, "low": cell.low, "high": cell.high, "e": cell.e,
            }
            for task, each in self.of("duration").items()
            for level, cell in each.cells.items()
        ])  # fmt: skip


def analyse_study(folder: str | Path) -> StudyAnalysis:
    """Analyse a stored study; the entry for notebooks."""
    with StudyReader(folder) as reader:
        trials, answers = trial_table(reader), answer_table(reader)
        return analyse_tables(reader.study, trials, answers)


def analyse_tables(study: Study, trials: TidyTable, answers: TidyTable) -> StudyAnalysis:
    """Analyse tidy tables of trials and answers."""
    _check_packages()
    if not len(trials):
        raise ValueError("no trial is finished yet; run the study, or `robotix lab pilot`")
    counted = trials.where(lambda row: row["status"] in COUNTED)
    factor = main_factor(study)
    measures = tuple(
        analyse_measure(counted, study, task=task, measure=measure)
        for measure in _measures(counted)
        for task in study.tasks
        if any(row["task"] == task and row.get(measure) is not None for row in counted.rows())
    )
    scores = score_table(answers, study)
    forms = _forms(study, answers, scores, factor)
    criteria = _criteria(counted, scores, factor) if factor else {}
    chosen = users_weights(answers)
    weights = mean_weights(chosen) or study.weights
    index = make_index(criteria, weights) if weights else None
    sensitivity = test_weights(index, rng=np.random.default_rng(study.seed)) if index else None
    people = {row["participant"]: row["simulated"] for row in trials.rows()}
    return StudyAnalysis(
        study, trials, answers, scores, factor, measures, forms, index, sensitivity,
        compare_ranking(counted, study), len(people), sum(map(bool, people.values())),
        len(chosen), best_for_users(criteria, chosen),
    )  # fmt: skip


def _check_packages() -> None:
    from importlib.util import find_spec

    if find_spec("scipy") is None or find_spec("statsmodels") is None:
        raise NoStatistics


def _measures(trials: TidyTable) -> list[str]:
    """Return the numeric columns: duration and errors first, then what the tasks measured."""
    found = ["duration", "errors"]
    for name, column in trials.columns.items():
        numbers = [v for v in column if isinstance(v, int | float) and not isinstance(v, bool)]
        if name not in found and name not in NOT_MEASURES and numbers:
            if all(v is None or isinstance(v, int | float) for v in column):
                found.append(name)
    return [name for name in found if name != "simulated"]


def _forms(
    study: Study, answers: TidyTable, scores: TidyTable, factor: str
) -> tuple[FormAnalysis, ...]:
    found = []
    for name in scores.distinct("form"):
        form = study.form(name)
        rows = scores.where(lambda row, name=name: row["form"] == name)  # type: ignore[misc]
        alpha = _alpha(answers, study, name)
        scales = [
            each
            for each in rows.columns
            if each == "score" or (each in rows.columns and _is_scale(rows, each))
        ]
        for scale in scales:
            cells = {}
            levels = rows.distinct(factor) if factor else []
            for level in levels or ["all"]:
                values = [
                    float(row[scale])
                    for row in rows.rows()
                    if row[scale] is not None and (not levels or row[factor] == level)
                ]
                if values:
                    cells[str(level)] = summarise(values)
            found.append(FormAnalysis(name, form.title, scale, cells, alpha))
    return tuple(found)


def _is_scale(rows: TidyTable, name: str) -> bool:
    skipped = name.startswith("weight_") or name in ("step", "repeat")
    return not skipped and any(isinstance(value, float) for value in rows[name])


def _alpha(answers: TidyTable, study: Study, name: str) -> float | None:
    form = study.form(name)
    filled = dict[tuple[object, object], dict[str, int]]()
    for row in answers.rows():
        if row["form"] == name:
            filled.setdefault((row["participant"], row["step"]), {})[row["item"]] = row["value"]
    rows = [
        [
            item.low + item.high - given[item.name] if item.is_reversed else given[item.name]
            for item in form.items
        ]
        for given in filled.values()
        if all(item.name in given for item in form.items)
    ]
    return cronbach_alpha(rows) if rows else None


def _criteria(
    trials: TidyTable, scores: TidyTable, factor: str
) -> dict[str, dict[str, float | None]]:
    """Return the mean of every measure and questionnaire for every level of the main factor."""
    values = dict[tuple[str, str], list[float]]()
    for row in trials.rows():
        for measure in _measures(trials):
            if row.get(measure) is not None:
                values.setdefault((measure, row[factor]), []).append(float(row[measure]))
    for row in scores.rows():
        if row[factor] is not None:
            values.setdefault((row["form"], row[factor]), []).append(float(row["score"]))
    found = dict[str, dict[str, float | None]]()
    for (name, level), each in values.items():
        found.setdefault(name, {})[level] = float(np.mean(each))
    return found
