"""Readers refuse what they cannot read, in words: no other error, no hang, whatever the bytes.

Files of every kind that people send each other are spoiled at random, read, and either understood
or refused with a `RobotixError`.
"""

from __future__ import annotations

import random
import resource
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import Figures
from support.bvh_text import ARM as BVH
from support.dh_text import ARM as DH
from support.marker_waves import wave
from support.mesh_files import BINARY, glb, gltf
from support.recorded_rooms import inputs_at, make_room

from robotix.authoring import check_scene
from robotix.capture.bvh_file import load_bvh
from robotix.capture.marker_plan import load_plan
from robotix.capture.mocap_files import load_markers
from robotix.capture.trc_file import dump_trc
from robotix.devices.mapping_file import load_device_map
from robotix.devices.recording import load_samples
from robotix.errors import RobotixError
from robotix.meshes import load_mesh
from robotix.model.load import load_file
from robotix.motion import load_motion, save_motion
from robotix.scene.recording.recorder import Recorder
from robotix.scene.recording.replay import read_header, replay

EXAMPLES = Path(__file__).parents[2] / "examples"
MAX_CPU = 20.0  # s, for one file
JUNK = [b"9", b"-", b"nan", b"1e999", b"[", b"{", b"\xff" * 4, b"\0", b"<", b"&", b"../", b"\n\n",
        b'"', b"\xed\xa0\x80", b"18446744073709551616", b": ", b"- - - -", b"x" * 3000]  # fmt: skip

SCENE = """
robotix: 1
robots: {arm: {model: planar_3r, at: [0, 0, 0.1]}}
devices: {stick: translate3}
objects:
  cup: {box: [0.1, 0.1, 0.1], at: [1, 0, 0.5]}
  ball: {sphere: 0.1, at: [0, 1, 1]}
rules:
  - when: {key: Left}
    do: {step: {by_deg: [1, 0, 0]}}
  - when: {collision: [cup, ball]}
    do: {in_turn: {do: [{hide: cup}, {wait: 0.5}, {show: cup}]}}
"""
SCRIPT = r"""
appl init robotix.so:init "robot.cfg"
appl loop robotix.so:loop
appl callback robotix.so:step "(1)" \
    key Left type reflect event on
wireframe robot appinput "end_of_stroke" event change
"""
ROBOT = "ROBOT = 1\n{\nJOINT j1\n{\nAXIS = a1\nTYPE = 1\nQMIN = -170\nQMAX = 170\n}\n}\n"
URDF = """<robot name="r"><link name="a"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><box size="1 1 1"/></geometry></visual></link><link name="b"/>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 1"/>
<axis xyz="0 0 1"/><limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""
MJCF = """<mujoco model="m"><worldbody><body name="a" pos="0 0 1"><joint name="j" type="hinge"
axis="0 1 0" range="-90 90"/><geom type="capsule" size="0.05 0.2" mass="1"/></body></worldbody>
<actuator><motor joint="j" gear="10"/></actuator></mujoco>"""
OBJ = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nf 1//1 2//1 3//1\nf 1 2 4\nf 1 3 4\n"
STL = (
    b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
)
MAP = """robotix: 1
logical:
  stick:
    kind: translate3
    from:
      - {device: space_mouse, axes: [-y, -x, -z], dead_zone: 0.05, curve: soft}
      - {device: keyboard, axes: [Up/Down, Left/Right, PageUp/PageDown], buttons: {fire: Space}}
