"""Tidy tables from the store of a study."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.study.questionnaires import IMPORTANCE, check_answers, score_answers
from robotix.experiments.study.study import Study

__all__ = ["TRIAL_COLUMNS", "answer_table", "score_table", "trial_table"]

TRIAL_COLUMNS = ("participant", "task", "repeat", "status", "duration", "errors")


def trial_table(reader: StudyReader) -> TidyTable:
    """Return one row a trial: what TRIAL_COLUMNS name, a column a factor, a column a measure.

    Trials that were interrupted, are running, or were repeated at the experimenter's wish are left
    out, and so is training.
    """
    study = reader.study
    simulated = {each.name: each.is_simulated for each in reader.participants()}
    rows = []
    for trial in reader.trials():
        if trial.kind != "trial" or trial.is_discarded:
            continue
        if trial.status in ("running", "interrupted"):
            continue
        rows.append(
            {
                "participant": trial.participant, "task": trial.task, "repeat": trial.repeat,
                "status": trial.status, "duration": trial.duration, "errors": trial.errors,
            }
            | {name: trial.levels.get(name) for name in (*study.factors, *study.settings)}
            | {"time_limit": trial.time_limit, "simulated": simulated[trial.participant]}
            | {"begun": trial.begun, "recording": trial.recording}
            | {name: value for name, value in trial.measures.items() if name not in TRIAL_COLUMNS}
        )  # fmt: skip
    return TidyTable.of(rows, [*TRIAL_COLUMNS, *study.factors, *study.settings])


def answer_table(reader: StudyReader) -> TidyTable:
    """Return one row an answer."""
    names = ["participant", "form", "about", "step", "task", *reader.study.factors, "item", "value"]
    rows = [
        {
            "participant": each.participant, "form": each.form, "about": each.about,
            "step": each.step, "task": each.task, "item": each.item, "value": each.value,
            **{name: each.levels.get(name) for name in reader.study.factors},
        }
        for each in reader.answers()
    ]  # fmt: skip
    return TidyTable.of(rows, names)


def score_table(answers: TidyTable, study: Study) -> TidyTable:
    """Return one row a questionnaire that was filled in: its score and those of its scales.

    Questionnaires with missing or wrong answers are left out.
    """
    groups = defaultdict[tuple[object, ...], dict[str, int]](dict)
    context = ["participant", "form", "about", "step", "task", *study.factors]
    for row in answers.rows():
        groups[tuple(row[name] for name in context)][row["item"]] = row["value"]
    rows = []
    for key, given in groups.items():
        known = dict(zip(context, key, strict=True))
        if known["form"] == IMPORTANCE:  # it gives weights, and no score
            continue
        form = study.form(str(known["form"]))
        try:
            check_answers(form, given)
        except ValueError:
            continue
        rows.append(known | score_answers(form, given))
    return TidyTable.of(rows, [*context, "score"])


def finished_only(table: TidyTable, statuses: Iterable[str] = ("finished",)) -> TidyTable:
    """Return the rows with a status."""
    kept = frozenset(statuses)
    return table.where(lambda row: row["status"] in kept)
