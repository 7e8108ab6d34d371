"""The console: what is typed reaches the room, and a replay sees it again."""

import os
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from support.command_line import CommandLine
from support.room_files import ROOM, STL

from robotix.cli.live import LineReader
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.console.console_input import ConsoleInput

LISTENING = """\
  - {when: {key: Left}, mode: change, do: {say: left}}
  - {when: {event: go}, mode: change, do: {say: went}}
"""


@pytest.fixture
def robotix(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> CommandLine:
    monkeypatch.chdir(tmp_path)
    Path("scenes").mkdir()
    Path("scenes/room.yaml").write_text(ROOM)
    Path("scenes/cup.stl").write_text(STL)
    return CommandLine(monkeypatch, capsys)


@pytest.fixture
def typed(robotix: CommandLine, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Standard input is a pipe that holds a text, and ends after it."""
    Path("scenes/room.yaml").write_text(ROOM.replace("rules:\n", "rules:\n" + LISTENING))
    with ExitStack() as stack:

        def give(text: str) -> None:
            outlet, inlet = os.pipe()
            stream = stack.enter_context(os.fdopen(outlet))
            with os.fdopen(inlet, "w") as writer:
                writer.write(text)
            monkeypatch.setattr(sys, "stdin", stream)

        yield give


def test_lines_that_are_typed_reach_the_room(
    robotix: CommandLine, typed: Callable[[str], None]
) -> None:
    typed("press left\nrelease Left\nemit go\nemit go off\nprintvar\nmvoe\npress\nhelp\nquit\nx")
    run = ("run", "scenes/room.yaml", "--headless", "--record", "a.mcap")  # until `quit`
    answer = robotix.json(*run)
    assert answer["said"].count("left") == answer["said"].count("went") == 2
    assert any(line.startswith("arm: ") for line in answer["said"])
    assert any("release: the name of a key" in line for line in answer["said"])
    unknown, missing = answer["problems"]
    assert "did you mean 'move'?" in unknown and "press takes the name of a key" in missing
    assert answer["events"]["Button"] == 2
    replayed = robotix.json("replay", "a.mcap", "--check")
    assert replayed["digest_ok"] and replayed["ticks"] == answer["ticks"]


def test_answers_are_printed(robotix: CommandLine, typed: Callable[[str], None]) -> None:
    typed("\nemit go\nquit\n")
    out = robotix.text("run", "scenes/room.yaml", "--headless")
    assert "went\n" in out and "load" in out.splitlines()[0]  # the empty line asks for the state


def test_the_end_of_what_is_typed_is_not_that_of_the_room(
    robotix: CommandLine, typed: Callable[[str], None]
) -> None:
    typed("press Left")
    answer = robotix.json("run", "scenes/room.yaml", "--headless", "--seconds", 0.5)
    assert answer["ticks"] == 50
    assert answer["said"].count("left") == 1  # and it is still down


@pytest.mark.parametrize("redirection", ["<&-", "</dev/null"])
def test_without_a_standard_input_there_is_no_console(
    robotix: CommandLine, redirection: str
) -> None:
    code = "from robotix.cli.main import main; main()"
    path = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    script = (
        f'exec "$0" -c "{code}" run scenes/room.yaml --headless --fast --seconds 1 {redirection}'
    )
    done = subprocess.run(
        ["sh", "-c", script, sys.executable],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "100 ticks" in done.stdout


def test_a_key_is_down_for_a_tick_at_least() -> None:
    typist = ConsoleInput()
    typist.lines.extend(["press l", "Release L", "press L", "stop", "quit", "stop"])
    seen = [typist.add_to(Inputs()) for _ in range(4)]
    held = [inputs.devices["keyboard"].buttons for inputs in seen]
    assert held == [{"L"}, set(), {"L"}, {"L"}]
    assert [inputs.commands for inputs in seen] == [(), (), ("stop",), ()]
    assert typist.has_quit


def test_typed_keys_join_those_of_the_keyboard() -> None:
    typist, given = ConsoleInput(), Inputs({"keyboard": Reading(buttons=frozenset({"A"}))})
    assert typist.add_to(given) is given
    typist.lines.append("press Enter")
    assert typist.add_to(given).devices["keyboard"].buttons == {"A", "Enter"}
    silent = Inputs({"keyboard": Reading(live=False)})
    assert typist.add_to(silent).devices["keyboard"] == Reading(buttons=frozenset({"Enter"}))


def test_many_lines_are_spread_over_ticks() -> None:
    typist = ConsoleInput()
    typist.lines.extend(f"line {number}" for number in range(100))
    seen = [typist.add_to(Inputs()).commands for _ in range(5)]
    assert [line for lines in seen for line in lines] == [f"line {number}" for number in range(100)]
    assert max(map(len, seen)) == 32


def test_no_tick_and_no_stop_waits_for_the_file_of_a_typed_line() -> None:
    outlet, inlet = os.pipe()
    lines, is_read = deque[str](), threading.Event()

    def preparation(line: str) -> Callable[[], object] | None:
        return (lambda: is_read.wait(20)) if line.startswith("init") else None

    with LineReader(outlet, lines, preparation=preparation):
        os.write(inlet, b"set_step 5\ninit arm.urdf\nset_step 6\nstop\n")
        _until(lambda: "stop" in lines)
        assert list(lines) == ["set_step 5", "stop"]
        is_read.set()
        _until(lambda: len(lines) == 4)
        assert list(lines)[2:] == ["init arm.urdf", "set_step 6"]
    os.close(inlet)


def _until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)
