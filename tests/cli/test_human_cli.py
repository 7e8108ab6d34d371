"""`robotix human`: what it tells, what it writes, how it refuses."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from robotix.cli import main
from robotix.motion import load_motion

KEYS = ("cop_margin", "foot_slip", "limit_violation", "penetration", "duration", "success")


class Robotix:
    """The command line, called in this process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def run(self, *arguments: object) -> tuple[int, str, str]:
        """Return exit status, stdout and stderr."""
        self.monkeypatch.setattr(sys, "argv", ["robotix", "human", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main.main()
        out, err = self.capsys.readouterr()
        return int(stop.value.code or 0), out, err


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Robotix:
    monkeypatch.setenv("COLUMNS", "120")
    return Robotix(monkeypatch, capsys)


def test_json_holds_the_figures(robotix: Robotix) -> None:
    status, out, _ = robotix.run("stand_up", "--sex", "f", "--percentile", 5, "--json")
    document: dict[str, Any] = json.loads(out)
    assert status == 0 and set(KEYS) <= set(document)
    assert document["success"] is True and document["cop_margin"] > 0
    assert document["foot_slip"] < 1e-3 and document["limit_violation"] == 0
    assert document["body"].startswith("female, 1.5")


def test_words_tell_the_same(robotix: Robotix) -> None:
    status, out, _ = robotix.run("sit_down", "--stature", 1.8, "--mass", 80)
    assert status == 0
    for word in ("balance margin", "slip", "penetration", "duration", "success          yes"):
        assert word in out


def test_a_style_a_load_and_a_setting(robotix: Robotix) -> None:
    arguments = ("lift", "--load", 12, "--style", "squat", "--set", "table_height=0.8", "--json")
    document = json.loads(robotix.run(*arguments)[1])
    assert document["success"] and document["style"] == "squat"


def test_what_cannot_be_done_is_told(robotix: Robotix) -> None:
    status, out, _ = robotix.run("reach", "--set", "distance=3")
    assert status == 0 and "right_hand falls short by" in out and "success          no" in out


def test_out_takes_motion_and_report(robotix: Robotix, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    status, out, _ = robotix.run("stand_up", "--out", folder)
    assert status == 0 and str(folder) in out
    motion = load_motion(folder / "motion.csv")
    assert len(motion.names) == 39
    assert load_motion(folder / "motion.mcap").duration == pytest.approx(motion.duration)
    assert json.loads((folder / "report.json").read_text())["success"] is True


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["fly"], 1, "no task 'fly'"),
        (["walk", "--load", "3"], 1, "distance"),
        (["lift", "--style", "stop"], 1, "stoop"),
        (["lift", "--sex", "x"], 1, "sex must be"),
        (["lift", "--set", "load"], 2, "NAME=VALUE"),
        (["lift", "--set", "load=heavy"], 2, "NAME=VALUE"),
        (["lift", "--load", "-1"], 1, "from 0 to 1000"),
        ([], 2, "TASK"),
    ],
)
def test_refusals(robotix: Robotix, arguments: list[str], status: int, message: str) -> None:
    found, out, err = robotix.run(*arguments)
    assert (found, out) == (status, "")
    assert message in err and "Traceback" not in err
