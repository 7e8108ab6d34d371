"""`robotix lab`: what it prints and writes."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.command_line import CommandLine

from robotix.experiments.store.store import StudyStore


@pytest.fixture
def robotix(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def test_a_new_study_is_written_once(robotix: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    assert "robotix lab pilot" in robotix.text("lab", "new", folder)
    assert "study: Two arms" in (folder / "study.yaml").read_text()
    status, _, error = robotix.run("lab", "new", folder, "--example")
    assert status == 2 and "exists already" in error


RUNNER = ("--runner", "support.stand_in_trials:run_trial", "--jobs", 1, "--no-comparison")


@pytest.fixture
def study(robotix: CommandLine, tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    robotix.text("lab", "new", folder, "--example")
    robotix.json("lab", "pilot", folder, "--operators", 2, "--no-report", *RUNNER)
    return folder


def test_from_an_empty_folder_to_a_report(robotix: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    robotix.text("lab", "new", folder, "--example")
    assert robotix.json("lab", "status", folder)["trials_of_one"] == 12
    pilot = robotix.json("lab", "pilot", folder, "--operators", 3, "--seed", 7, *RUNNER)
    assert (pilot["trials"], pilot["finished"], pilot["interrupted"]) == (36, 36, 0)
    assert pilot["seconds"] > 0 and Path(pilot["report"]).is_file()
    analysis = robotix.json("lab", "analyse", folder)
    assert set(analysis["scores"]["books"]["kuka_lwr"]) >= {"mean", "sd", "e", "n"}
    assert sorted(analysis["ranking"]["chess"]) == ["amtec_ulwr", "kuka_lwr", "mitsubishi_pa10"]
    assert analysis["tests"]
    assert "published ranking" in robotix.text("lab", "analyse", folder)
    assert "figures" in robotix.text("lab", "report", folder, "--no-comparison")


def test_progress_is_shown_and_a_pilot_goes_on(robotix: CommandLine, study: Path) -> None:
    status = robotix.json("lab", "status", study)
    assert [each["done"] for each in status["participants"]] == [12, 12]
    assert "complete" in robotix.text("lab", "status", study)
    again = robotix.json("lab", "pilot", study, "--operators", 2, "--no-report", *RUNNER)
    assert (again["finished"], again["run"]) == (24, 0)
    with StudyStore(study) as store:
        more = store.add_participant(is_simulated=True)
        store.begin_trial(next(each for each in store.plan(more) if each.kind == "trial"))
        text = robotix.text("lab", "status", study)
    assert "S003  0/12 trials, 0 interrupted, 1 not ended; next: trial" in text


def test_exports_are_written_once(robotix: CommandLine, study: Path) -> None:
    document = robotix.json("lab", "export", study, "--format", "csv")
    assert [Path(file).name for file in document["files"]] == [
        "trials.csv", "answers.csv", "scores.csv",
    ]  # fmt: skip
    status, _, error = robotix.run("lab", "export", study, "--format", "csv")
    assert status == 1 and "is not empty" in error
    status, _, error = robotix.run("lab", "export", study, "--format", "xlsx")
    assert status == 2


def test_a_participant_is_forgotten(robotix: CommandLine, study: Path) -> None:
    assert robotix.json("lab", "forget", study, "S001")["trials"] == 12
    status, _, error = robotix.run("lab", "forget", study, "S001")
    assert status == 1 and "no participant 'S001'" in error


@pytest.mark.parametrize("command", ["analyse", "report", "export", "status", "pilot"])
def test_a_folder_without_a_study_is_refused(
    robotix: CommandLine, tmp_path: Path, command: str
) -> None:
    status, _, error = robotix.run("lab", command, tmp_path)
    assert status in (1, 2) and ("robotix lab new" in error or "no runner" in error)


@pytest.mark.parametrize("command", ["analyse", "report", "export", "forget"])
def test_a_study_without_data_is_refused(
    robotix: CommandLine, tmp_path: Path, command: str
) -> None:
    folder = tmp_path / "study"
    robotix.text("lab", "new", folder)
    extra = ["P001"] if command == "forget" else []
    status, _, error = robotix.run("lab", command, folder, *extra)
    assert status == 1 and "nothing has been run yet" in error


def test_an_unknown_runner_is_wrong_use(robotix: CommandLine, tmp_path: Path) -> None:
    folder = tmp_path / "study"
    robotix.text("lab", "new", folder)
    status, _, error = robotix.run("lab", "pilot", folder, "--runner", "nothing")
    assert status == 2 and "MODULE:FUNCTION" in error


def test_a_study_that_cannot_run_is_refused_by_all_commands(
    robotix: CommandLine, tmp_path: Path
) -> None:
    text = "robotix: 1\nstudy: Bad\nfactors: {arm: {levels: [ur5, foo]}}\ntasks: [chess]\n"
    (tmp_path / "study.yaml").write_text(text)
    status, printed, _ = robotix.run("lab", "status", tmp_path)
    assert status == 1 and "problem      arm: no robot 'foo'" in printed
    for command in (("pilot", tmp_path, "--operators", 1), ("run", tmp_path, "--no-open")):
        status, _, error = robotix.run("lab", *command)
        assert status == 1 and "study.yaml: arm: no robot 'foo'" in error
    assert not (tmp_path / "study.sqlite").exists()


@pytest.mark.parametrize("command", ["stability", "arms", "design", "shared one_bench"])
def test_seeds_are_not_negative(robotix: CommandLine, command: str) -> None:
    status, _, error = robotix.run("lab", *command.split(), "--seed", "-1")
    assert status == 2 and "--seed" in error and "is less than 0" in error
