"""Deletion of one participant with all traces."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from robotix.experiments.store.connection import DATABASE_FILE, transaction
from robotix.experiments.store.store import RECORDINGS, StudyStore

__all__ = ["Removed", "forget_participant"]

TABLES = ("consents", "trials", "answers", "notes", "steps")


@dataclass(frozen=True)
class Removed:
    """How much of a participant was deleted."""

    participant: str
    consents: int
    trials: int
    answers: int
    notes: int
    steps: int
    recordings: int  # files
    bytes: int  # of the recordings
    exports: tuple[str, ...]  # files in the folder that were made with their data


def forget_participant(store: StudyStore, name: str) -> Removed:
    """Delete rows, recordings, answers and notes of a participant, and overwrite their place.

    Recordings go first: a crash in between leaves rows that can be deleted again, not files that
    nothing refers to. The database is then rewritten (`VACUUM`) with its log emptied, so that no
    deleted page stays in the files. The pseudonym is not given again. Notes about nobody in
    particular, and backups or exports outside of the folder, are the experimenter's to check.
    """
    store.participant(name)
    database = store._database
    counts = {
        table: database.execute(
            f"SELECT count(*) FROM {table} WHERE participant = ?", (name,)
        ).fetchone()[0]
        for table in TABLES
    }
    files = [path for path in (store.folder / RECORDINGS / name).rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    shutil.rmtree(store.folder / RECORDINGS / name, ignore_errors=True)
    with transaction(database):
        database.execute("DELETE FROM participants WHERE name = ?", (name,))  # and what refers
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return Removed(
        name,
        **counts,
        recordings=len(files),
        bytes=size,
        exports=tuple(_files_naming(store.folder, name)),
    )


def _files_naming(folder: Path, name: str) -> list[str]:
    """Return files of the folder that contain the pseudonym, and the page of a report."""
    pattern = name.encode()
    own = {DATABASE_FILE, f"{DATABASE_FILE}-wal", f"{DATABASE_FILE}-shm"}
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name not in own:
            inside = path.relative_to(folder)
            is_report = inside.parts[0] == "report" and path.suffix == ".html"
            if is_report or name in str(inside) or pattern in path.read_bytes():
                found.append(str(inside))
    return found
