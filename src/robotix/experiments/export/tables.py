"""Tidy tables as CSV or Parquet files."""

from __future__ import annotations

import csv
from pathlib import Path

from robotix.experiments.analysis.tables import answer_table, score_table, trial_table
from robotix.experiments.analysis.tidy import TidyTable
from robotix.experiments.store.reading import StudyReader
from robotix.motion.parquet_file import import_pyarrow

__all__ = ["export_csv", "export_parquet", "write_csv"]


def _tables(reader: StudyReader) -> dict[str, TidyTable]:
    answers = answer_table(reader)
    return {
        "trials": trial_table(reader),
        "answers": answers,
        "scores": score_table(answers, reader.study),
    }


def export_csv(reader: StudyReader, folder: Path) -> list[Path]:
    """Write trials, answers and scores as CSV; return the files."""
    found = []
    for name, table in _tables(reader).items():
        path = folder / f"{name}.csv"
        write_csv(table, path)
        found.append(path)
    return found


def write_csv(table: TidyTable, path: Path) -> None:
    """Write a table; missing values are empty, truth values 1 and 0."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(table.columns)
        for row in table.rows():
            writer.writerow([int(v) if isinstance(v, bool) else v for v in row.values()])


def export_parquet(reader: StudyReader, folder: Path) -> list[Path]:
    """Write trials, answers and scores as Parquet; return the files."""
    pyarrow, parquet = import_pyarrow()
    found = []
    for name, table in _tables(reader).items():
        path = folder / f"{name}.parquet"
        parquet.write_table(pyarrow.table({k: list(v) for k, v in table.columns.items()}), path)
        found.append(path)
    return found
