"""`robotix lab arms` and `robotix lab sensitivity`: what they print and refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_an_arm_is_compared_over_all_tasks(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "arms.svg"
    document = robotix.json("lab", "arms", "--arm", "kuka_lwr", "--out", out)
    rows = {(each["task"], each["mounting"]): each for each in document["targets"]}
    assert len(rows) == 4 * 3
    assert rows["books", "rail"]["reached"] == rows["books", "rail"]["points"] == 24
    assert out.read_text(encoding="utf-8").startswith("<svg")
    status, _, error = robotix.run("lab", "arms", "--arm", "kuka_lwr", "--out", out)
    assert status == 1
    assert "is there already" in error


def test_unknown_names_are_refused(robotix: CommandLine) -> None:
    status, _, error = robotix.run("lab", "arms", "--arm", "nobody")
    assert status == 1
    assert "nobody" in error
    status, _, error = robotix.run("lab", "sensitivity", "juggling")
    assert status == 1
    assert "juggling" in error
