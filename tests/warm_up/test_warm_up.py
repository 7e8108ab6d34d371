"""What is warmed up is all that a room calls: no tick waits for the compiler."""

import json
import subprocess
import sys
from typing import Any

import pytest

from robotix.kernels import compiled_groups, sources
from robotix.warm_up.stages import PLANS

# Notes every compiled function that is in memory, and for which arguments; new ones are those that
# a tick would have waited for.
WATCH = """
import json, sys
from numba.core.dispatcher import Dispatcher

def signatures():
    return {
        f"{name}.{key}{signature}"
        for name, module in sys.modules.copy().items() if name.startswith("robotix.")
        for key, each in vars(module).copy().items() if isinstance(each, Dispatcher)
        for signature in each.signatures
    }
"""
ROOM = """
from robotix.warm_up.stages import PLANS
plan = PLANS["room"]
for stage in (*plan.first, *plan.second, *plan.last):
    stage.run()
before = signatures()

from robotix.authoring import load_scene
from robotix.authoring.rooms import default_room
from robotix.scene.console.console import install_console
from robotix.inputs.readings import Inputs, Reading
from robotix.warm_up.rooms import warm_up
scene = load_scene(default_room())
install_console(scene)
warm_up(scene)
rest = {"stick": Reading(axes=(0.2, 0.1, 0.3)), "wheels": Reading(axes=(0.5, 0.2))}
hand = Reading(buttons=frozenset({"grip", "pinch"}), position=(0.5, 0.5, 0.9))
keys = ["", *"T1T2T3T4XMGLKBTG", "Up", "Left", ""]
problems = []
for key in keys:
    pressed = Reading(buttons=frozenset({key} - {""}))
    for _ in range(20):
        scene.step(Inputs({"keyboard": pressed, "right_glove": hand, "left_glove": hand, **rest}))
for line in %r:
    scene.step(Inputs(rest, commands=(line,)))
    problems += [str(each) for each in scene.messages if type(each).__name__ == "Problem"]
    for _ in range(5):
        scene.step(Inputs(rest))
new = sorted(signatures() - before)
print(json.dumps({"new": new, "known": len(before), "problems": problems}))
"""
MOVE = "move_xyz (0.4,-0.3,0.8)"
LINES = [
    "move @20;(0.2,-80,0,0,50,0,-30,0)",
    "step (0,1,1,1,1,1,1,1)",
    "joint 3; 10",
    "home",
    "move_xyz (0.5,-0.3,0.9)",
    "move_p2p (0.5,-0.2,0.9)",
    *(line for method in ("nested", "strict", "qp") for line in (f"set_method {method}", MOVE)),
    "set_obstacle cup; 0.1",
    MOVE,
    "clear_obstacles",
    "set_end_effector 5",
    MOVE,
    "set_first_joint 2",
    MOVE,
    "display_ellipsoid",
    "track_toggle",
    "printvar",
    "stop",
]


def run(script: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_no_tick_of_the_flat_waits_for_the_compiler() -> None:
    found = run(WATCH + ROOM % LINES)
    assert found["known"] > 10
    assert found["problems"] == []
    assert found["new"] == []


def test_every_stage_has_a_name_of_its_own() -> None:
    for plan in PLANS.values():
        names = [stage.name for stage in (*plan.first, *plan.second, *plan.last)]
        assert len(names) == len(set(names))


def test_a_group_is_compiled_until_a_source_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    import robotix.kinematics.kernels.tick as tick

    assert tick.__name__ in compiled_groups._loaded_modules()
    compiled_groups.mark_compiled("of this test")
    assert compiled_groups.is_compiled("of this test")
    assert not compiled_groups.is_compiled("of no test")
    monkeypatch.setattr(compiled_groups, "fingerprint_of", lambda file, module: "another")
    assert not compiled_groups.is_compiled("of this test")
    assert sources.has_kernels(sources.PACKAGE / "kernels" / "__init__.py")


def test_the_solver_is_compiled_with_numba_alone() -> None:
    """`make run` compiles it while all other dependencies are being installed."""
    blocked = """
import sys
from importlib.metadata import requires
import re

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"{name} may not be installed yet")

always = [each for each in requires("robotix") if "extra" not in each]
names = {re.match("[A-Za-z0-9_.-]+", each)[0].lower() for each in always}
modules = {"pyyaml": "yaml", "pillow": "PIL"}
BLOCKED = {modules.get(name, name.replace("-", "_")) for name in names}
BLOCKED -= {"numba", "numpy", "lazy_loader"}
assert {"msgspec", "mujoco", "yaml"} <= BLOCKED
sys.meta_path.insert(0, Blocker())
import robotix.warm_up.__main__
import robotix.warm_up.kinematics
"""
    done = subprocess.run([sys.executable, "-c", blocked], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


FLAWED = """
from pathlib import Path
from tempfile import TemporaryDirectory
from robotix.geometry import Pose, Sphere
from robotix.model.robots import load
from robotix.scene.commands.basic import Say
from robotix.scene.events.events import Collision
from robotix.scene.scene import Scene
from robotix.warm_up.rooms import warm_up

with TemporaryDirectory() as folder:
    file = Path(folder, "arm.urdf")
    limit = '<limit lower="-2" upper="2" velocity="1"/>'
    mesh = '<collision><geometry><mesh filename="package://no/a.stl"/></geometry></collision>'
    links = "".join(f'<link name="l{i}">{mesh}</link>' for i in range(4))
    joints = "".join(
        f'<joint name="j{i}" type="revolute"><parent link="l{i}"/><child link="l{i + 1}"/>'
        f'<origin xyz="0 0 0.3"/><axis xyz="{i % 2} 1 0"/>{limit}</joint>' for i in range(3)
    )
    file.write_text(f'<robot name="arm">{links}{joints}</robot>')
    scene = Scene()
    arm = scene.add_robot("arm", load(file))
assert arm.model.notes
scene.graph.add("ball", solids=[Sphere(0.1)], pose=Pose.at(0.3, 0, 0.5))
scene.on(Collision("arm", "ball"), Say("ouch"))
warm_up(scene)
before = signatures()
arm.add_obstacle("ball", 0.02)
arm.move_xyz(arm.tip_position() + 0.05)
for _ in range(5):
    scene.step()
print(json.dumps(sorted(signatures() - before)))
"""


def test_a_robot_whose_file_has_flaws_is_warmed_up_too() -> None:
    assert run(WATCH + FLAWED) == []
