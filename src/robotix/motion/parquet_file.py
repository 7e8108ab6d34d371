"""Motions as Parquet, for data frames: the columns of the CSV file, markers in the metadata.

Reading needs the package pyarrow, as writing does: `pip install "robotix[tables]"`.
"""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np

from robotix.errors import BadFile
from robotix.motion.csv_file import TIME_COLUMN, read_column
from robotix.motion.motion import Marker, Motion
from robotix.motion.table_files import MissingPackage

__all__ = ["dump_parquet", "import_pyarrow", "load_parquet"]

MARKERS_KEY = b"robotix.markers"  # a JSON list of time and label


def import_pyarrow() -> tuple[Any, Any]:
    """Return the modules `pyarrow` and `pyarrow.parquet`, or raise MissingPackage."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingPackage("Parquet files", "pyarrow", "tables") from None
    return pyarrow, parquet


def dump_parquet(motion: Motion) -> bytes:
    """Return the whole file."""
    pyarrow, parquet = import_pyarrow()
    names = [TIME_COLUMN, *(f"{name} [{unit}]" for name, unit in motion.dofs)]
    columns = [motion.times, *np.ascontiguousarray(motion.q.T)]
    markers = json.dumps([list(marker) for marker in motion.markers])
    table = pyarrow.table(dict(zip(names, map(pyarrow.array, columns), strict=True)))
    sink = io.BytesIO()
    parquet.write_table(table.replace_schema_metadata({MARKERS_KEY: markers}), sink)
    return sink.getvalue()


def load_parquet(path: str, data: bytes) -> Motion:
    """Parse the bytes of a file; `path` is used in errors only."""
    pyarrow, parquet = import_pyarrow()
    try:
        table = parquet.read_table(io.BytesIO(data))
    except pyarrow.ArrowException as error:
        raise BadFile(path, f"no Parquet file ({error})", "a motion") from None
    names = table.column_names
    if names[:1] != [TIME_COLUMN]:
        found = f"first column {names[0]!r}" if names else "no columns"
        raise BadFile(path, found, f"a motion, whose first column is {TIME_COLUMN!r}")
    dofs = tuple(read_column(path, name) for name in names[1:])
    try:
        values = [np.asarray(column.to_numpy(), dtype=float) for column in table.columns]
        markers = json.loads((table.schema.metadata or {}).get(MARKERS_KEY, b"[]"))
        q = np.reshape(values[1:], (len(dofs), -1)).T
        return Motion(dofs, values[0], q, tuple(Marker(float(t), str(name)) for t, name in markers))
    except (ValueError, TypeError) as error:
        raise BadFile(path, str(error), "a motion: finite numbers, at increasing times") from None
