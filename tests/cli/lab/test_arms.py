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


SMALL = """robotix: 1
study: One arm
factors:
  device: {levels: [joystick, gamepad]}
settings: {arm: kuka_lwr}
tasks: [chess]
"""


def test_a_report_has_the_comparison_beside_the_trials(
    robotix: CommandLine, tmp_path: Path
) -> None:
    (tmp_path / "study.yaml").write_text(SMALL)
    runner = ("--runner", "support.stand_in_trials:run_trial", "--jobs", 1)
    page = Path(robotix.json("lab", "pilot", tmp_path, "--operators", 2, *runner)["report"])
    assert "Arms and mountings without trials" in page.read_text()
    assert "2 of 2" in page.read_text()
    assert (page.parent / "figures" / "arms_and_mountings.pdf").is_file()
    kept = (tmp_path / "comparison.json").read_text()
    out = tmp_path / "arms.pdf"
    assert "kept in" in robotix.text("lab", "arms", "--study", tmp_path, "--out", out)
    assert (tmp_path / "comparison.json").read_text() == kept  # the same seed, the same numbers
    assert out.read_bytes().startswith(b"%PDF")
    status, _, error = robotix.run("lab", "arms", "--out", tmp_path / "arms.png")
    assert status == 2 and ".svg or .pdf" in error


def test_unknown_names_are_refused(robotix: CommandLine) -> None:
    status, _, error = robotix.run("lab", "arms", "--arm", "nobody")
    assert status == 1
    assert "nobody" in error
    status, _, error = robotix.run("lab", "sensitivity", "juggling")
    assert status == 1
    assert "juggling" in error
