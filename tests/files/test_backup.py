"""What a command replaces stays as a backup, unless nothing changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.files.backup import keep_backups


def test_a_file_that_is_replaced_stays_as_a_backup(tmp_path: Path) -> None:
    out = tmp_path / "map.csv"
    for text in ("one", "two", "two", "three"):
        with keep_backups(out) as path:
            path.write_text(text)
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        "map.csv": "three",
        "map.csv.bak": "one",
        "map.csv.bak2": "two",
    }


def test_files_of_a_folder_are_kept_one_by_one(tmp_path: Path) -> None:
    out = tmp_path / "new" / "results"
    for text in ("one", "two"):
        with keep_backups(out, is_folder=True) as folder:
            (folder / "report.json").write_text(text)
            (folder / "same.csv").write_text("same")
    (out / "mine.txt").write_text("mine")
    assert {path.name: path.read_text() for path in out.iterdir()} == {
        "report.json": "two",
        "report.json.bak": "one",
        "same.csv": "same",
        "mine.txt": "mine",
    }


def test_after_an_error_all_is_as_it_was(tmp_path: Path) -> None:
    out = tmp_path / "map.csv"
    out.write_text("mine")
    with pytest.raises(ValueError, match="no"), keep_backups(out) as path:
        path.write_text("half")
        raise ValueError("no")
    assert out.read_text() == "mine" and len(list(tmp_path.iterdir())) == 1


def test_who_writes_says_what_is_wrong_with_the_path(tmp_path: Path) -> None:
    with keep_backups(tmp_path) as path:
        assert path == tmp_path
    with keep_backups(tmp_path / "missing" / "map.csv") as path:
        assert path == tmp_path / "missing" / "map.csv"
