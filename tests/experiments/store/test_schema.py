from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from robotix.errors import BadFile
from robotix.experiments.store import schema
from robotix.experiments.store.reading import StudyReader
from robotix.experiments.store.schema import SCHEMA_VERSION
from robotix.experiments.store.store import StudyStore

STUDY = "robotix: 1\nstudy: S\nfactors: {arm: {levels: [a]}}\ntasks: [shelf]\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "study.yaml").write_text(STUDY)
    return tmp_path


def make(folder: Path, statements: str) -> None:
    database = sqlite3.connect(folder / "study.sqlite")
    database.executescript(statements)
    database.close()


def columns(folder: Path, table: str) -> set[str]:
    database = sqlite3.connect(folder / "study.sqlite")
    rows = database.execute(f"PRAGMA table_info({table})").fetchall()
    database.close()
    return {row[1] for row in rows}


def test_the_first_version_is_migrated_with_its_trials(folder: Path) -> None:
    old = schema.TABLES.replace("is_discarded INTEGER NOT NULL DEFAULT 0,", "")
    assert old != schema.TABLES
    make(folder, f"PRAGMA application_id = {schema.APPLICATION_ID}; {old} PRAGMA user_version = 1;")
    make(
        folder,
        "INSERT INTO participants VALUES ('P001', 0, 0, 1.0); INSERT INTO trials (participant,"
        " step, kind, task, repeat, levels, seed, time_limit, status, begun) VALUES"
        " ('P001', 2, 'trial', 'shelf', 1, '{}', 1, 60, 'finished', 1.0);",
    )
    with pytest.raises(BadFile, match="version 1"):
        StudyReader(folder)
    with StudyStore(folder) as store:
        (trial,) = store.trials()
        assert trial.status == "finished" and not trial.is_discarded
        assert store.check_integrity() == []
    fresh = folder / "fresh"
    fresh.mkdir()
    (fresh / "study.yaml").write_text(STUDY)
    StudyStore(fresh).close()
    assert columns(folder, "trials") == columns(fresh, "trials")


def test_newer_and_foreign_databases_are_refused_and_left_alone(folder: Path) -> None:
    StudyStore(folder).close()
    make(folder, f"PRAGMA user_version = {SCHEMA_VERSION + 1};")
    before = (folder / "study.sqlite").read_bytes()
    with pytest.raises(BadFile, match="update robotix"):
        StudyStore(folder)
    with pytest.raises(BadFile, match="update robotix"):  # who only reads is told the same
        StudyReader(folder)
    assert (folder / "study.sqlite").read_bytes() == before
    (folder / "study.sqlite").unlink()
    make(folder, "CREATE TABLE recipes (name TEXT);")
    with pytest.raises(BadFile, match="another program"):
        StudyStore(folder)
