"""What was read ahead is used; a change counts soon, and what is recorded is what was used."""

from __future__ import annotations

from pathlib import Path

import pytest

from robotix.scene.read_ahead import ReadAhead


class Disk:
    """A file, and how often it was read."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "arm.urdf"
        self.now = 0.0
        self.n_read = 0
        self.write("first")

    def write(self, text: str) -> None:
        self.path.write_text(text)

    def read(self) -> str:
        self.n_read += 1
        text = self.path.read_text()
        if "bad" in text:
            raise ValueError(text)
        return text

    def contents(self, path: Path) -> dict[str, bytes]:
        return {path.name: path.read_bytes()}

    def ahead(self, *, max_age: float = 0.0) -> ReadAhead:
        made = ReadAhead(clock=lambda: self.now)
        made.max_age = max_age
        return made


@pytest.fixture
def disk(tmp_path: Path) -> Disk:
    return Disk(tmp_path)


def watched(disk: Disk, ahead: ReadAhead) -> None:
    """Read the file, as another thread does."""
    trial = disk.ahead()
    try:
        trial.keep(disk.path, disk.read)
    except ValueError:
        pass
    ahead.watch(trial, lambda path: [path], disk.contents)


def test_a_file_that_has_just_changed_is_used_as_it_was(disk: Disk) -> None:
    ahead = disk.ahead(max_age=2.0)
    watched(disk, ahead)
    disk.write("second")
    disk.now = 1.9
    assert ahead.contents(disk.path) == {"arm.urdf": b"first"}
    assert ahead.take(disk.path, disk.read) == "first" and disk.n_read == 1
    watched(disk, ahead)
    assert ahead.take(disk.path, disk.read) == "second" and disk.n_read == 2
    assert ahead.contents(disk.path) == {"arm.urdf": b"second"}


def test_after_some_time_nobody_relies_on_the_watch(disk: Disk) -> None:
    ahead = disk.ahead(max_age=2.0)
    watched(disk, ahead)
    disk.write("second")
    disk.now = 2.1
    assert ahead.contents(disk.path) is None
    assert ahead.take(disk.path, disk.read) == "second" and disk.n_read == 2


def test_without_a_watch_every_change_counts_at_once(disk: Disk) -> None:
    ahead = disk.ahead()
    watched(disk, ahead)
    assert ahead.take(disk.path, disk.read) == "first" and disk.n_read == 1
    disk.write("second")
    assert ahead.take(disk.path, disk.read) == "second"


def test_a_fault_is_raised_without_reading_again(disk: Disk) -> None:
    disk.write("bad")
    ahead = disk.ahead(max_age=2.0)
    watched(disk, ahead)
    assert ahead.is_faulty(disk.path) and ahead.has_fresh(disk.path)
    for _ in range(2):
        with pytest.raises(ValueError, match="bad"):
            ahead.take(disk.path, disk.read)
    assert disk.n_read == 1 and ahead.contents(disk.path) is None


def test_contents_that_do_not_belong_to_what_was_read_are_not_kept(disk: Disk) -> None:
    ahead, trial = disk.ahead(max_age=2.0), disk.ahead()
    trial.keep(disk.path, disk.read)
    disk.write("second")  # before its contents are read
    ahead.update(trial, disk.contents)
    assert ahead.take(disk.path, disk.read) == "first"
    ahead.update(trial, disk.contents)
    assert ahead.contents(disk.path) is None
