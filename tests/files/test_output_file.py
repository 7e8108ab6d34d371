"""Files to write: checked first, complete or not there."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.files.output_file import atomic_file, check_new_file, check_writable

UNWRITABLE = Path("/proc")  # for root, too


def test_a_file_gets_its_name_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("old")
    with atomic_file(path) as partial:
        partial.write_text("new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


def test_after_an_error_nothing_changes(tmp_path: Path) -> None:
    path = tmp_path / "data.txt"
    path.write_text("old")
    with pytest.raises(KeyError), atomic_file(path) as partial:
        partial.write_text("half")
        raise KeyError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.skipif(not UNWRITABLE.is_dir(), reason="needs a folder that nobody can write to")
def test_an_error_names_the_file_that_was_asked_for() -> None:
    path = UNWRITABLE / "data.txt"
    with pytest.raises(OSError) as caught, atomic_file(path) as partial:
        partial.write_text("new")
    assert caught.value.filename == str(path)
    for check in (check_writable, check_new_file):
        with pytest.raises(OSError, match="cannot be written to") as caught:
            check(path)
        assert caught.value.filename == str(path)


def test_what_is_wrong_is_said_before_the_work(tmp_path: Path) -> None:
    check_new_file(tmp_path / "new.txt")
    check_writable(tmp_path / "new.txt")
    assert not list(tmp_path.iterdir())  # nothing is left of the check
    with pytest.raises(FileExistsError, match="choose a new name"):
        check_new_file(tmp_path)
    for check in (check_new_file, check_writable):
        with pytest.raises(ValueError, match=r"there is no folder .*none; make it first"):
            check(tmp_path / "none" / "new.txt")
