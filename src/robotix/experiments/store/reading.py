"""Reading a study: participants, trials, answers, and how far each session is."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from types import TracebackType
from typing import Self

from robotix.errors import UnknownName
from robotix.experiments.store.connection import connect
from robotix.experiments.store.records import (
    Participant,
    StoredAnswer,
    StoredNote,
    StoredTrial,
    answer_of,
    trial_of,
)
from robotix.experiments.study.plan import SessionStep, plan_session
from robotix.experiments.study.study import Study
from robotix.experiments.study.study_file import load_study

__all__ = ["StudyReader"]


class StudyReader:
    """Reads the stored part of a study, also while another program writes; a context manager."""

    folder: Path
    study: Study
    _database: sqlite3.Connection

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self.study = load_study(self.folder)
        self._database = connect(self.folder, is_writer=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def participants(self) -> list[Participant]:
        """Return all participants, in the order in which they were added."""
        rows = self._database.execute("SELECT * FROM participants ORDER BY number")
        return [
            Participant(row["name"], row["number"], bool(row["is_simulated"]), row["created"])
            for row in rows
        ]

    def participant(self, name: str) -> Participant:
        """Return a participant; raise `UnknownName`."""
        known = {each.name: each for each in self.participants()}
        if name not in known:
            raise UnknownName("participant", name, known)
        return known[name]

    def trials(self, participant: str | None = None) -> list[StoredTrial]:
        """Return trials and training runs, in the order in which they began."""
        where, values = ("WHERE participant = ?", (participant,)) if participant else ("", ())
        rows = self._database.execute(f"SELECT * FROM trials {where} ORDER BY id", values)
        return [trial_of(row) for row in rows]

    def answers(self, participant: str | None = None) -> list[StoredAnswer]:
        """Return answers to questionnaires, step by step."""
        where, values = ("WHERE participant = ?", (participant,)) if participant else ("", ())
        rows = self._database.execute(
            f"SELECT * FROM answers {where} ORDER BY participant, step, rowid", values
        )
        return [answer_of(row) for row in rows]

    def notes(self) -> list[StoredNote]:
        """Return the notes of the experimenter, oldest first."""
        rows = self._database.execute("SELECT participant, text, written FROM notes ORDER BY id")
        return [StoredNote(*row) for row in rows]

    def has_consent(self, participant: str) -> bool:
        """Return whether a participant has agreed."""
        query = "SELECT count(*) FROM consents WHERE participant = ?"
        (count,) = self._database.execute(query, (participant,)).fetchone()
        return bool(count)

    def plan(self, participant: Participant) -> tuple[SessionStep, ...]:
        """Return all steps of a participant."""
        return plan_session(self.study, participant.number, participant.name)

    def steps_done(self, participant: str) -> frozenset[int]:
        """Return the numbers of the steps that a participant has done."""
        rows = self._database.execute(
            "SELECT step FROM steps WHERE participant = ?", (participant,)
        )
        return frozenset(row["step"] for row in rows)

    def next_step(self, participant: Participant) -> SessionStep | None:
        """Return the first step that is not done; None after the last one."""
        done = self.steps_done(participant.name)
        return next((step for step in self.plan(participant) if step.number not in done), None)

    def check_integrity(self) -> list[str]:
        """Return what is wrong with the database; nothing if it is sound."""
        rows = self._database.execute("PRAGMA integrity_check")
        return [row[0] for row in rows if row[0] != "ok"]
