from __future__ import annotations

import csv
from pathlib import Path

import pytest
from support.small_study import make_study

from robotix.experiments.export.tables import export_csv, export_parquet
from robotix.experiments.store.reading import StudyReader


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_study(tmp_path_factory.mktemp("study"), operators=2)


def read(path: Path) -> list[dict[str, str]]:
    with path.open() as file:
        return list(csv.DictReader(file))


def test_one_row_a_trial_and_one_column_a_factor(study: Path, tmp_path: Path) -> None:
    with StudyReader(study) as reader:
        trials, answers, scores = export_csv(reader, tmp_path)
    rows = read(trials)
    assert len(rows) == 4 * 12
    names = ["participant", "task", "repeat", "status", "duration", "errors", "arm"]
    assert list(rows[0])[:7] == names
    assert {row["arm"] for row in rows} == {"kuka_lwr", "amtec_ulwr", "mitsubishi_pa10"}
    assert len(read(answers)) == 2 * 3 * 10 + 2 * 3  # SUS after each block, importance at the end
    assert len(read(scores)) == 2 * 3


def test_parquet_holds_the_same(study: Path, tmp_path: Path) -> None:
    from pyarrow import parquet

    with StudyReader(study) as reader:
        trials, *_ = export_parquet(reader, tmp_path)
    table = parquet.read_table(trials)
    assert table.num_rows == 48
    assert table.column("duration").type == "double"
