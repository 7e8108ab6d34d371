"""`robotix lab`: what it prints and writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_new_study_is_written_once(robotix: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    assert "robotix lab pilot" in robotix.text("lab", "new", folder)
    assert "study: Two arms" in (folder / "study.yaml").read_text()
    status, _, error = robotix.run("lab", "new", folder, "--example")
    assert status == 2 and "exists already" in error
