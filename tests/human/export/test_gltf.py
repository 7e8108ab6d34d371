"""Motions as glTF files: the skin and the bones of the manikin."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.people import manikin, random_q

from robotix.geometry import Array
from robotix.human import Manikin
from robotix.human.export.gltf import save_gltf
from robotix.human.skin.skin import Skin, make_skin
from robotix.kinematics import Posture
from robotix.meshes.gltf_file import read_glb
from robotix.motion import Motion


@cache
def person() -> Manikin:
    return manikin("f")


@cache
def skin() -> Skin:
    return make_skin(person())


def some_motion(rows: int = 4) -> Motion:
    q = [random_q(person().model, seed) for seed in range(rows)]
    return Motion.of(person().model, np.arange(rows) / 10, q=q)


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


def test_gltf_wants_its_ending(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"\.glb"):
        save_gltf(tmp_path / "a.gltf", person(), some_motion(2))
