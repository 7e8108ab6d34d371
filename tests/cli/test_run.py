"""`run`, `check` and `replay`: rooms on the command line."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from command_line import CommandLine

ROOM = """\
robotix: 1
rate: 100
robots:
  arm: {model: planar_3r, at: [0, 0, 0.7]}
objects:
  table: {box: [1.2, 0.8, 0.04], at: [1, 0, 0.2]}
  cup: {mesh: cup.stl, on: table}
devices: {stick: translate3}
rules:
  - when: {timer: beat}
    do: [{say: hello}, {move: {robot: arm, to_deg: [20, -30, 40], steps: 20}}]
start: [{start_timer: {timer: beat, seconds: 0.1, again: true}}]
"""
STL = """\
solid cup
facet normal 0 0 1
outer loop
vertex 0 0 0
vertex 0.1 0 0
vertex 0 0.1 0
endloop
endfacet
endsolid cup
"""
BAD = """\
robotix: 1
robots:
  arm: {model: kuka_lw}
objects:
  cup: {box: [1, 1, nan], on: tabel}
"""


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
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", code, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    watchdog = threading.Timer(60, process.kill)
    watchdog.start()
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "hello\n"
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


# -- check ----------------------------------------------------------------------------------


def test_check_finds_no_fault(robotix: CommandLine) -> None:
    assert robotix.text("check", "scenes/room.yaml") == "scenes/room.yaml: no faults\n"
    assert robotix.json("check", "scenes/room.yaml") == {
        "scene": "scenes/room.yaml",
        "ok": True,
        "problems": [],
    }


def test_check_lists_all_faults(robotix: CommandLine) -> None:
    status, out, _ = robotix.run("check", "scenes/bad.yaml")
    assert status == 1
    assert "scenes/bad.yaml:3:" in out and "scenes/bad.yaml:5:" in out
    assert "did you mean 'kuka_lwr'?" in out
    assert "faults" in out.splitlines()[-1]
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


def test_replay_finds_files_that_moved(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "a.mcap")
    Path("scenes").rename("elsewhere")
    status, _, err = robotix.run("replay", "a.mcap")
    assert status == 1 and "cup.stl: no file" in err
    assert robotix.json("replay", "a.mcap", "--check", "--folder", "elsewhere")["digest_ok"]


def test_replay_tells_what_changed(robotix: CommandLine) -> None:
    robotix.text(*RUN, "--record", "a.mcap")
    Path("scenes/cup.stl").write_text(STL.replace("0.1", "0.2"))
    assert "cup.stl has changed" in robotix.text("replay", "a.mcap")
    assert robotix.json("replay", "a.mcap")["changed_files"] == ["cup.stl"]


def test_replay_of_another_room_exits_with_1(
    robotix: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    from robotix.cli import rooms

    robotix.text(*RUN, "--record", "a.mcap")
    load = rooms.load_room

    def load_otherwise(path: Path, *, rate: float | None, seed: int | None) -> object:
        path.write_text(ROOM.replace("[20, -30, 40]", "[20, -30, 41]"))
        return load(path, rate=rate, seed=seed)

    monkeypatch.setattr(rooms, "load_room", load_otherwise)
    answer = robotix.json("replay", "a.mcap", "--check", status=1)
    assert answer["digest_ok"] is False
    assert answer["first_difference"]["tick"] == 11
    assert "robots" in answer["first_difference"]["what"]
    status, out, _ = robotix.run("replay", "a.mcap", "--check")
    assert status == 1 and "DIFFERENT from tick 11 on" in out


# -- refusing -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line, message",
    [
        ("run", "name a scene"),
        ("run scenes/room.yaml", "add --headless"),
        ("run scenes/room.yaml --headless --seconds 0", "more than 0 s"),
        ("run scenes/room.yaml --headless --seconds nan", "more than 0 s"),
        ("run scenes/room.yaml --headless --rate 0", "--rate"),
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
        ("run scenes/room.yaml --headless --record scenes/bad.yaml", "choose a new name"),
        ("run scenes/room.yaml --headless --record no/where.mcap", "no/where.mcap: No such file"),
        ("run scenes/room.yaml --headless --devices none.yaml", "none.yaml: "),
        ("replay none.mcap", "none.mcap: No such file"),
        ("replay scenes/room.yaml", "room.yaml: a file of another kind"),
    ],
)
def test_a_refused_input_exits_with_1_and_one_line(
    robotix: CommandLine, line: str, message: str
) -> None:
    status, out, err = robotix.run(*line.split())
    assert (status, out) == (1, "")
    assert err.startswith("Error: ") and err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize("command", ["run", "check", "replay"])
def test_every_command_has_help(robotix: CommandLine, command: str) -> None:
    out = robotix.text(command, "--help")
    assert f"robotix {command}" in out and "--json" in out
