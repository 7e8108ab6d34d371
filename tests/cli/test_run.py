"""`run`, `check` and `replay`: rooms on the command line."""

import json
import os
import queue
import re
import signal
import socket
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from support.command_line import CommandLine
from support.room_files import BAD, CONFIGURATION, ROOM, STL

from robotix.scene.recording import origin
from robotix.server import RoomService


@pytest.fixture
def robotix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    Path("scenes").mkdir()
    Path("scenes/room.yaml").write_text(ROOM)
    Path("scenes/cup.stl").write_text(STL)
    Path("scenes/bad.yaml").write_text(BAD)
    return CommandLine(monkeypatch, capsys)


RUN = ("run", "scenes/room.yaml", "--headless", "--fast", "--seconds", 1)


# -- run ------------------------------------------------------------------------------------


def test_run_tells_what_happened(robotix: CommandLine) -> None:
    out = robotix.text(*RUN)
    assert out.count("hello") >= 9
    for words in ("100 ticks, 1.00 s", "load", "overruns   0", "Timer"):
        assert words in out


def test_run_as_json(robotix: CommandLine) -> None:
    answer = robotix.json(*RUN)
    assert (answer["ticks"], answer["seconds"]) == (100, pytest.approx(1))
    assert answer["events"]["Timer"] in (9, 10)
    assert answer["said"] == ["hello"] * len(answer["said"]) != []
    assert answer["problems"] == {}
    assert answer["recording"] is None
    assert answer["scene"] == "scenes/room.yaml"
    assert answer["robots"]["arm"] != [0, 0, 0]
    assert 0 < answer["tick_time"]["median"] <= answer["tick_time"]["worst"]


def test_run_in_real_time(robotix: CommandLine) -> None:
    answer = robotix.json("run", "scenes/room.yaml", "--headless", "--seconds", 0.2)
    assert answer["ticks"] == 20
    assert answer["elapsed"] >= 0.175  # the first tick does not wait


def test_rate_and_seed_can_be_chosen(robotix: CommandLine) -> None:
    answer = robotix.json(*RUN, "--rate", 50, "--seed", 5, "--record", "a.mcap")
    assert answer["ticks"] == 50
    replayed = robotix.json("replay", "a.mcap", "--check")
    assert replayed["digest_ok"] and replayed["ticks"] == 50


def test_recorded_samples_stand_in_for_devices(robotix: CommandLine) -> None:
    from robotix.devices import Keyboard, Sample, record_samples

    with record_samples("keys.jsonl") as log:
        keyboard = Keyboard()
        for k in range(50):
            down = frozenset({"Enter"}) if 20 <= k < 30 else frozenset[str]()
            log.add(keyboard, Sample(k / 100, buttons=down), now=k / 100)
    rule = "  - {when: {key: Enter}, do: {say: pressed}}\n"
    Path("scenes/room.yaml").write_text(ROOM.replace("rules:\n", "rules:\n" + rule))
    answer = robotix.json(*RUN, "--devices", "keys.jsonl", "--record", "a.mcap")
    assert answer["said"].count("pressed") == 1
    assert robotix.json("replay", "a.mcap", "--check")["digest_ok"]


def test_ctrl_c_ends_with_the_summary(robotix: CommandLine) -> None:
    """A real process, a real signal; it is sent once the room says that it lives."""
    code = "from robotix.cli.main import main; main()"
    command = ["run", "scenes/room.yaml", "--headless", "--record", "a.mcap"]
    path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    ) as process:
        watchdog = threading.Timer(60, process.kill)
        watchdog.start()
        try:
            assert process.stdout is not None
            assert "hello\n" in process.stdout  # a busy machine may complain before
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()
        finally:
            watchdog.cancel()
            process.kill()
    assert process.returncode == 0, err
    assert "ticks" in out and "recorded   a.mcap" in out
    assert "Traceback" not in err
    report = robotix.json("replay", "a.mcap", "--check")
    assert report["digest_ok"] and report["is_complete"]


