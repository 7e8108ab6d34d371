"""Tables of the database, their version, and how older versions become this one."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

from robotix.errors import BadFile

__all__ = ["MIGRATIONS", "SCHEMA_VERSION", "prepare_schema"]

SCHEMA_VERSION = 2
APPLICATION_ID = 0x52585354  # "RXST": this database is one of a study

TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE participants (
    name TEXT PRIMARY KEY, number INTEGER NOT NULL UNIQUE, is_simulated INTEGER NOT NULL,
    created REAL NOT NULL
);
CREATE TABLE steps (
    participant TEXT NOT NULL REFERENCES participants(name) ON DELETE CASCADE,
    step INTEGER NOT NULL, kind TEXT NOT NULL, done REAL NOT NULL,
    PRIMARY KEY (participant, step)
);
CREATE TABLE consents (
    participant TEXT NOT NULL REFERENCES participants(name) ON DELETE CASCADE,
    text TEXT NOT NULL, given REAL NOT NULL
);
CREATE TABLE trials (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    participant TEXT NOT NULL REFERENCES participants(name) ON DELETE CASCADE,
    step INTEGER NOT NULL, kind TEXT NOT NULL, task TEXT NOT NULL, repeat INTEGER NOT NULL,
    levels TEXT NOT NULL, seed INTEGER NOT NULL, time_limit REAL NOT NULL,
    status TEXT NOT NULL, is_discarded INTEGER NOT NULL DEFAULT 0,
    begun REAL NOT NULL, ended REAL,
    duration REAL, errors INTEGER, measures TEXT, recording TEXT
);
CREATE INDEX trials_of_step ON trials (participant, step);
CREATE TABLE answers (
    participant TEXT NOT NULL REFERENCES participants(name) ON DELETE CASCADE,
    step INTEGER NOT NULL, form TEXT NOT NULL, about TEXT NOT NULL, task TEXT NOT NULL,
    levels TEXT NOT NULL, item TEXT NOT NULL, value INTEGER NOT NULL, given REAL NOT NULL,
    PRIMARY KEY (participant, step, item)
);
CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    participant TEXT REFERENCES participants(name) ON DELETE CASCADE,
    text TEXT NOT NULL, written REAL NOT NULL
);
"""

MIGRATIONS: Mapping[int, str] = {  # from this version to the next
    1: "ALTER TABLE trials ADD COLUMN is_discarded INTEGER NOT NULL DEFAULT 0;"
}


def prepare_schema(database: sqlite3.Connection, path: Path) -> None:
    """Make the tables of a new database, or migrate an older one; refuse what is neither.

    Every migration is one transaction: a crash in the middle leaves the older version.
    """
    (version,) = database.execute("PRAGMA user_version").fetchone()
    (application,) = database.execute("PRAGMA application_id").fetchone()
    (tables,) = database.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if version == 0 and tables == 0:
        _run(database, TABLES, SCHEMA_VERSION)
        return
    if application != APPLICATION_ID:
        raise BadFile(str(path), "a database of another program", "a study of `robotix lab`")
    if version > SCHEMA_VERSION:
        found = f"a study of a newer version ({version})"
        raise BadFile(str(path), found, f"version {SCHEMA_VERSION} or older; update robotix")
    for step in range(version, SCHEMA_VERSION):
        if step not in MIGRATIONS:
            found = f"a study of version {step}"
            raise BadFile(str(path), found, f"version {min(MIGRATIONS)} to {SCHEMA_VERSION}")
        _run(database, MIGRATIONS[step], step + 1)


def _run(database: sqlite3.Connection, statements: str, version: int) -> None:
    database.executescript(
        f"BEGIN IMMEDIATE; PRAGMA application_id = {APPLICATION_ID}; {statements}"
        f" PRAGMA user_version = {version}; COMMIT;"
    )
