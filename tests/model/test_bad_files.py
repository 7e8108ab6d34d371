"""Thousands of damaged files: each loads to a sound model or is refused with a place, and soon."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from oracles.recursive_fk import world_poses
from support.dh_text import ARM
from support.random_models import random_chain, random_tree

from robotix.errors import BadFile
from robotix.model import Model
from robotix.model.dh import load_dh
from robotix.model.legacy.robot_file import load_robotix
from robotix.model.legacy.scene_file import nodes_path
from robotix.model.legacy.writer import to_robotix
from robotix.model.mjcf.compiler import MjcfCompiler
from robotix.model.mjcf.reader import load_mjcf
from robotix.model.mjcf.writer import to_mjcf
from robotix.model.urdf.reader import load_urdf
from robotix.model.urdf.writer import to_urdf

LONGEST = 5.0  # s

MJCF_EXTRAS = b"""<default><joint damping="1"/><default class="a"><geom rgba="1 0 0 1"/></default>
</default><worldbody><body name="many" pos="1 0 0">
<joint name="a" axis="1 0 0" pos="0 0 1" range="-1 1"/>
<joint name="b" type="slide" ref="0.5"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<geom class="a" type="capsule" fromto="0 0 0 0 0 1"
size="0.1"/><replicate count="3" offset="0 0 1"><geom size="0.1"/></replicate></body></worldbody>
<actuator><motor joint="a" forcerange="-1 1"/></actuator></mujoco>"""

WORDS = [
    *(
        b"nan",
        b"inf",
        b"-inf",
        b"1e308",
        b"-1e999",
        b"1e-320",
        b"0",
        b"-1",
        b"99999999999999999999",
    ),
    *(b"1_0", b"0x10", b"", b"\xff\xfe", b"\x00", b"true", b"[[]]", b"{", b"}", b"=", b"#", b'"'),
    *(b"<", b"</", b"/>", b"<!--", b"<![CDATA[", b"<!DOCTYPE a>", b"&amp;", b"&x;", b"<a>" * 500),
    *(b"[" * 2000, b"floating", b"planar", b"ball", b"mimic", b"ROBOT = 1 {", b"9" * 5000),
]
TOKEN = re.compile(rb"[A-Za-z_][\w:]*|-?\d+\.?\d*(?:e-?\d+)?|\"[^\"\n]*\"|<[^<>]*>|\S")
NUMBER = re.compile(rb"-?\d+\.?\d*(?:e-?\d+)?")


def pick(data: bytes, rng: np.random.Generator, pattern: re.Pattern[bytes]) -> tuple[int, int]:
    """Return where one of the tokens stands."""
    spans = [match.span() for match in pattern.finditer(data)]
    return spans[rng.integers(len(spans))] if spans else (0, len(data))


def damage(data: bytes, rng: np.random.Generator) -> bytes:
    """Return the data with one random fault in it."""
    at = int(rng.integers(len(data) + 1))
    end = min(len(data), at + int(rng.integers(1, 80)))
    word = WORDS[rng.integers(len(WORDS))]
    match rng.integers(10):
        case 0:  # one byte
            return data[:at] + bytes([rng.integers(256)]) + data[at + 1 :]
        case 1:  # a stretch gone
            return data[:at] + data[end:]
        case 2:  # a stretch twice
            return data[:end] + data[at:end] + data[end:]
        case 3:  # cut off
            return data[:at]
        case 4:  # a word in between
            return data[:at] + word + data[at:]
        case 5 | 6:  # another number, or something that is none
            start, stop = pick(data, rng, NUMBER)
            number = [b"0.5", b"-2", b"3", b"1e-3", b"100", word][rng.integers(6)]
            return data[:start] + number + data[stop:]
        case 7:  # a token gone
            start, stop = pick(data, rng, TOKEN)
            return data[:start] + data[stop:]
        case 8:  # a token in the place of another
            (start, stop), (a, b) = pick(data, rng, TOKEN), pick(data, rng, TOKEN)
            return data[:start] + data[a:b] + data[stop:]
        case _:  # a line elsewhere
            lines = data.split(b"\n")
            lines.insert(int(rng.integers(len(lines))), lines.pop(int(rng.integers(len(lines)))))
            return b"\n".join(lines)


def damaged(bases: list[bytes], count: int, seed: int) -> list[bytes]:
    rng = np.random.default_rng(seed)
    files = []
    for i in range(count):
        data = bases[i % len(bases)]
        for _ in range(int(rng.choice([1, 1, 1, 2, 4]))):
            data = damage(data, rng)
        files.append(data)
    return files


def try_all(
    files: list[bytes], path: Path, load: Callable[[Path], tuple[Model, ...]]
) -> tuple[int, int]:
    """Load every file; return how many were read and how many refused."""
    read = refused = 0
    for number, data in enumerate(files):
        path.write_bytes(data)
        start = time.perf_counter()
        try:
            models = load(path)
        except BadFile as error:
            refused += 1
            assert error.line > 0 or not data.strip(), f"file {number} has no place: {error}"
            assert len(str(error)) < 2000
        else:
            read += 1
            for model in models:
                poses = world_poses(model, model.neutral)
                assert all(np.isfinite(pose.matrix).all() for pose in poses.values())
        assert time.perf_counter() - start < LONGEST, f"file {number} took too long"
    return read, refused


def bases_of(write: Callable[[Model], str]) -> list[bytes]:
    rng = np.random.default_rng(0)
    trees = [random_tree(rng, floating=i == 1, meshes=False, most=4) for i in range(3)]
    return [write(tree).encode() for tree in trees]


def test_damaged_urdf_files(tmp_path: Path) -> None:
    files = damaged(bases_of(to_urdf), 2400, seed=1)
    read, refused = try_all(files, tmp_path / "robot.urdf", lambda path: (load_urdf(path),))
    assert read > 200 and refused > 1000


def test_damaged_mjcf_files(tmp_path: Path) -> None:
    bases = [base.replace(b"</mujoco>", MJCF_EXTRAS) for base in bases_of(to_mjcf)]
    with MjcfCompiler(timeout=LONGEST - 0.5) as compiler:
        compiler.compile(str(tmp_path / "none.xml"))  # starting it is not part of any file
        read, refused = try_all(
            damaged(bases, 900, seed=2),
            tmp_path / "robot.xml",
            lambda path: (load_mjcf(path, compiler=compiler),),
        )
    assert read > 50 and refused > 300


@pytest.mark.parametrize("part", ["robot", "nodes"])
def test_damaged_robotix_files(part: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    robot, nodes = to_robotix([random_chain(rng), random_chain(rng).prefixed("b/")])
    path = tmp_path / "robot.cfg"
    path.write_text(robot)
    nodes_path(path).write_text(nodes)
    is_robot = part == "robot"
    files = damaged([(robot if is_robot else nodes).encode()], 700, seed=4 if is_robot else 5)
    broken = path if is_robot else nodes_path(path)
    read, refused = try_all(files, broken, lambda _: load_robotix(path))
    assert read > (5 if is_robot else 50) and refused > 200


def test_damaged_dh_tables(tmp_path: Path) -> None:
    files = damaged([ARM.encode()], 900, seed=6)
    read, refused = try_all(files, tmp_path / "robot.toml", lambda path: (load_dh(path),))
    assert read > 50 and refused > 300