def test_a_page_is_served_while_the_room_lives(robotix: CommandLine) -> None:
    robotix.monkeypatch.setenv("ROBOTIX_STATE", "state")
    command = ("run", "scenes/room.yaml", "--no-open", "--port", 0, "--seconds", 0.3)
    out = robotix.text(*command)
    assert re.match(r"open http://127\.0\.0\.1:\d+/login\?t=[\w-]{20,}\n", out)
    assert "30 ticks, 0.30 s" in out
    token = Path("state/token").read_text()
    assert f"t={token}\n" in out
    status, out, err = robotix.run(*command, "--json")
    assert status == 0 and json.loads(out)["ticks"] == 30
    assert err.startswith("open http") and f"t={token}\n" in err
    assert f"t={token}\n" not in robotix.text(*command, "--new-token")


def test_a_port_that_is_taken_is_told(robotix: CommandLine) -> None:
    robotix.monkeypatch.setenv("ROBOTIX_STATE", "state")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, out, err = robotix.run("run", "scenes/room.yaml", "--no-open", "--port", port)
    assert (status, out) == (1, "")
    assert f"port {port} is in use" in err and "--port 0" in err


def test_a_room_that_cannot_be_loaded_ends_the_server(robotix: CommandLine) -> None:
    robotix.monkeypatch.setenv("ROBOTIX_STATE", "state")
    status, _, err = robotix.run("run", "scenes/bad.yaml", "--no-open", "--port", 0)
    assert status == 1 and "bad.yaml:3:" in err and "Traceback" not in err


def test_a_page_that_is_open_says_why_there_is_no_room(robotix: CommandLine) -> None:
    told: list[str] = []

    def remember(self: RoomService, text: str, *, timeout: float) -> None:
        told.append(text)

    robotix.monkeypatch.setenv("ROBOTIX_STATE", "state")
    robotix.monkeypatch.setattr("webbrowser.open", lambda address: True)
    robotix.monkeypatch.setattr(RoomService, "fail", remember)
    status, _, err = robotix.run("run", "scenes/bad.yaml", "--port", 0)
    assert status == 1 and "Traceback" not in err
    assert len(told) == 1 and "bad.yaml:3:" in told[0] and told[0] in err


def test_the_browser_is_opened(robotix: CommandLine) -> None:
    opened = queue.SimpleQueue[str]()
    robotix.monkeypatch.setenv("ROBOTIX_STATE", "state")
    robotix.monkeypatch.setattr("webbrowser.open", opened.put)
    out = robotix.text("run", "scenes/room.yaml", "--port", 0, "--seconds", 0.1)
    address = opened.get(timeout=30)
    assert address.startswith("file://") and "token" not in address
    file = Path(urlsplit(address).path)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    token = re.search(r"^open .*\?t=(\S+)$", out, re.MULTILINE)
    assert token is not None and token[1] not in address + file.read_text()
    assert "/login?c=" in file.read_text()


def test_without_a_scene_it_is_a_flat(robotix: CommandLine) -> None:
    answer = robotix.json("run", "--headless", "--fast", "--seconds", 0.05)
    assert answer["scene"].endswith("flat.yaml") and answer["nodes"] > 50


def test_ctrl_c_in_the_first_tick_is_heard(robotix: CommandLine) -> None:
    code = "import signal\ndef loop(dt):\n    signal.raise_signal(signal.SIGINT)\n"
    Path("scenes/interrupt.py").write_text(code)
    plugin = "plugins: {now: {module: interrupt}}\n"
    Path("scenes/room.yaml").write_text(ROOM + plugin)
    answer = robotix.json(
        "run", "scenes/room.yaml", "--headless", "--trust"
    )  # for ever, but for Ctrl-C
    assert answer["ticks"] == 1 and answer["problems"] == {}


# -- check ----------------------------------------------------------------------------------


def test_check_finds_no_fault(robotix: CommandLine) -> None:
    assert robotix.text("check", "scenes/room.yaml") == "scenes/room.yaml: no errors\n"
    assert robotix.json("check", "scenes/room.yaml") == {
        "scene": "scenes/room.yaml",
        "ok": True,
        "problems": [],
        "plugins": [],
        "warnings": [],
    }


