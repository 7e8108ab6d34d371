"""`robotix lab design`: what it prints, writes and refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

SHORT = ("lab", "design", "--task", "chess", "--evaluations", 12)


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_design_is_found_and_can_be_loaded(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "best"
    document = robotix.json(*SHORT, "--bounds", "up=0.5:0.7", "--weight", "reach=2", "--out", out)
    assert document["best"]["rating"] >= document["built"]["rating"]
    assert 0.5 <= document["best"]["values"]["up"] <= 0.7
    assert document["weights"]["reach"] == 2
    assert [each["task"] for each in document["best"]["tasks"]] == ["chess"]
    assert robotix.run("check", document["scene"])[0] == 0
    arm = robotix.json("lab", "stability", "--arm", out / "arm.urdf", "--samples", 100)
    assert arm["tip_angle_deg"] > 0
    text = robotix.text(*SHORT, "--vary", "up")
    assert "as built" in text and "clearance m" in text


def test_an_arm_from_a_file_stands_on_the_rail(robotix: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "best"
    document = robotix.json(*SHORT, "--mounting", "rail", "--out", out)
    scene = Path(document["scene"])
    assert robotix.run("check", scene)[0] == 0
    wrong = scene.read_text(encoding="utf-8").replace('"rail": true', '"rails": true')
    scene.write_text(wrong, encoding="utf-8")
    status, text, _ = robotix.run("check", scene)
    assert status == 1 and "rail: true, and tilt in rad" in text


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--bounds", "up"), "P=LOW:HIGH"),
        (("--bounds", "up=1"), "LOW:HIGH"),
        (("--bounds", "up=a:b"), "'a' is not a number"),
        (("--bounds", "up=0.8:0.4"), "low < high"),
        (("--weight", "beauty=1"), "reach, dexterity"),
        (("--vary", "tilt_deg"), "tilt_deg"),
        (("--mounting", "ceiling"), "ceiling"),
        (("--arm", "nobody"), "nobody"),
        (("--task", "juggling"), "juggling"),
    ],
)
def test_what_is_wrong_is_said(robotix: CommandLine, options: tuple[str, ...], words: str) -> None:
    status, _, error = robotix.run(*SHORT, *options)
    assert status in (1, 2)
    assert words in error
