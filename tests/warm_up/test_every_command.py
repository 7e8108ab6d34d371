"""Once kernels are compiled, no command makes a tick wait for the compiler, on any kind of arm."""

import json
from pathlib import Path

from support.every_command import (
    ARMS,
    DEEDS,
    LINES,
    NOT_COMMANDS,
    PHYSICS_DEEDS,
    PHYSICS_LINES,
    write_physics_room,
    write_room,
)
from support.subprocess_script import run_script

from robotix.scene.commands.registry import COMMANDS
from robotix.scene.console.edit_lines import EDIT_COMMANDS
from robotix.scene.console.robot_lines import LINE_COMMANDS

SCRIPT = """
import json, sys
from numba.core import event
from numba.core.dispatcher import Dispatcher
from robotix.kernels.compile_events import CompileCounter
from robotix.warm_up.stages import PLANS

def signatures():
    return {
        f"{name}.{key}{signature}"
        for name, module in sys.modules.copy().items() if name.startswith("robotix.")
        for key, each in vars(module).copy().items() if isinstance(each, Dispatcher)
        for signature in each.signatures
    }

plan = PLANS["all"]
for stage in (*plan.first, *plan.second, *plan.last):
    stage.run()
before, counter = signatures(), CompileCounter()

from robotix.authoring import load_scene
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.events.events import Event, Signal

from robotix.authoring.save.save import save_room

problems, count = [], 0
with event.install_listener("numba:compile", counter):
    for file, lines, names in json.loads(sys.argv[1]):
        scene = load_scene(file, trust=True)
        scene.saver = save_room
        count = 0  # so that the hand moves alike in all rooms
        def step(*commands):
            global count
            count += 1
            at = 0.001 * (count % 100)
            glove = Reading(position=(0.3 + at, 0.1, 0.2))
            scene.step(Inputs({"glove": glove}, commands=commands))
            problems.extend(
                f"{file} {each.who}: {each.what}" for each in scene.messages
                if type(each).__name__ == "Problem"
            )
        step()
        def run_lines():
            for line in lines:
                step(line)
                for _ in range(5):
                    step()
        if scene.physics.is_on:  # what lines have connected, rules cut
            run_lines()
        for name in names:
            for state in (True, False):
                scene.emit(Event(Signal(f"do {name}"), state))
                for _ in range(6 if state else 2):
                    step()
        if not scene.physics.is_on:
            run_lines()
new = sorted(signatures() - before)
found = {"new": new, "known": len(before), "problems": problems, "compiled": counter.count}
print(json.dumps(found))
"""


def test_every_command_is_tried() -> None:
    assert {*DEEDS, *PHYSICS_DEEDS} == set(COMMANDS)
    tried = {line.split()[0] for line in (*LINES, *PHYSICS_LINES)}
    assert tried == {*LINE_COMMANDS, *EDIT_COMMANDS} - NOT_COMMANDS


def test_no_command_compiles_anything_in_a_tick(tmp_path: Path) -> None:
    rooms = [write_room(tmp_path / arm, arm) for arm in ARMS]
    rooms.append(write_physics_room(tmp_path / "physics"))
    found = run_script(SCRIPT, json.dumps(rooms))
    assert found["known"] > 10 and found["problems"] == []
    assert found["new"] == [] and found["compiled"] == 0
