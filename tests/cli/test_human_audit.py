"""`robotix human audit`."""

from __future__ import annotations

import pytest
from support.command_line import CommandLine


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_table_of_tasks_and_bodies(line: CommandLine) -> None:
    answer = line.json("human", "audit", "stand_up", "--percentiles", "50", "--sexes", "f")
    (row,) = answer["rows"]
    assert row["task"] == "stand_up" and row["success"] is True
    assert 0 <= row["zmp_outside"] < 0.2 and row["acceleration_ratio"] < 1
    text = line.text("human", "audit", "stand_up", "--percentiles", "50", "--sexes", "f")
    assert text.splitlines()[0].split()[:2] == ["task", "body"]
    assert "of 1 are feasible" in text


def test_unknown_tasks_and_bodies_are_refused(line: CommandLine) -> None:
    assert "jump" in "".join(line.run("human", "audit", "jump")[1:])
    assert "--sexes" in "".join(line.run("human", "audit", "walk", "--sexes", "x")[1:])
    assert "numbers" in "".join(line.run("human", "audit", "walk", "--percentiles", "a")[1:])
