"""`robotix ergo rsi`, `duet` and `shoulder`."""

from __future__ import annotations

import pytest
from support.command_line import CommandLine

EFFORT = "intensity=0.2,per_minute=5,seconds=3,wrist_deg=-5,hours=4"


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def test_rsi(line: CommandLine) -> None:
    answer = line.json("ergo", "rsi", "--effort", EFFORT)
    assert answer["name"] == "RSI" and answer["index"] == pytest.approx(3.95875, abs=1e-4)
    assert answer["efforts"][0]["posture"] == pytest.approx(1.0552, abs=1e-4)
    words = line.text("ergo", "rsi", "--effort", EFFORT, "--effort", EFFORT)
    assert "COSI" in words and "unverified" in words
    day = line.json("ergo", "rsi", "--effort", EFFORT + ",task=a", "--effort", EFFORT + ",task=b")
    assert day["name"] == "CUSI" and set(day["tasks"]) == {"a", "b"}


def test_duet(line: CommandLine) -> None:
    answer = line.json("ergo", "duet", "--exertion", "rating=2,per_day=5400")
    assert answer["damage"] == pytest.approx(0.0074, abs=5e-5)
    assert answer["probability"] == pytest.approx(0.265, abs=5e-4)
    assert "26.5 %" in line.text("ergo", "duet", "--exertion", "rating=2,per_day=5400")


def test_shoulder(line: CommandLine) -> None:
    answer = line.json("ergo", "shoulder", "--task", "force=9,arm=0.41,per_day=2880")
    assert answer["damage"] == pytest.approx(0.00441, abs=5e-6)  # [BaniHani2021], figure 8
    assert answer["tasks"][0]["moment"] == pytest.approx(11.5, abs=0.06)
    us = line.json("ergo", "shoulder", "--us", "--task", "force=20,arm=16,per_day=96,kind=push")
    assert us["tasks"][0]["moment"] == pytest.approx(20 * 4.4482216 * 16 * 0.0254, rel=1e-6)
    words = ("--task", "force=22.5,arm=0.46,per_day=4800", "--task", "force=4,arm=0.4,per_day=9")
    assert "elevated risk" in line.text("ergo", "shoulder", *words)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("rsi",), 2, "--effort"),
        (("rsi", "--effort", "intensity=0.2"), 2, "needs per_minute"),
        (("rsi", "--effort", "strength=1"), 2, "no 'strength' in an effort; known: intensity"),
        (("rsi", "--effort", "intensity=x,per_minute=1,seconds=1"), 2, "must be a number"),
        (("rsi", "--effort", "intensity=2,per_minute=1,seconds=1"), 1, "from 0 to 1"),
        (("duet", "--exertion", "rating=2.5,per_day=3"), 1, "whole number from 0 to 10, got 2.5"),
        (("shoulder", "--task", "force=9,arm=0.4"), 2, "a task needs per_day"),
        (("shoulder", "--task", "force=9,arm=40,per_day=1"), 1, "from 0 to 1.2 m"),
    ],
)
def test_wrong_use(line: CommandLine, words: tuple[str, ...], status: int, message: str) -> None:
    found, _, err = line.run("ergo", *words)
    assert found == status and message in err