def test_warnings_are_part_of_the_answer(robotix: CommandLine) -> None:
    """A legacy configuration without its nodes is no fault, but stand-ins are a surprise."""
    Path("scenes/arm.cfg").write_text(CONFIGURATION)
    status, out, err = robotix.run("check", "scenes/arm.cfg")
    assert (status, err) == (0, "")
    assert out.startswith("warning: ") and "guessed axis" in out
    assert robotix.json("check", "scenes/arm.cfg")["warnings"] != []
    run = ("run", "scenes/arm.cfg", "--headless", "--fast", "--seconds", 0.1, "--record", "a.mcap")
    assert "problem: " in robotix.text(*run)
    status, out, err = robotix.run("replay", "a.mcap", "--check")
    assert (status, err) == (0, "")
    assert out.startswith("warning: ") and "the same to the last bit" in out


def test_check_lists_all_faults(robotix: CommandLine) -> None:
    status, out, _ = robotix.run("check", "scenes/bad.yaml")
    assert status == 1
    assert "scenes/bad.yaml:3:" in out and "scenes/bad.yaml:5:" in out
    assert "did you mean 'kuka_lwr'?" in out
    assert "errors" in out.splitlines()[-1]
    answer = robotix.json("check", "scenes/bad.yaml", status=1)
    assert not answer["ok"]
    assert {problem["line"] for problem in answer["problems"]} == {3, 5}
    for problem in answer["problems"]:
        assert problem["path"] == "scenes/bad.yaml"
        assert problem["column"] > 0 and problem["found"] and problem["expected"]


# -- replay ---------------------------------------------------------------------------------


def test_replay_is_the_same(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "a.mcap")
    out = robotix.text("replay", "a.mcap", "--check")
    assert "replayed 100 of 100 ticks" in out and "the same to the last bit" in out
    answer = robotix.json("replay", "a.mcap", "--check")
    assert (answer["digest_ok"], answer["ticks"], answer["changed_files"]) == (True, 100, [])
    assert "replayed 100" in robotix.text("replay", "a.mcap")


def test_replay_builds_the_room_that_was_recorded(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "a.mcap")
    Path("scenes/room.yaml").write_text("robotix: 1\n")  # something else by now
    assert robotix.json("replay", "a.mcap", "--check")["digest_ok"]


def test_a_room_that_writes_to_its_own_files_is_replayed(robotix: CommandLine) -> None:
    """It appends to what an earlier run has left, and plays all of it."""
    rules = """\
rules:
  - when: {timer: once}
    do:
      - {set_step: 5}
      - {move: {robot: arm, to_deg: [20, -30, 40], steps: 10}}
      - {save: p.csv}
      - {move: {robot: arm, to_deg: [-20, 30, 10], steps: 10}}
      - {save: p.csv}
      - {play: p.csv}
start: [{start_timer: {timer: once, seconds: 0.1}}]
"""
    text = ROOM[: ROOM.index("rules:")] + rules
    Path("scenes/saving.yaml").write_text(text)
    run = ("run", "scenes/saving.yaml", "--headless", "--fast", "--seconds", 8)
    for name in ("first.mcap", "second.mcap"):
        assert robotix.json(*run, "--record", name)["problems"] == {}
    assert Path("scenes/p.csv").stat().st_size > 0
    digests = set()
    for name in ("first.mcap", "second.mcap"):
        answer = robotix.json("replay", name, "--check")
        assert answer["digest_ok"] and answer["changed_files"] == []
        digests.add(answer["digest"])
    assert len(digests) == 2  # the second had more to play


def test_replay_finds_files_that_moved(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "small.mcap")
    robotix.monkeypatch.setattr(origin, "MAX_FILE_BYTES", 10)  # now the cup is large
    robotix.text(*RUN, "--record", "a.mcap")
    Path("scenes").rename("elsewhere")
    assert robotix.json("replay", "small.mcap", "--check")["digest_ok"]
    status, _, err = robotix.run("replay", "a.mcap")
    assert status == 1 and "cup.stl: no file" in err
    assert robotix.json("replay", "a.mcap", "--check", "--folder", "elsewhere")["digest_ok"]


