"""Connections to the database of a study, and the lock of the one program that writes to it."""

from __future__ import annotations

import fcntl
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from robotix.errors import BadFile, RobotixError
from robotix.experiments.store.schema import prepare_schema

__all__ = ["DATABASE_FILE", "StudyInUse", "WriterLock", "connect", "transaction"]

DATABASE_FILE = "study.sqlite"
LOCK_FILE = "study.lock"
BUSY_TIMEOUT = 30.0  # s


class StudyInUse(RobotixError, OSError):
    """Another program writes to the study."""

    def __init__(self, folder: str) -> None:
        super().__init__(folder)

    def __str__(self) -> str:
        return (
            f"{self.args[0]}: another `robotix lab` runs this study; end it, or wait until it ends"
        )


class WriterLock:
    """A lock on a folder; the system releases it when the process ends, however it ends."""

    def __init__(self, folder: Path) -> None:
        self._file = os.open(folder / LOCK_FILE, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise StudyInUse(str(folder)) from None

    def release(self) -> None:
        """Let others write."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1


def connect(folder: Path, *, is_writer: bool) -> sqlite3.Connection:
    """Open the database of a study. A reader sees a consistent state and changes nothing.

    Write-ahead log with `synchronous=FULL`: what was committed survives a crash of the program or
    of the machine. `secure_delete` overwrites what is deleted.
    """
    path = folder / DATABASE_FILE
    if not is_writer and not path.exists():
        raise BadFile(str(folder), "nothing has been run yet", "a study with stored trials")
    if is_writer:
        path.touch(mode=0o600)
    mode = "rw" if is_writer else "ro"
    uri = f"{path.resolve().as_uri()}?mode={mode}"
    database = sqlite3.connect(
        uri, uri=True, timeout=BUSY_TIMEOUT, isolation_level=None, check_same_thread=False
    )
    database.row_factory = sqlite3.Row
    try:
        if is_writer:
            database.execute("PRAGMA journal_mode = WAL")
            database.execute("PRAGMA synchronous = FULL")
            database.execute("PRAGMA secure_delete = ON")
            database.execute("PRAGMA foreign_keys = ON")
            prepare_schema(database, path)
        else:
            _check_readable(database, path)
    except sqlite3.DatabaseError as error:
        database.close()
        found = f"cannot be read as a database ({error})"
        raise BadFile(str(path), found, "a study of `robotix lab`") from None
    except BaseException:
        database.close()
        raise
    return database


def _check_readable(database: sqlite3.Connection, path: Path) -> None:
    from robotix.experiments.store.schema import SCHEMA_VERSION

    (version,) = database.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        found = f"a study of a newer version ({version})"
        raise BadFile(str(path), found, f"version {SCHEMA_VERSION} or older; update robotix")
    if version != SCHEMA_VERSION:
        found = f"a study of version {version}"
        expected = f"version {SCHEMA_VERSION}; `robotix lab run` or `pilot` migrates older ones"
        raise BadFile(str(path), found, expected)


@contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[sqlite3.Connection]:
    """Do everything in the block, or nothing of it."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield database
    except BaseException:
        database.execute("ROLLBACK")
        raise
    database.execute("COMMIT")
