"""Saving of tables: `.csv` for spreadsheets, `.parquet` for data frames.

The name of a column contains its unit, `compression [N]`. Numbers are written in full, so that
reading returns the same bits; NaN becomes an empty cell, or null in Parquet. Parquet needs
the package pyarrow, which comes with `pip install "robotix[tables]"`.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.errors import RobotixError
from robotix.files.output_file import atomic_file

__all__ = ["MissingPackage", "save_table"]

SUFFIXES = (".csv", ".parquet")


class MissingPackage(RobotixError, ImportError):
    """An optional package that is needed is not installed."""

    def __init__(self, what: str, package: str, extra: str) -> None:
        super().__init__(what, package, extra)

    def __str__(self) -> str:
        what, package, extra = self.args
        return f"{what} need the package {package}; install it with pip install 'robotix[{extra}]'"


def save_table(path: str | Path, columns: Mapping[str, ArrayLike]) -> None:
    """Write columns of one length, (N,), to a file, replacing an existing one.

    Raises:
        ValueError: The suffix is neither `.csv` nor `.parquet`, the folder does not exist, or
            the columns differ in length.
        MissingPackage: The file is Parquet, and pyarrow is not installed.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"{path}: a table is called {' or '.join(SUFFIXES)}, not {suffix!r}")
    checked = _checked(columns)
    data = _dump_csv(checked) if suffix == ".csv" else _dump_parquet(checked)
    with atomic_file(path) as partial:
        partial.write_bytes(data)


def _checked(columns: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
    """Return the columns as arrays of one length."""
    arrays = {name: np.asarray(values) for name, values in columns.items()}
    if not arrays:
        raise ValueError("a table needs at least one column, got none")
    count = next(iter(arrays.values())).size
    for name, values in arrays.items():
        if values.shape != (count,):
            raise ValueError(f"column {name!r} has the shape {values.shape}, others ({count},)")
    return arrays


def _dump_csv(columns: Mapping[str, NDArray[Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    cells = [[_cell(value) for value in values.tolist()] for values in columns.values()]
    writer.writerows(zip(*cells, strict=True))
    return text.getvalue().encode()


def _cell(value: Any) -> Any:
    """Return the text of a cell: numbers in full, empty for NaN and None."""
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return "" if value is None else value


def _dump_parquet(columns: Mapping[str, NDArray[Any]]) -> bytes:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise MissingPackage("Parquet files", "pyarrow", "tables") from None
    # through lists of Python's own values, so that NaN and None both become nulls
    table = pyarrow.table(
        {name: pyarrow.array(values.tolist(), from_pandas=True) for name, values in columns.items()}
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink)
    return sink.getvalue()
