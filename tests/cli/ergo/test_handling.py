"""`robotix ergo composite`, `lm-mmh` and `lifft`."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

FIRST = "load=12,horizontal=0.4,vertical=0.5,distance=0.6,frequency=2"
SECOND = (
    "load=8,horizontal=0.3,vertical=1.0,distance=0.3,frequency=1,asymmetry-deg=30,coupling=fair"
)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def test_composite(line: CommandLine, tmp_path: Path) -> None:
    answer = line.json("ergo", "composite", "--lift", FIRST, "--lift", SECOND)
    assert answer["cli"] > answer["lifts"][0]["li"] > answer["lifts"][1]["li"]
    table = tmp_path / "lifts.csv"
    table.write_text(
        "load,horizontal,vertical,distance,frequency,asymmetry_deg,coupling\n"
        "12,0.4,0.5,0.6,2,,\n8,0.3,1.0,0.3,1,30,fair\n"
    )
    assert line.json("ergo", "composite", "--table", table)["cli"] == answer["cli"]
    assert "composite lifting index" in line.text("ergo", "composite", "--table", table)
    us = line.text(
        "ergo",
        "composite",
        "--us",
        "--lift",
        "load=30,horizontal=10,vertical=30,distance=10",
    )
    assert "30 lb" in us


@pytest.mark.parametrize(
    "options, status, words",
    [
        ((), 2, "give lifts by --lift or by --table"),
        (("--lift", "load"), 2, "expected NAME=VALUE"),
        (("--lift", "load=1,depth=2"), 2, "no 'depth' in a lift; known: load, horizontal"),
        (("--lift", "load=1,horizontal=0.3,vertical=1"), 2, "a lift needs distance"),
        (("--lift", FIRST.replace("12", "a")), 2, "load must be a number, got 'a'"),
        (("--lift", FIRST.replace("12", "-1")), 1, "load must be a finite number"),
        (("--table", "nosuch.csv"), 1, "a table of lifts as text"),
    ],
)
def test_bad_lifts(line: CommandLine, options: tuple[str, ...], status: int, words: str) -> None:
    found, _, err = line.run("ergo", "composite", *options)
    assert found == status
    assert words in " ".join(err.replace("│", " ").split())


def test_a_bad_row_is_named(line: CommandLine, tmp_path: Path) -> None:
    table = tmp_path / "lifts.csv"
    table.write_text("load,horizontal,vertical,distance\n12,0.4,0.5,0.6\n12,0.4,high,0.6\n")
    status, _, err = line.run("ergo", "composite", "--table", table)
    assert status == 1 and ":3" in err and "vertical must be a number" in err


def test_lm_mmh(line: CommandLine) -> None:
    given = ("lift", "--load", 12, "--frequency", 1, "--horizontal", 0.38, "--start", 0.775)
    answer = line.json("ergo", "lm-mmh", *given, "--end", 1.285)
    assert answer["women"]["percent"] == pytest.approx(81.0, abs=0.05)
    assert answer["women"]["for_75_percent"] == pytest.approx(12.83, abs=0.01)
    assert answer["men"]["percent"] > 99 and answer["verdict"]["level"] == 1
    close = line.json("ergo", "lm-mmh", *given, "--end", 1.285, "--horizontal", 0.22)
    assert close["men"] is None
    words = line.text("ergo", "lm-mmh", *given, "--end", 1.285, "--horizontal", 0.22)
    assert "men: outside of the range" in words


def test_lm_mmh_forces_and_us_units(line: CommandLine) -> None:
    given = ("push_start", "--height", 1, "--distance", 20, "--frequency", 0.25)
    push = line.json("ergo", "lm-mmh", *given, "--force", 30 * 9.80665)
    assert push["men"]["for_75_percent"] == pytest.approx(30.02, abs=0.01)
    assert push["men"]["percent"] == pytest.approx(75, abs=0.2)
    assert "75 % accept 294 N" in line.text("ergo", "lm-mmh", *given, "--force", 220)
    inches = ("carry", "--us", "--height", 34, "--distance", 200, "--frequency", 1)
    carry = line.json("ergo", "lm-mmh", *inches, "--load", 30)
    metric = line.json(
        "ergo",
        "lm-mmh",
        *("carry", "--height", 34 * 0.0254, "--distance", 200 * 0.0254, "--frequency", 1),
        *("--load", 30 * 0.45359237),
    )
    assert carry["women"]["percent"] == pytest.approx(metric["women"]["percent"])
    assert " lb; " in line.text("ergo", "lm-mmh", *inches, "--load", 30)


def test_lm_mmh_used_wrongly(line: CommandLine) -> None:
    status, _, err = line.run("ergo", "lm-mmh", "push_on", "--frequency", 1, "--load", 10)
    assert status == 2 and "push_on needs --force" in err
    status, _, err = line.run("ergo", "lm-mmh", "shove", "--frequency", 1)
    assert status == 2
    given = ("lift", "--load", 12, "--frequency", 1, "--horizontal", 0.9, "--end", 1)
    status, _, err = line.run("ergo", "lm-mmh", *given)
    assert status == 1 and "reach for women must be from 0.2 to 0.68 m" in err


def test_lifft(line: CommandLine) -> None:
    answer = line.json("ergo", "lifft", "--us", "--lift", "load=30,arm=16,per_day=760")
    assert answer["probability"] == pytest.approx(0.40, abs=0.01)
    assert answer["lifts"][0]["moment"] == pytest.approx(54.2, abs=0.1)
    assert answer["lifts"][0]["share"] == 1
    words = line.text("ergo", "lifft", "--lift", "load=13,arm=0.4,per_day=400")
    assert "damage 0.0042 a day; 33 % probability" in words


def test_a_frequency_is_needed(line: CommandLine) -> None:
    status, _, err = line.run("ergo", "lm-mmh", "lift", "--load", 10)
    assert status == 2 and "--frequency" in err
