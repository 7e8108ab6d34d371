"""Scenes and recordings from elsewhere: nothing of them runs unasked."""

import io
import sys
import time
from concurrent.futures import Future
from pathlib import Path

import pytest
import typer
from support.command_line import CommandLine
from support.room_files import ROOM, STL

from robotix.cli.trusting import _first_answer
from robotix.scene.plugins import find_plugin

MARK = "from pathlib import Path\nPath({mark!r}).write_text('ran')\ndef loop(dt): pass\n"
RUN = ("run", "scenes/room.yaml", "--headless", "--fast", "--seconds", 0.2)
PACED = ("run", "scenes/room.yaml", "--headless", "--seconds", 0.6)  # time to read the console


@pytest.fixture
def robotix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    """A scene with a plug-in that leaves a mark when any of its code runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ROBOTIX_STATE", str(tmp_path / "state"))
    Path("scenes").mkdir()
    Path("scenes/room.yaml").write_text(ROOM + "plugins: {evil: {module: evil}}\n")
    Path("scenes/cup.stl").write_text(STL)
    Path("scenes/evil.py").write_text(MARK.format(mark=str(tmp_path / "mark")))
    return CommandLine(monkeypatch, capsys)


def ran() -> bool:
    found = Path("mark").exists()
    Path("mark").unlink(missing_ok=True)
    return found


def digest() -> str:
    return find_plugin("evil", folder=Path("scenes")).digest


def test_a_scene_runs_without_a_plug_in_that_nobody_trusts(robotix: CommandLine) -> None:
    answer = robotix.json(*RUN)
    assert not ran() and answer["ticks"] == 20
    (problem,) = answer["problems"]
    assert digest() in problem and "evil.py" in problem and "--trust" in problem
    assert robotix.json(*RUN, "--trust")["problems"] == {} and ran()
    robotix.json(*RUN)
    assert not ran()  # `--trust` is for one run


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("answer", [True, False])
def test_a_terminal_is_asked_and_a_yes_remembered(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch, answer: bool
) -> None:
    questions = []

    def confirm(text: str, **_: object) -> bool:
        questions.append(text)
        return answer

    with monkeypatch.context() as patch:
        screen = Terminal()
        patch.setattr(sys, "stdin", Terminal())
        patch.setattr(sys, "stderr", screen)
        patch.setattr(typer, "confirm", confirm)
        robotix.text(*RUN)
    assert questions == ["Run it?"] and ran() == answer
    assert digest() in screen.getvalue() and "uses     pathlib" in screen.getvalue()
    robotix.text(*RUN)
    assert ran() == answer


def test_check_names_the_code_and_runs_nothing(robotix: CommandLine) -> None:
    out = robotix.text("check", "scenes/room.yaml")
    assert f"evil.py, SHA-256 {digest()}, uses pathlib; `robotix run` will ask" in out
    (plugin,) = robotix.json("check", "scenes/room.yaml")["plugins"]
    expected = {"name": "evil", "file": "evil.py", "sha256": digest(), "uses": ["pathlib"]}
    assert plugin == expected | {"trusted": False}
    assert not ran()


def test_a_recording_mailed_alone_runs_nothing(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--trust", "--record", "take.mcap")
    assert ran()
    Path("inbox").mkdir()
    Path("take.mcap").rename("inbox/take.mcap")
    Path("scenes").rename("gone")
    for options in ((), ("--check",), ("--list",)):
        status, out, err = robotix.run("replay", "inbox/take.mcap", *options)
        assert not ran() and status == (0 if options == ("--list",) else 1)
        assert "evil.py" in out + err
    assert robotix.json("replay", "inbox/take.mcap", "--check", "--trust")["digest_ok"] and ran()


def test_a_plug_in_that_did_not_run_does_not_run_in_a_replay(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "take.mcap")
    for options in ((), ("--trust",)):
        assert robotix.json("replay", "take.mcap", "--check", *options)["digest_ok"]
        assert not ran()
    assert robotix.json("replay", "take.mcap", "--list")["disabled_plugins"] == ["evil"]


def test_a_recording_holds_what_was_used_and_lists_it(robotix: CommandLine) -> None:
    Path("scenes/participants.csv").write_text("name,diagnosis\nA,none\n")
    robotix.text(*RUN, "--record", "take.mcap")
    files = robotix.json("replay", "take.mcap", "--list")["files"]
    found = {(each["kind"], each["name"], each["size"]) for each in files}
    scene, cup = Path("scenes/room.yaml").stat().st_size, Path("scenes/cup.stl").stat().st_size
    code = Path("scenes/evil.py").stat().st_size
    expected = {("scene", "room.yaml", scene), ("file", "cup.stl", cup), ("code", "evil.py", code)}
    assert found == expected
    assert b"diagnosis" not in Path("take.mcap").read_bytes()


def test_motions_that_only_the_console_names_are_recorded_when_used(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("console.txt").write_text("save wave\nmove @5;(20, -30, 40)\nsave wave\n")
    with Path("console.txt").open() as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        robotix.text(*PACED)
    before = Path("scenes/wave.csv").read_bytes()
    assert before.count(b"\n") == 3
    Path("console.txt").write_text("save wave\nplay wave\n")
    with Path("console.txt").open() as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        robotix.text(*PACED, "--record", "take.mcap")
    assert len(Path("scenes/wave.csv").read_bytes()) > len(before)
    Path("scenes").rename("gone")
    (used,) = [
        each
        for each in robotix.json("replay", "take.mcap", "--list")["files"]
        if each["kind"] == "used"
    ]
    assert (used["name"], used["size"]) == ("wave.csv", len(before))
    assert robotix.json("replay", "take.mcap", "--check")["digest_ok"]
    assert not Path("wave.csv").exists() and not Path("scenes").exists()


def test_a_question_without_an_answer_ends_after_its_time(
    capsys: pytest.CaptureFixture[str],
) -> None:
    end = time.monotonic() + 0.2
    assert not _first_answer(Future(), at_terminal=False, end=end)
    assert "nobody has answered" in capsys.readouterr().err
