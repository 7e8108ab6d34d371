"""Exported motions say what the manikin does: BVH by a reader of its own, glTF by its numbers."""

from __future__ import annotations

import json
import struct
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
from robotix.human.skin.skin import Skin, make_skin
from robotix.kinematics import Posture
from robotix.meshes.gltf_file import read_glb
from robotix.motion import Motion
from robotix.motion.coordinates import Dof

Y_UP = np.array([[0.0, 1, 0], [0, 0, 1], [1, 0, 0]])  # of a BVH file, from ours


@cache
def person() -> Manikin:
    return manikin("f")


@cache
def skin() -> Skin:
    return make_skin(person())


def some_motion(rows: int = 4) -> Motion:
    q = [random_q(person().model, seed) for seed in range(rows)]
    return Motion.of(person().model, np.arange(rows) / 10, q=q)


# -- BVH ----------------------------------------------------------------------------------------


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


# -- glTF ---------------------------------------------------------------------------------------


@dataclass
class Gltf:
    document: dict[str, Any]
    binary: bytes

    @staticmethod
    def load(path: Path) -> Gltf:
        data = path.read_bytes()
        magic, version, total = struct.unpack_from("<4sII", data)
        assert magic == b"glTF" and version == 2 and total == len(data)
        length = struct.unpack_from("<I", data, 12)[0]
        return Gltf(json.loads(data[20 : 20 + length]), data[28 + length :])

    def values(self, accessor: int) -> Array:
        a = self.document["accessors"][accessor]
        view = self.document["bufferViews"][a["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[a["type"]]
        kind = {5121: "u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}[a["componentType"]]
        start = view["byteOffset"]
        flat = np.frombuffer(self.binary[start : start + view["byteLength"]], kind)
        assert len(flat) == a["count"] * width
        return flat.reshape(-1, width).astype(float)

    def skinned(self, row: int) -> Array:
        """Return where linear blending puts the vertices at a row of the animation."""
        nodes = [dict(node) for node in self.document["nodes"]]
        animation = self.document["animations"][0]
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]
            nodes[target["node"]][target["path"]] = self.values(sampler["output"])[row]
        globals_: dict[int, Array] = {}

        def visit(index: int, above: Array) -> None:
            node, local = nodes[index], np.eye(4)
            x, y, z, w = node.get("rotation", (0, 0, 0, 1))
            local[:3, :3] = [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
            local[:3, 3] = node.get("translation", (0, 0, 0))
            globals_[index] = above @ local
            for child in node.get("children", ()):
                visit(child, globals_[index])

        for root in self.document["scenes"][0]["nodes"]:
            visit(root, np.eye(4))
        bones = self.document["skins"][0]
        inverse = self.values(bones["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        matrices = np.stack([globals_[j] for j in bones["joints"]]) @ inverse
        attributes = self.document["meshes"][0]["primitives"][0]["attributes"]
        points = self.values(attributes["POSITION"])
        joints = self.values(attributes["JOINTS_0"]).astype(int)
        weights = self.values(attributes["WEIGHTS_0"])
        np.testing.assert_allclose(weights.sum(axis=1), 1.0, atol=1e-6)
        blended = np.einsum("vk,vkij->vij", weights, matrices[joints])
        return np.asarray(np.einsum("vij,vj->vi", blended[:, :3, :3], points) + blended[:, :3, 3])


def test_gltf_skins_as_our_own_where_one_bone_holds(tmp_path: Path) -> None:
    motion = some_motion(3)
    save_gltf(tmp_path / "a.glb", person(), motion, rate=10, skin=skin())
    file = Gltf.load(tmp_path / "a.glb")
    single = (skin().rig.weights > 1 - 1e-9).any(axis=1)
    assert single.sum() > 1000
    for row in range(3):
        found = file.skinned(row)[:, [0, 2, 1]] * (1, -1, 1)  # back to z up
        expected = skin().at(Posture(person().model, motion.q[row])).vertices
        np.testing.assert_allclose(found[single], expected[single], atol=2e-6)
        assert np.linalg.norm(found - expected, axis=1).mean() < 5e-3  # blends differ a little


def test_gltf_is_read_as_the_body_at_rest(tmp_path: Path) -> None:
    save_gltf(tmp_path / "a.glb", person(), some_motion(2), skin=skin())
    parts = read_glb(tmp_path / "a.glb", (tmp_path / "a.glb").read_bytes())
    assert {part.material.name for part in parts if part.material} == {p.name for p in skin().parts}
    top = max(part.vertices[:, 2].max() for part in parts)
    assert top == pytest.approx(person().anthropometry.stature, abs=6e-3)


def test_gltf_says_how_long_it_takes(tmp_path: Path) -> None:
    motion = some_motion(5)
    save_gltf(tmp_path / "a.glb", person(), motion.shifted(3.0), rate=25, skin=skin())
    file = Gltf.load(tmp_path / "a.glb")
    clock = file.document["animations"][0]["samplers"][0]["input"]
    assert file.document["accessors"][clock]["min"] == [0.0]
    assert file.document["accessors"][clock]["max"] == pytest.approx([0.4])
    names = [node["name"] for node in file.document["nodes"]]
    assert "left_forearm" in names and "head" in names


# -- both ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("save", "name"), [(save_bvh, "a.bvh"), (save_gltf, "a.glb")])
def test_a_motion_of_something_else_is_refused(save: Any, name: str, tmp_path: Path) -> None:
    other = Motion((Dof("elbow"),), np.zeros(1), np.zeros((1, 1)))
    with pytest.raises(ValueError, match="does not fit"):
        save(tmp_path / name, person(), other)
    with pytest.raises(ValueError, match="rate"):
        save(tmp_path / name, person(), some_motion(2), rate=0.0)


def test_gltf_wants_its_ending(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.glb"):
        save_gltf(tmp_path / "a.gltf", person(), some_motion(2))
