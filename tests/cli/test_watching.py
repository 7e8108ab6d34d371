"""Files of a scene that are saved while it runs."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from support.command_line import CommandLine

from robotix.cli.watching import FileWatch


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "room.yaml"
    file.write_text("robotix: 1\n")
    return file


def _save(file: Path, text: str) -> None:
    """Write a file, with a time that differs from the last one on every file system."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_text(text)
    os.utime(file, ns=(before + 10**9, before + 10**9))


def test_a_saved_file_is_seen_once(scene: Path) -> None:
    watch = FileWatch(scene)
    assert not watch.has_changed()
    _save(scene, "robotix: 1\nname: Other\n")
    assert watch.has_changed()
    assert not watch.has_changed()


def test_files_beside_the_scene_count_but_not_what_a_run_writes(scene: Path) -> None:
    watch = FileWatch(scene)
    (scene.parent / "taught.csv").write_text("0, 1\n")
    (scene.parent / "take.mcap").write_bytes(b"")
    assert not watch.has_changed()
    (scene.parent / "parts").mkdir()
    _save(scene.parent / "parts" / "arm.urdf", "<robot/>")
    assert watch.has_changed()
    (scene.parent / "parts" / "arm.urdf").unlink()
    assert watch.has_changed()


@pytest.mark.parametrize(
    "arguments", [("run", "--watch"), ("run", "room.yaml", "--watch", "--headless")]
)
def test_what_cannot_be_watched_is_refused(
    arguments: tuple[str, ...],
    scene: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(scene.parent)
    status, _, err = CommandLine(monkeypatch, capsys).run(*arguments)
    assert status == 2
    assert "--watch" in err
