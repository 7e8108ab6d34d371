"""Motions as BVH files: the joints are where the manikin has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import manikin, random_q

from robotix.geometry import Array
from robotix.human import Manikin
from robotix.human.body.landmarks import segment_body
from robotix.human.export.bvh import euler_angles, save_bvh
from robotix.human.export.gltf import save_gltf
from robotix.kinematics import Posture
from robotix.motion import Motion
from robotix.motion.coordinates import Dof

Y_UP = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])  # of a BVH file, from ours


@cache
def person() -> Manikin:
    return manikin("f")


def some_motion(rows: int = 4) -> Motion:
    q = [random_q(person().model, seed) for seed in range(rows)]
    return Motion.of(person().model, np.arange(rows) / 10, q=q)


@dataclass
class BvhJoint:
    name: str
    offset: Array
    channels: list[str] = field(default_factory=list)
    children: list[BvhJoint] = field(default_factory=list)


def read_bvh(path: Path) -> tuple[BvhJoint, Array, float]:
    words = path.read_text().split()
    assert words.pop(0) == "HIERARCHY"

    def joint() -> BvhJoint:
        kind, name = words.pop(0), words.pop(0)
        assert kind in ("ROOT", "JOINT", "End") and words.pop(0) == "{"
        assert words.pop(0) == "OFFSET"
        found = BvhJoint(name, np.array([float(words.pop(0)) for _ in range(3)]))
        if words[0] == "CHANNELS":
            words.pop(0)
            found.channels = [words.pop(0) for _ in range(int(words.pop(0)))]
        while words[0] != "}":
            found.children.append(joint())
        words.pop(0)
        return found

    root = joint()
    assert [words.pop(0) for _ in range(2)] == ["MOTION", "Frames:"]
    count = int(words.pop(0))
    assert [words.pop(0) for _ in range(2)] == ["Frame", "Time:"]
    time = float(words.pop(0))
    return root, np.array(words, dtype=float).reshape(count, -1), time


def about(axis: str, degrees: float) -> Array:
    a = "XYZ".index(axis)
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    R = np.eye(3)
    i, j = (a + 1) % 3, (a + 2) % 3
    R[i, i] = R[j, j] = c
    R[i, j], R[j, i] = -s, s
    return R


def places_of(root: BvhJoint, row: Array) -> dict[str, Array]:
    values, found = list(row), {}

    def visit(joint: BvhJoint, R: Array, t: Array) -> None:
        t = t + R @ joint.offset
        for channel in joint.channels:
            value = values.pop(0)
            if channel.endswith("position"):
                if channel.startswith("X"):
                    t = np.zeros(3)  # a root's place stands for its offset
                t["XYZ".index(channel[0])] = value
            else:
                R = R @ about(channel[0], value)
        found[joint.name] = t
        for child in joint.children:
            visit(child, R, t)

    visit(root, np.eye(3), np.zeros(3))
    return found


def test_bvh_puts_every_joint_where_it_is(tmp_path: Path) -> None:
    motion = some_motion()
    save_bvh(tmp_path / "a.bvh", person(), motion, rate=20)
    root, rows, time = read_bvh(tmp_path / "a.bvh")
    assert time == pytest.approx(0.05) and len(rows) == 7
    assert rows.shape[1] == 6 + 3 * 17
    for number, row in enumerate(rows):
        posture = Posture(person().model, motion.at(number * 0.05))
        for name, place in places_of(root, row).items():
            if name != "Site":
                expected = Y_UP @ posture.position(segment_body(name))
                np.testing.assert_allclose(place / 100, expected, atol=1e-6)


def test_bvh_angles_never_jump(tmp_path: Path) -> None:
    model = person().model
    turning = np.zeros((40, model.n_dof))
    turning[:, model.dof_names.index("right_shoulder_flexion")] = np.linspace(0, np.pi, 40)
    save_bvh(tmp_path / "a.bvh", person(), Motion.of(model, np.arange(40) / 20, q=turning), rate=20)
    _, rows, _ = read_bvh(tmp_path / "a.bvh")
    assert abs(np.diff(rows, axis=0)).max() < 10


@given(
    angles=st.tuples(*[st.floats(-np.pi, np.pi)] * 3),
    order=st.sampled_from(["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]),
    locked=st.sampled_from([None, 90.0, -90.0]),
)
@settings(max_examples=100)
def test_angles_give_the_rotation_back(
    angles: tuple[float, float, float], order: str, locked: float | None
) -> None:
    degrees = np.degrees(angles)
    if locked is not None:
        degrees[1] = locked
    R = np.linalg.multi_dot([about(a, d) for a, d in zip(order, degrees, strict=True)])
    found = np.degrees(euler_angles(R[None], order)[0])
    again = np.linalg.multi_dot([about(a, d) for a, d in zip(order, found, strict=True)])
    np.testing.assert_allclose(again, R, atol=1e-7)


@pytest.mark.parametrize(("save", "name"), [(save_bvh, "a.bvh"), (save_gltf, "a.glb")])
def test_a_motion_of_something_else_is_refused(save: Any, name: str, tmp_path: Path) -> None:
    other = Motion((Dof("elbow"),), np.zeros(1), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="does not fit"):
        save(tmp_path / name, person(), other)
    with pytest.raises(ValueError, match="rate"):
        save(tmp_path / name, person(), some_motion(2), rate=0.0)
