"""`robotix ergo job`, and who signs a report."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

DAY = """
title = "Line 3"
analyst = "E. Muster"
language = "de"
[body]
sex = "f"
[[task]]
name = "Rise"
what = "stand_up"
frequency = 1
[[task]]
what = "reach"
load = 1.5
[task.set]
distance = 0.5
"""


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "day.toml"
    path.write_text(DAY)
    return path


def test_a_day(line: CommandLine, file: Path) -> None:
    out = file.parent / "out"
    answer = line.json("ergo", "job", file, "--out", out)
    assert list(answer["tasks"]) == ["Rise", "reach"]
    assert answer["damage"] > 0 and answer["cli"] is None
    page = (out / "report.html").read_text()
    assert "Line 3" in page and "E. Muster" in page and "Unterschriften" in page
    text = line.text("ergo", "job", file)
    assert "Rise" in text and "LiFFT over the day" in text


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "missing required field `task`"),
        ("task = []", "no task"),
        ("[[task]]\nwhat = 1", "Expected `str`"),
        ("[[task", "a working day"),
        ('[[task]]\nwhat = "lift"\nlod = 3', "'lod'"),
        ('[body]\nsize = 3\n[[task]]\nwhat = "lift"', "'size'"),
        ('[[task]]\nwhat = "jump"', "task or motion file"),
    ],
)
def test_bad_days(line: CommandLine, tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "day.toml"
    path.write_text(text)
    status, _, err = line.run("ergo", "job", path)
    assert status == 1 and words in " ".join(err.split())


def test_a_missing_file(line: CommandLine) -> None:
    status, _, err = line.run("ergo", "job", "nosuch.toml")
    assert status == 1 and "nosuch.toml" in err


def test_a_signed_report(line: CommandLine, tmp_path: Path) -> None:
    line.text(
        *("ergo", "stand_up", "--out", tmp_path / "r", "--analyst", "E. M.", "--workplace", "Hall"),
        *("--date", "today", "--title", "Rising", "--language", "de"),
    )
    page = (tmp_path / "r" / "report.html").read_text()
    for words in (
        "<h1>Rising</h1>",
        "E. M.",
        "Hall",
        "today",
        "Unterschriften",
        "Was es annehmbar",
    ):
        assert words in page


def test_details_need_a_report(line: CommandLine, tmp_path: Path) -> None:
    for option in (("--analyst", "A"), ("--language", "de"), ("--photo", "a.jpg"), ("--parquet",)):
        status, _, err = line.run("ergo", "stand_up", *option)
        assert status == 2 and f"{option[0]} says what to write" in " ".join(err.split())
    status, _, err = line.run("ergo", "stand_up", "--out", tmp_path, "--language", "fr")
    assert status == 2 and "en or de" in err
    status, _, err = line.run("ergo", "stand_up", "--out", tmp_path, "--photo", "nosuch.jpg")
    assert status == 1 and "photograph" in err
