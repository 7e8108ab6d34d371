"""What is kept for the next start is sound, or is not there."""

from pathlib import Path

import pytest

from robotix.files import user_cache
from robotix.files.user_cache import digest_of, keep, recall, user_cache_folder


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROBOTIX_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_was_kept_comes_back(folder: Path) -> None:
    assert user_cache_folder() == folder
    assert recall("looks", "a") is None
    keep("looks", "a", b"grey")
    assert recall("looks", "a") == b"grey"
    assert recall("looks", "b") is None and recall("yaml", "a") is None


@pytest.mark.parametrize("data", [b"", b"short", b"0" * 40])
def test_what_is_damaged_is_not_there(folder: Path, data: bytes) -> None:
    keep("looks", "a", b"grey")
    (folder / "looks" / "a").write_bytes(data)
    assert recall("looks", "a") is None


def test_what_belongs_to_somebody_else_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    keep("looks", "a", b"grey")
    monkeypatch.setattr(user_cache, "_is_own", lambda path: False)
    assert recall("looks", "a") is None


def test_where_nothing_can_be_written_nothing_is(folder: Path) -> None:
    folder.write_text("a file in its place")
    keep("looks", "a", b"grey")
    assert recall("looks", "a") is None


def test_the_oldest_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(user_cache, "MAX_FILES", 2)
    for name in "abcd":
        keep("looks", name, name.encode())
    assert len(list((folder / "looks").iterdir())) == 2
    assert recall("looks", "a") is None and recall("looks", "d") == b"d"


def test_keys_tell_parts_apart() -> None:
    assert digest_of([b"ab", b"c"]) != digest_of([b"a", b"bc"]) != digest_of([b"abc"])
