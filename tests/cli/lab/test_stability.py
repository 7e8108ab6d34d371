"""`robotix lab stability`: what it prints and draws."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

QUICK = ("lab", "stability", "--samples", 5000)


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_posture_is_found_and_drawn(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "map.svg"
    document = robotix.json(*QUICK, "--no-person", "--no-anti-tip", "--out", out)
    assert document["tip_angle_deg"] < 0
    assert document["margin"] < 0
    assert not document["stable"]
    assert len(document["q"]) == 8
    assert out.read_text(encoding="utf-8").startswith("<svg")
    status, _, error = robotix.run(*QUICK, "--out", out)
    assert status == 1
    assert "is there already" in error


def test_text_names_the_verdict_and_the_mountings(robotix: CommandLine) -> None:
    text = robotix.text(*QUICK, "--arm", "amtec_ulwr", "--payload", 2, "--mountings")
    assert "stands everywhere" in text
    assert "rail_tilt" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--payload", -1), "payload"),
        (("--arm", "nobody"), "nobody"),
        (("--tilt-deg", 80), "tilt"),
        (("--chair-mass", 0), "mass of the chair"),
    ],
)
def test_bad_values_are_named(
    robotix: CommandLine, options: tuple[object, ...], words: str
) -> None:
    status, _, error = robotix.run(*QUICK, *options)
    assert status == 1
    assert words in error
