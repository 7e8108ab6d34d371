"""Tables of sensitivity beside a study, so that its report can show them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from robotix.errors import BadFile
from robotix.experiments.sensitivity import SensitivityRow, SensitivityTable
from robotix.files.json_text import to_plain

__all__ = ["SENSITIVITY_FILE", "load_sensitivity", "save_sensitivity"]

SENSITIVITY_FILE = "sensitivity.json"


def save_sensitivity(folder: str | Path, tables: Sequence[SensitivityTable]) -> Path:
    """Write tables into the folder of a study; those of other tasks are kept."""
    known = {table.task: table for table in (*load_sensitivity(folder), *tables)}
    path = Path(folder) / SENSITIVITY_FILE
    document = {"tables": [to_plain(asdict(table)) for table in known.values()]}
    path.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
    return path


def load_sensitivity(folder: str | Path) -> tuple[SensitivityTable, ...]:
    """Return the tables in the folder of a study; none if there is no file."""
    path = Path(folder) / SENSITIVITY_FILE
    if not path.exists():
        return ()
    try:
        tables = json.loads(path.read_text(encoding="utf-8"))["tables"]
        return tuple(_table(each) for each in tables)
    except (ValueError, KeyError, TypeError) as error:
        expected = "tables by `robotix lab sensitivity`; delete it to run that again"
        raise BadFile(str(path), f"unreadable ({error})", expected) from error


def _table(plain: Mapping[str, Any]) -> SensitivityTable:
    rows = tuple(
        SensitivityRow(
            str(row["change"]),
            _numbers(row["scores"], math.inf),
            _numbers(row["means"], math.nan),
            tuple(row["ranking"]),
            bool(row["is_turned"]),
        )
        for row in plain["rows"]
    )
    return SensitivityTable(
        str(plain["task"]),
        int(plain["operators"]),
        int(plain["seed"]),
        float(plain["time_limit"]),
        rows,
    )


def _numbers(plain: Mapping[str, float | None], missing: float) -> dict[str, float]:
    return {name: missing if value is None else float(value) for name, value in plain.items()}
