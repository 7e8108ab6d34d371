"""Commands that take long say how far they are, on a terminal and nowhere else."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest
import typer
from support.command_line import CommandLine, every_command

from robotix.cli.progress import Progress
from robotix.dynamics.testbed import RobotLog, save_log
from robotix.human.tasks.tasks import TASKS

PICK_UP = Path(__file__).parents[2] / "examples" / "data" / "pick_up.bvh"
# Over within a second or two, apart from compiling, which is reported by itself.
SHORT = {
    *("check", "new", "examples", "robots", "info", "convert", "fk", "solve"),
    *("lab new", "lab status", "lab forget", "haptics wall"),
    *(
        f"ergo {name}"
        for name in (
            *("l5s1", "rnle", "composite", "variable", "iso-lift", "lm-mmh", "lifft", "rsi"),
            *("duet", "arm", "kim", "ocra", "shoulder", "static", "rula", "reba", "owas"),
        )
    ),
}
# A line of status while they run, or one for every stage; see the tests of these commands.
STATUS = {"run", "replay", "compile", "lab run", "haptics play"}
LONG = {
    "workspace": "planar_3r",
    **{f"human {task}": "" for task in TASKS},
    "human audit": "stand_up --json",
    "human follow": "FILE",
    "human compare": "FILE",
    "ergo assess": "stand_up",
    "ergo family": "stand_up",
    "ergo compare": "stand_up stand_up",
    "ergo job": "job.toml",
    "ergo holds": "seated",
    "sim hold": "planar_3r",
    "sim balance": "squat",
    "sim compare": "log.csv",
    "sim validate": "--json",
    "haptics experiments": "",
    "haptics claims": "",
    "haptics map": "",
    "haptics device": "",
    "haptics faults": "",
    "haptics teleoperation": "--device vishard10",
    "lab pilot": "STUDY --operators 1",
    "lab analyse": "STUDY",
    "lab report": "STUDY",
    "lab export": "STUDY",
    "lab stability": "",
    "lab sensitivity": "books",
    "lab arms": "",
    "lab design": "",
    "lab shared": "one_bench",
}
RUNNER = ("--runner", "support.stand_in_trials:run_trial", "--jobs", 1)
SEEN = 77  # exit status of a command that came to its bar
JOB = """\
[[task]]
what = "stand_up"
"""


@pytest.fixture
def robotix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    return CommandLine(monkeypatch, capsys)


def _write_inputs(robotix: CommandLine, command: str) -> None:
    if "STUDY" in LONG[command]:
        robotix.text("lab", "new", "STUDY", "--example")
    if command == "lab export":
        robotix.text("lab", "pilot", "STUDY", "--operators", 1, "--no-report", *RUNNER)
    if command == "sim compare":
        still = np.zeros(2)
        save_log(Path("log.csv"), RobotLog(np.arange(2.0), {"joint": still}, {"joint": still}))
    Path("job.toml").write_text(JOB)


def test_every_command_is_short_or_says_how_far_it_is() -> None:
    known = [*SHORT, *STATUS, *LONG]
    assert len(known) == len(set(known))
    assert set(known) == set(every_command())


@pytest.mark.parametrize("command", LONG)
def test_a_long_command_comes_to_its_bar(
    robotix: CommandLine, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(_: Progress) -> NoReturn:
        raise typer.Exit(SEEN)

    words = LONG[command]
    _write_inputs(robotix, command)
    monkeypatch.setattr(Progress, "__enter__", stop)
    arguments = [str(PICK_UP) if word == "FILE" else word for word in words.split()]
    status, _, err = robotix.run(*command.split(), *arguments)
    assert status == SEEN, err


def test_a_bar_is_shown_on_a_terminal_and_results_go_to_stdout(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ("workspace", "planar_3r", "--samples", 300)
    plain = robotix.run(*arguments)
    assert "postures" not in plain[2]  # kernels may be compiled, which is said
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    status, out, err = robotix.run(*arguments)
    assert (status, out) == plain[:2]
    assert "postures" in err and "100%" in err


def test_what_cannot_be_counted_is_named_while_it_lasts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with Progress(None, "statistics"):
        sys.stdout.write("a result\n")
    out, err = capsys.readouterr()
    assert out == "a result\n"
    assert "statistics" in err and "0:00:00" in err
    with Progress(None, "nothing", is_shown=False):
        pass
    assert capsys.readouterr().err == ""
