"""No command of a room in real time opens a file in a tick, and what is recorded replays."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command_line import CommandLine
from support.every_command import write_physics_room, write_room
from support.subprocess_script import run_script

SCRIPT = """
import json, sys, threading
from pathlib import Path

file, lines, names, record = json.loads(sys.argv[1])
from robotix.app.session import RecordTo, open_session
from robotix.authoring import load_scene
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.console.console_input import ConsoleInput
from robotix.scene.console.preparation import preparation_of
from robotix.warm_up.rooms import warm_up

found, problems, watching = [], [], threading.Event()

def hook(event, args):
    if event == "open" and watching.is_set() and threading.current_thread().name == "room":
        frame, where = sys._getframe(1), []
        while frame is not None:
            where.append(f"{frame.f_code.co_filename.split('/')[-1]}:{frame.f_lineno}")
            frame = frame.f_back
        found.append([str(args[0]), last[0], [each for each in where if "<frozen" not in each][:8]])

sys.addaudithook(hook)
scene, console, last = load_scene(file, trust=True), ConsoleInput(), ["start"]

def hear(scene):
    problems.extend(
        f"{last[0]}: {each.who}: {each.what}" for each in scene.messages
        if type(each).__name__ == "Problem" and each.who != "loop"
    )

to = RecordTo(Path(record))
with open_session(scene, console=console, record=to, on_tick=[hear], on_end=[hear]) as loop:
    warm_up(scene)
    source, count = loop._source, [0]

    def with_hand(now):
        count[0] += 1
        inputs = source(now) if source is not None else Inputs()
        hand = Reading(position=(0.3 + 0.001 * (count[0] % 100), 0.1, 0.2))
        return Inputs({**inputs.devices, "glove": hand}, inputs.clients, inputs.commands)

    loop._source = with_hand
    loop.run(ticks=3)  # which loads code
    loop.set_speed(1.0)

    def run(ticks):
        thread = threading.Thread(target=lambda: loop.run(ticks=ticks), name="room")
        watching.set()
        thread.start()
        thread.join()
        watching.clear()

    def run_lines():
        for line in lines:
            last[0] = line
            prepare = preparation_of(scene, line)
            if prepare is not None:
                prepare()
            console.lines.append(line)
            run(5)

    if scene.physics.is_on:
        run_lines()
    for name in names:
        last[0] = "do " + name
        for state in (True, False):
            console.lines.append(f"emit do {name}" + ("" if state else " off"))
            run(6 if state else 2)
    if not scene.physics.is_on:
        run_lines()
print(json.dumps({"opened": found, "problems": problems, "ticks": scene.tick}))
"""


@pytest.mark.parametrize("arm", ["ur5", "physics"])
def test_no_command_opens_a_file_in_a_tick(
    tmp_path: Path,
    arm: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder, take = tmp_path / arm, tmp_path / "take.mcap"
    room = write_physics_room(folder) if arm == "physics" else write_room(folder, arm)
    found: dict[str, Any] = run_script(SCRIPT, json.dumps([*room, str(take)]))
    assert found["problems"] == [] and found["ticks"] > 50
    assert found["opened"] == []
    folder.rename(tmp_path / "gone")
    status, out, err = CommandLine(monkeypatch, capsys).run("replay", take, "--check", "--trust")
    assert status == 0, out + err
    assert f"replayed {found['ticks']} of {found['ticks']} ticks" in out
