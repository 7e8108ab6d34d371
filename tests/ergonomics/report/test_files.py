"""Saved reports."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.assessed import man, stooped

from robotix.ergonomics import assess, held, save_report
from robotix.kinematics import Posture


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    posture = assess(held(Posture(man().model, stooped(man())), man(), load=5))
    written = save_report(tmp_path / "new" / "folder", posture, parquet=True)
    names = sorted(path.name for path in written)
    assert names == ["curves.csv", "curves.parquet", "report.html", "summary.json"]
    assert all(path.is_file() for path in written)
    answer = json.loads((tmp_path / "new" / "folder" / "summary.json").read_text())
    assert answer["body"].startswith("male")
