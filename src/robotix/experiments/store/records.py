"""Rows of the database as values."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["Participant", "StoredAnswer", "StoredNote", "StoredTrial", "answer_of", "trial_of"]


@dataclass(frozen=True)
class Participant:
    """A participant, known by a pseudonym only."""

    name: str
    number: int  # from 0
    is_simulated: bool
    created: float  # s since 1970


@dataclass(frozen=True)
class StoredTrial:
    """A trial that was begun; `status` is `running` until it ends."""

    id: int
    participant: str
    step: int
    kind: str  # trial or training
    task: str
    repeat: int
    levels: Mapping[str, str]
    seed: int
    time_limit: float  # s
    status: str
    is_discarded: bool  # the experimenter had it repeated
    begun: float  # s since 1970
    ended: float | None
    duration: float | None  # s
    errors: int | None
    measures: Mapping[str, float]
    recording: str | None  # relative to the folder of the study


@dataclass(frozen=True)
class StoredAnswer:
    """The answer to one item of a questionnaire."""

    participant: str
    step: int
    form: str
    about: str  # trial, block, study or consent
    task: str
    levels: Mapping[str, str]
    item: str
    value: int
    given: float  # s since 1970


@dataclass(frozen=True)
class StoredNote:
    """A note of the experimenter."""

    participant: str | None
    text: str
    written: float  # s since 1970


def trial_of(row: sqlite3.Row) -> StoredTrial:
    """Return a row of the table of trials."""
    values = dict(row)
    values["levels"] = json.loads(values["levels"])
    values["measures"] = json.loads(values["measures"] or "{}")
    values["is_discarded"] = bool(values["is_discarded"])
    return StoredTrial(**values)


def answer_of(row: sqlite3.Row) -> StoredAnswer:
    """Return a row of the table of answers."""
    values = dict(row)
    values["levels"] = json.loads(values["levels"])
    return StoredAnswer(**values)
