"""The comparison kept in the folder of a study."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

import pytest

from robotix.errors import BadFile
from robotix.experiments.comparison.files import (
    COMPARISON_FILE,
    comparable,
    load_comparison,
    save_comparison,
)
from robotix.experiments.comparison.targets import TargetReach
from robotix.experiments.study.study_file import load_study

STUDY = """robotix: 1
study: Own
factors:
  arm: {levels: [kuka_lwr_rail, kuka_lwr, nobody]}
tasks: [chess, juggling]
"""


def test_what_is_saved_is_loaded_again(tmp_path: Path) -> None:
    nothing = math.nan
    found = [
        TargetReach("shelf", "kuka_lwr", "rail", 5, 4, 0.5, 0.1, 0.2),
        TargetReach("shelf", "kuka_lwr", "fixed", 5, 0, nothing, nothing, nothing),
    ]
    assert load_comparison(tmp_path) == ()
    save_comparison(tmp_path, found)
    again = load_comparison(tmp_path)
    assert [repr(asdict(each)) for each in again] == [repr(asdict(each)) for each in found]
    (tmp_path / COMPARISON_FILE).write_text("{}")
    with pytest.raises(BadFile, match="robotix lab arms --study"):
        load_comparison(tmp_path)


def test_own_tasks_and_unknown_arms_are_not_compared(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(STUDY)
    assert comparable(load_study(tmp_path)) == (["chess"], ["kuka_lwr"])