"""
SAMPLES = b"""{"robotix_samples":1}
{"device":"stick","kind":"program","axes":["x"],"buttons":["go"]}
{"of":"stick","now":1.0,"time":1.0,"axes":[0.5]}
"""


@dataclass(frozen=True)
class Kind:
    """A kind of file: a sound one, what reads it, and its share of a campaign."""

    name: str
    data: bytes
    read: Callable[[Path], object]
    share: int


def replayed(path: Path) -> object:
    read_header(path)
    return replay(path, load=lambda header: make_room(seed=7, dt=1 / 120))


def kinds(folder: Path) -> list[Kind]:
    """Return all kinds; files that they need are written to a folder."""
    (folder / "robot.cfg").write_text(ROBOT)
    scene = make_room()
    with Recorder(folder / "take.mcap", scene) as recorder:
        for tick in range(1, 20):
            scene.step(inputs_at(tick))
            recorder(scene)
    (folder / "sound.trc").write_text(dump_trc(wave(20)), newline="")
    square = load_motion(EXAMPLES / "scenes" / "square.csv")
    save_motion(folder / "square.mcap", square)
    take, trc = (folder / "take.mcap").read_bytes(), (folder / "sound.trc").read_bytes()
    short = (EXAMPLES / "data" / "box_lift.c3d").read_bytes()
    plan, motion = EXAMPLES / "data" / "box_lift.toml", EXAMPLES / "scenes" / "square.csv"
    return [
        Kind("room.yaml", SCENE.encode(), check_scene, 8),
        Kind("room.vd2", SCRIPT.encode(), check_scene, 8),
        Kind("arm.cfg", ROBOT.encode(), check_scene, 8),
        Kind("arm.urdf", URDF.encode(), load_file, 16),
        Kind("arm.xml", MJCF.encode(), load_file, 1),
        Kind("arm.toml", DH.encode(), load_file, 16),
        Kind("x.obj", OBJ, load_mesh, 16),
        Kind("x.stl", STL, load_mesh, 16),
        Kind("x.glb", glb(gltf(), BINARY), load_mesh, 16),
        Kind("x.bvh", BVH.encode(), load_bvh, 16),
        Kind("x.trc", trc, load_markers, 16),
        Kind("x.c3d", short, load_markers, 4),
        Kind("plan.toml", plan.read_bytes(), load_plan, 16),
        Kind("motion.csv", motion.read_bytes(), load_motion, 16),
        Kind("motion.mcap", (folder / "square.mcap").read_bytes(), load_motion, 8),
        Kind("replay.mcap", take, replayed, 4),
        Kind("devices.yaml", MAP.encode(), load_device_map, 8),
        Kind("samples.jsonl", SAMPLES, load_samples, 8),
    ]


def spoiled(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a few random changes."""
    found = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 8))):
        at, length = rng.randrange(len(found) + 1), rng.randint(1, 24)
        match rng.randrange(6):
            case 0 if found:
                found[at % len(found)] = rng.randrange(256)
            case 1 if found:
                found[at % len(found)] ^= 1 << rng.randrange(8)
            case 2:
                del found[at : at + length]
            case 3:
                found[at:at] = found[at : at + 10 * length]
            case 4:
                found[at:at] = rng.choice(JUNK)
            case _:
                if rng.random() < 0.2:
                    del found[at:]
    return bytes(found)


def read_many(folder: Path, count: int, seed: int, figures: Figures) -> None:
    rng, every = random.Random(seed), kinds(folder)
    total = sum(kind.share for kind in every)
    n_read = n_refused = 0
    longest = 0.0
    for kind in every:
        path = folder / kind.name
        path.write_bytes(kind.data)
        for _ in range(max(2, round(count * kind.share / total))):
            path.write_bytes(spoiled(kind.data, rng))
            begin = time.process_time()
            try:
                kind.read(path)
                n_read += 1
            except RobotixError as error:
                assert str(error).strip(), f"{kind.name}: refused without a word"
                n_refused += 1
            except Exception as error:
                (folder.parent / f"kept_{kind.name}").write_bytes(path.read_bytes())
                raise AssertionError(f"{kind.name}: {error!r}, kept in {folder.parent}") from error
            longest = max(longest, time.process_time() - begin)
    assert n_read + n_refused >= count * 0.99
    assert n_refused > count / 10 and longest < MAX_CPU
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures(
        "readers refuse, never crash",
        f"{n_read + n_refused} mutated files of {len(every)} kinds",
        f"{n_read} read, {n_refused} refused in words, no other error; at most {longest:.2f} s of "
        f"processor time for one file, {memory:.0f} MB in all",
    )


def test_sound_files_are_read(tmp_path: Path) -> None:
    for kind in kinds(tmp_path):
        path = tmp_path / kind.name
        path.write_bytes(kind.data)
        found = kind.read(path)
        assert found == [] if kind.read is check_scene else found is not None, (kind.name, found)


def test_mutated_files_are_read_or_refused(tmp_path: Path, figures: Figures) -> None:
    read_many(tmp_path, 150, 1, figures)


@pytest.mark.soak
def test_twenty_thousand_mutated_files_are_read_or_refused(
    tmp_path: Path, figures: Figures
) -> None:
    read_many(tmp_path, 20_000, 2, figures)
