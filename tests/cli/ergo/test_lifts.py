"""`robotix ergo rnle` and `iso-lift`."""

from __future__ import annotations

import pytest
from support.command_line import CommandLine

LIFT = ("--load", 15, "--horizontal", 0.3, "--vertical", 0.25, "--distance", 0.5)


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("COLUMNS", "120")
    return CommandLine(monkeypatch, capsys)


def test_rnle_in_us_units(line: CommandLine) -> None:
    """Example 1 of the manual, at the destination: 14.5 lb, index 3.0."""
    given = ("--us", "--load", 44, "--horizontal", 23, "--vertical", 63, "--distance", 48)
    answer = line.json("ergo", "rnle", *given, "--coupling", "fair")
    assert answer["rwl_lb"] == pytest.approx(14.5, rel=0.015)  # printed: rounded multipliers
    assert answer["rwl"] == pytest.approx(answer["rwl_lb"] * 0.45359237)
    assert answer["li"] == pytest.approx(3.0, abs=0.08)
    assert "14.3 lb, lifting index 3.08" in line.text("ergo", "rnle", *given, "--coupling", "fair")


def test_iso_lift(line: CommandLine) -> None:
    answer = line.json("ergo", "iso-lift", *LIFT, "--sex", "m", "--age", 50)
    assert answer["reference_mass"] == 20 and answer["li"] == pytest.approx(1.17, abs=0.02)
    both = line.json("ergo", "iso-lift", *LIFT, "--sex", "m", "--persons", 2, "--one-hand")
    assert both["mass"] == 7.5
    assert (both["multipliers"]["PM"], both["multipliers"]["OM"]) == (0.85, 0.6)
    assert "red" in line.text("ergo", "iso-lift", *LIFT, "--sex", "f")


def test_both_share_their_options(line: CommandLine) -> None:
    """For a young man ISO takes 25 kg where NIOSH takes 23, all else equal."""
    given = (*LIFT, "--frequency", 3, "--hours", 2, "--coupling", "fair", "--asymmetry-deg", 30)
    niosh = line.json("ergo", "rnle", *given)
    iso = line.json("ergo", "iso-lift", *given, "--sex", "m")
    assert iso["mass_limit"] == pytest.approx(niosh["rwl"] * 25 / 23)
    same = {name: iso["multipliers"][name] for name in niosh["multipliers"]}
    assert same == niosh["multipliers"]


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (("rnle",), 2, "--load"),
        (("iso-lift", *LIFT, "--sex", "x"), 2, "--sex is f or m"),
        (("iso-lift", *LIFT, "--sex", "f", "--persons", 4), 1, "1 or 2 persons"),
    ],
)
def test_wrong_use(line: CommandLine, words: tuple[object, ...], status: int, message: str) -> None:
    found, _, err = line.run("ergo", *words)
    assert found == status and message in err
