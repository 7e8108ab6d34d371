"""`robotix human audit`."""

from __future__ import annotations

import pytest
from support.command_line import CommandLine

KEYS = (
    "zmp_outside", "com_margin", "cop_margin", "acceleration_ratio", "self_penetration", "speed",
    "sway", "success",
)  # fmt: skip


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_table_of_tasks_and_bodies(line: CommandLine) -> None:
    answer = line.json("human", "audit", "stand_up", "--percentiles", "50", "--sexes", "f")
    assert list(answer["tasks"]) == ["stand_up"] and list(answer["tasks"]["stand_up"]) == ["f50"]
    row = answer["tasks"]["stand_up"]["f50"]
    assert set(KEYS) <= set(row)
    assert row["success"] == (not row["problems"])
    assert 0 <= row["zmp_outside"] < 0.2 and row["acceleration_ratio"] < 1
    assert row["speed"] is None and row["sway"] is None  # nobody steps
    text = line.text("human", "audit", "stand_up", "--percentiles", "50", "--sexes", "f")
    assert text.splitlines()[0].split()[:2] == ["task", "body"]
    assert "of 1 succeed" in text


def test_unknown_tasks_and_bodies_are_refused(line: CommandLine) -> None:
    assert "jump" in "".join(line.run("human", "audit", "jump")[1:])
    assert "--sexes" in "".join(line.run("human", "audit", "walk", "--sexes", "x")[1:])
    assert "numbers" in "".join(line.run("human", "audit", "walk", "--percentiles", "a")[1:])
