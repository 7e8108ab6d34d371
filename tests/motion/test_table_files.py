"""Tables into files and back, to the last bit."""

import csv
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from robotix.motion.table_files import MissingPackage, save_table

COLUMNS: dict[str, Any] = {
    "time [s]": np.array([0.0, 0.1, 0.2]),
    "compression [N]": [3400.1, np.nan, 1e-300],
    "level": np.array([1, 2, 3]),
    "who": ["woman, small", 'man "tall"', "Größe"],
    "is_balanced": np.array([True, False, True]),
}


def test_csv_keeps_every_number_and_word(tmp_path: Path) -> None:
    save_table(tmp_path / "a.csv", COLUMNS)
    with (tmp_path / "a.csv").open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == list(COLUMNS)
    assert [row[1] for row in rows] == ["3400.1", "", "1e-300"]
    assert [row[3] for row in rows] == COLUMNS["who"]
    assert [row[2] for row in rows] == ["1", "2", "3"]
    assert [row[4] for row in rows] == ["True", "False", "True"]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=20))
def test_csv_numbers_come_back_exactly(tmp_path_factory: Any, values: list[float]) -> None:
    path = tmp_path_factory.mktemp("tables") / "a.csv"
    save_table(path, {"x [m]": values, "y [m]": values})
    lines = path.read_text().splitlines()[1:]
    assert [float(line.split(",")[1]) for line in lines] == values


def test_parquet_keeps_types_and_makes_unknown_null(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    save_table(tmp_path / "a.parquet", COLUMNS)
    read = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert read["compression [N]"] == [3400.1, None, 1e-300]
    assert read["who"] == COLUMNS["who"]
    assert read["level"] == [1, 2, 3] and read["is_balanced"] == [True, False, True]


def test_parquet_without_pyarrow_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackage, match=r"pip install 'robotix\[tables\]'") as caught:
        save_table(tmp_path / "a.parquet", COLUMNS)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "columns", "message"),
    [
        ("a.txt", COLUMNS, r"called \.csv or \.parquet, not '\.txt'"),
        ("none/a.csv", COLUMNS, "make it first"),
        ("a.csv", {}, "at least one column"),
        ("a.csv", {"a": [1.0], "b": [1.0, 2.0]}, r"'b' has the shape \(2,\), others \(1,\)"),
        ("a.csv", {"a": np.zeros((2, 3))}, "has the shape"),
    ],
)
def test_refusals_leave_nothing_behind(
    tmp_path: Path, name: str, columns: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        save_table(tmp_path / name, columns)
    assert list(tmp_path.iterdir()) == []


def test_an_old_file_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("old\n" * 1000)
    save_table(path, {"x": [1]})
    assert path.read_text() == "x\n1\n"