def test_replay_tells_what_changed(robotix: CommandLine) -> None:
    robotix.monkeypatch.setattr(origin, "MAX_FILE_BYTES", 10)  # now the cup is large
    robotix.text(*RUN, "--record", "a.mcap")
    Path("scenes/cup.stl").write_text(STL.replace("0.1", "0.2"))
    status, _, err = robotix.run("replay", "a.mcap")
    assert status == 1 and "cup.stl: another file; expected the one that was recorded" in err
    named = ("--folder", "scenes")
    assert "cup.stl has changed" in robotix.text("replay", "a.mcap", *named)
    assert robotix.json("replay", "a.mcap", *named)["changed_files"] == ["cup.stl"]


def test_replay_of_another_room_exits_with_1(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from robotix import authoring

    robotix.text(*RUN, "--record", "a.mcap")
    load = authoring.load_scene

    def load_otherwise(path: Path, **options: Any) -> object:
        path.write_text(ROOM.replace("[20, -30, 40]", "[20, -30, 41]"))
        return load(path, **options)

    monkeypatch.setattr(authoring, "load_scene", load_otherwise)
    answer = robotix.json("replay", "a.mcap", "--check", status=1)
    assert answer["digest_ok"] is False
    assert answer["first_difference"]["tick"] == 11
    assert "robots" in answer["first_difference"]["what"]
    status, out, _ = robotix.run("replay", "a.mcap", "--check")
    assert status == 1 and "DIFFERENT from tick 11 on" in out and "NOT within 1e-06" in out
    assert answer["within_tolerance"] is False and answer["drift"]["joints"] < 0.02
    answer = robotix.json("replay", "a.mcap", "--check", "--tolerance", 0.02)  # exits with 0
    assert answer["within_tolerance"] is True and answer["digest_ok"] is False
    assert robotix.run("replay", "a.mcap", "--tolerance", 0.02)[0] == 2


# -- refusing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, message",
    [
        ("run scenes/room.yaml --fast", "add --headless"),
        ("run scenes/room.yaml --port 70000", "--port"),
        ("run scenes/room.yaml --headless --seconds 0", "must be positive"),
        ("run scenes/room.yaml --headless --seconds nan", "must be positive"),
        ("run scenes/room.yaml --headless --rate 0", "--rate"),
        ("run scenes/room.yaml --headless --record scenes/room.yaml", "a new .mcap file"),
        ("run scenes/room.yaml --headless --record new", "a new .mcap file, got new"),
        ("check", "SCENE"),
        ("replay", "FILE"),
    ],
)
def test_a_wrong_use_exits_with_2(robotix: CommandLine, line: str, message: str) -> None:
    status, out, err = robotix.run(*line.split())
    assert (status, out) == (2, "")
    assert message in err and "Traceback" not in err


@pytest.mark.parametrize(
    "line, message",
    [
        ("run scenes/none.yaml --headless", "none.yaml: "),
        ("run scenes/bad.yaml --headless", "bad.yaml:3:"),
        ("run scenes/room.yaml --headless --record old.mcap", "choose a new name"),
        ("run scenes/room.yaml --headless --record no/where.mcap", "no/where.mcap: No such file"),
        ("run scenes/room.yaml --headless --devices none.yaml", "none.yaml: "),
        ("replay none.mcap", "none.mcap: No such file"),
        ("replay scenes/room.yaml", "room.yaml: a file of another kind"),
    ],
)
def test_a_refused_input_exits_with_1_and_one_line(
    robotix: CommandLine, line: str, message: str
) -> None:
    Path("old.mcap").touch()
    status, out, err = robotix.run(*line.split())
    assert (status, out) == (1, "")
    assert err.startswith("Error: ") and err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("command", ["run", "check", "replay"])
def test_every_command_has_help(robotix: CommandLine, command: str) -> None:
    out = robotix.text(command, "--help")
    assert f"robotix {command}" in out and "--json" in out


def test_output_that_nobody_reads_any_more_does_not_stop_the_scene(tmp_path: Path) -> None:
    path = tmp_path / "talk.yaml"
    rule = "- {when: {timer: t}, do: {say: hello}}"
    path.write_text(f"robotix: 1\nrules:\n  {rule}\nstart: [{{start_timer: [t, 0.05, true]}}]\n")
    command = [sys.executable, "-m", "robotix", "run", str(path), "--headless", "--seconds", "1.5"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline().strip() == b"hello"
        process.stdout.close()
        told = process.stderr.read().decode()
    assert "Traceback" not in told and "Exception" not in told, told
