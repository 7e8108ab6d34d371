"""The store of a study: every trial begins and ends in a transaction of its own.

One program at a time writes. A trial that was running when the last one ended is marked as
interrupted as soon as the next one opens the store, and its step is to be done again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from robotix.errors import BadFile
from robotix.experiments.store.connection import WriterLock, connect, transaction
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.store.records import Participant, StoredTrial
from robotix.experiments.study.plan import SessionStep
from robotix.experiments.study.questionnaires import Questionnaire, check_answers
from robotix.experiments.study.study_file import load_study, study_path
from robotix.experiments.trial import TrialOutcome, TrialPlan

__all__ = ["RECORDINGS", "StudyStore"]

RECORDINGS = "recordings"


class StudyStore(StudyReader):
    """Reads and writes a study; a context manager."""

    def __init__(self, folder: str | Path, *, clock: Callable[[], float] = time.time) -> None:
        self.folder = Path(folder)
        self.study = load_study(self.folder)
        self._clock = clock
        self._lock = WriterLock(self.folder)
        try:
            self._database = connect(self.folder, is_writer=True)
            self._check_design()
            self.interrupted = self._mark_interrupted()
        except BaseException:
            self._lock.release()
            raise

    def close(self) -> None:
        """Close the database and let others write."""
        self._database.close()
        self._lock.release()

    # -- opening ----------------------------------------------------------------------------

    def _check_design(self) -> None:
        """Raise BadFile if the design has changed since the first trial.

        Texts, weights and the number of participants may change; factors, tasks, orders and seed
        decide what stored trials mean.
        """
        study = self.study
        design = repr((
            sorted(study.factors.items()), list(study.factors), study.tasks, study.seed,
            study.task_order, study.repeats, sorted(study.settings.items()), study.breaks,
            study.training, study.questionnaires, bool(study.briefing),
        ))  # fmt: skip
        digest = hashlib.sha256(design.encode()).hexdigest()
        with transaction(self._database) as database:
            found = database.execute("SELECT value FROM meta WHERE key = 'design'").fetchone()
            (begun,) = database.execute("SELECT count(*) FROM trials").fetchone()
            if found is None or not begun:
                insert = "INSERT OR REPLACE INTO meta VALUES ('design', ?)"
                database.execute(insert, (digest,))
                return
        if found["value"] != digest:
            raise BadFile(
                str(study_path(self.folder)),
                "factors, tasks, orders or steps differ from those of the trials stored here",
                "the design that was begun; copy study.yaml to a new folder for another one",
            )

    def _mark_interrupted(self) -> int:
        with transaction(self._database) as database:
            marked = database.execute(
                "UPDATE trials SET status = 'interrupted', ended = ? WHERE status = 'running'",
                (self._clock(),),
            )
        return marked.rowcount

    def keep_setting(self, key: str, value: str) -> None:
        """Store a setting with the first trials; raise ValueError for another value later."""
        with transaction(self._database) as database:
            found = database.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
            if found is None:
                database.execute("INSERT INTO meta VALUES (?, ?)", (key, value))
            elif found["value"] != value:
                raise ValueError(
                    f"{self.folder}: the {key} was {found['value']}, not {value};"
                    " keep it, or use a new folder"
                )

    # -- participants -----------------------------------------------------------------------

    def add_participant(self, *, is_simulated: bool = False) -> Participant:
        """Add a participant under the next pseudonym; numbers are never given twice."""
        with transaction(self._database) as database:
            found = database.execute("SELECT value FROM meta WHERE key = 'numbers'").fetchone()
            number = int(found["value"]) if found else 0
            insert = "INSERT OR REPLACE INTO meta VALUES ('numbers', ?)"
            database.execute(insert, (str(number + 1),))
            name = f"{'S' if is_simulated else 'P'}{number + 1:03}"
            row = (name, number, is_simulated, self._clock())
            database.execute("INSERT INTO participants VALUES (?, ?, ?, ?)", row)
        return Participant(*row)

    def give_consent(self, step: SessionStep, participant: str, text: str) -> None:
        """Store that a participant agreed to a text."""
        with transaction(self._database) as database:
            database.execute(
                "INSERT INTO consents VALUES (?, ?, ?)", (participant, text, self._clock())
            )
            self._complete(participant, step)

    def complete_step(self, step: SessionStep, participant: str) -> None:
        """Store that a step which leaves no data was done: a briefing, a break."""
        with transaction(self._database):
            self._complete(participant, step)

    def _complete(self, participant: str, step: SessionStep) -> None:
        """Store, within a transaction, that a step was done."""
        self._database.execute(
            "INSERT OR REPLACE INTO steps VALUES (?, ?, ?, ?)",
            (participant, step.number, step.kind, self._clock()),
        )

    # -- trials -----------------------------------------------------------------------------

    def begin_trial(self, step: SessionStep, *, is_recorded: bool = True) -> tuple[int, TrialPlan]:
        """Store that a trial begins; return its number, and its plan with the file to record to."""
        plan = step.trial
        if plan is None:
            raise ValueError(f"step {step.number} ({step.kind}) is no trial")
        with transaction(self._database) as database:
            cursor = database.execute(
                "INSERT INTO trials (participant, step, kind, task, repeat, levels, seed,"
                " time_limit, status, begun) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'running', ?)",
                (
                    plan.participant, step.number, step.kind, plan.task, plan.repeat,
                    json.dumps(dict(plan.levels)), plan.seed, plan.time_limit, self._clock(),
                ),
            )  # fmt: skip
            number = int(cursor.lastrowid or 0)
            name = f"{RECORDINGS}/{plan.participant}/{number:06}_{plan.task}.mcap"
            database.execute(
                "UPDATE trials SET recording = ? WHERE id = ?",
                (name if is_recorded else None, number),
            )
        recording = self.folder / name if is_recorded else None
        if recording is not None:
            recording.parent.mkdir(parents=True, exist_ok=True)
        return number, replace(plan, recording=recording)

    def finish_trial(self, number: int, outcome: TrialOutcome, *, step: SessionStep) -> None:
        """Store what came of a trial; its step is done unless it was interrupted.

        The recording is flushed to the disk first, so that a finished trial has its motion.
        """
        if outcome.recording is not None:
            _flush(outcome.recording)
        with transaction(self._database) as database:
            changed = database.execute(
                "UPDATE trials SET status = ?, ended = ?, duration = ?, errors = ?, measures = ?,"
                " recording = CASE WHEN ? THEN recording ELSE NULL END"
                " WHERE id = ? AND status = 'running'",
                (
                    outcome.status, self._clock(), outcome.duration, outcome.errors,
                    json.dumps(dict(outcome.measures)), outcome.recording is not None, number,
                ),
            )  # fmt: skip
            if changed.rowcount != 1:
                raise ValueError(f"trial {number} is not running")
            if step.kind == "trial" and outcome.status != "interrupted":
                row = database.execute("SELECT participant FROM trials WHERE id = ?", (number,))
                self._complete(row.fetchone()["participant"], step)

    def repeat_trial(self, trial: StoredTrial) -> None:
        """Have a trial repeated: it stays stored, but no longer counts."""
        with transaction(self._database) as database:
            database.execute("UPDATE trials SET is_discarded = 1 WHERE id = ?", (trial.id,))
            database.execute(
                "DELETE FROM steps WHERE participant = ? AND step = ?",
                (trial.participant, trial.step),
            )

    # -- questionnaires and notes -----------------------------------------------------------

    def store_answers(
        self, step: SessionStep, participant: str, answers: Mapping[str, int], *, task: str = ""
    ) -> None:
        """Store all answers to a questionnaire at once; raise `ValueError` if they are wrong."""
        form: Questionnaire = self.study.form(step.form)
        check_answers(form, answers)
        levels = json.dumps(dict(step.levels))
        with transaction(self._database) as database:
            database.executemany(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (participant, step.number, step.form, step.after, task, levels, item, value,
                     self._clock())
                    for item, value in answers.items()
                ],
            )  # fmt: skip
            self._complete(participant, step)

    def add_note(self, text: str, *, participant: str | None = None) -> None:
        """Store a note of the experimenter."""
        with transaction(self._database) as database:
            database.execute(
                "INSERT INTO notes (participant, text, written) VALUES (?, ?, ?)",
                (participant, text, self._clock()),
            )


def _flush(path: Path) -> None:
    for each in (path, path.parent):
        file = os.open(each, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
