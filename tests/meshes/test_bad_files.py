"""Mesh files: what is refused, and that nothing but `BadFile` ever comes out."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.mesh_checks import Write
from support.mesh_files import BINARY, FACES, MTL, OBJ, STL, STL_TEXT, TETRA, glb, gltf, stl_bytes

from robotix.errors import BadFile
from robotix.meshes import obj_file
from robotix.meshes import part as mesh_part
from robotix.meshes.asset import load_mesh

# -- what is refused --------------------------------------------------------------------------


def broken(**changes: Any) -> bytes:
    return glb(gltf(**changes))


NOT_A_NUMBER = TETRA[FACES].copy()
NOT_A_NUMBER[1, 2, 0] = np.nan
REFUSED = [
    ("x.stl", STL[:-1], "cut short"),
    ("x.stl", b"", "empty"),
    ("x.stl", stl_bytes(TETRA[FACES][:0]), "no triangles"),
    ("x.stl", stl_bytes(NOT_A_NUMBER), "nan"),
    ("x.stl", stl_bytes(TETRA[FACES] * 1e30), "numbers below"),
    ("x.stl", b"solid\nvertex 1 2\n", ":2: 'vertex 1 2'"),
    ("x.stl", b"solid\nouter\nvertex 1 2 3\nendloop\n", "three lines"),
    ("x.obj", b"v 0 0 0\nv 1 0 0\nf 1 2 3\n", ":3: 'f 1 2 3'; expected corners from the 2"),
    ("x.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "corners from"),
    ("x.obj", b"v 0 0 0\nv 1 0 0\nf 1 2\n", "three corners"),
    ("x.obj", b"v 0 0 zero\n", "'v x y z'"),
    ("x.obj", b"v 0 0 inf\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "inf"),
    ("x.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", "no triangles"),
    ("x.obj", b"mtllib ../secret.mtl\n", "copy it there"),
    ("x.obj", b"mtllib /etc/passwd\n", "copy it there"),
    ("x.obj", b"mtllib C:\\x.mtl\n", "copy it there"),
    ("x.ply", b"ply", "one of .glb"),
    ("x.dae", b"<collada/>", "<COLLADA> as the outermost"),
    ("x.glb", b"glTF", "GLB file of version 2"),
    ("x.glb", glb(gltf())[:-30], "past the end"),
    ("x.glb", glb([1]), "object"),
    ("x.glb", broken(asset={"version": "1.0"}), "version 2"),
    ("x.glb", broken(nodes=[{"children": [1]}, {"children": [0]}]), "two parents"),
    ("x.glb", broken(nodes=[{"children": [7]}]), "whole number below 1"),
    ("x.glb", broken(nodes=[{"mesh": 1}]), "meshes number 1"),
    ("x.glb", broken(nodes=[{"mesh": 0, "matrix": [1]}]), "16 numbers"),
    ("x.glb", broken(nodes=[{"mesh": 0, "rotation": [0, 0, 0, 0]}]), "unit quaternion"),
    ("x.glb", broken(nodes=[{"mesh": 0, "translation": [0, 0, float("inf")]}]), "numbers up to"),
    ("x.glb", broken(extensionsRequired=["KHR_draco_mesh_compression"]), "switch it off"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "../x.bin"}]), "copy it there"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "%2e%2e/x.bin"}]), "copy it there"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "/etc/hostname"}]), "copy it there"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "http://x/y.bin"}]), "copy it there"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "none.bin"}]), "no such file"),
    ("x.glb", broken(buffers=[{"byteLength": 1, "uri": "data:,abc"}]), "base64"),
    ("x.gltf", json.dumps(gltf()).encode(), "no uri"),
    ("x.gltf", b"[" * 100_000, "no JSON"),
]


@pytest.mark.parametrize(("name", "data", "says"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_plain_words(write: Write, name: str, data: bytes, says: str) -> None:
    with pytest.raises(BadFile) as refusal:
        load_mesh(write(name, data))
    assert says in str(refusal.value)


@pytest.mark.parametrize(
    "accessor",
    [
        {"count": 5},
        {"count": 10**12},
        {"count": -1},
        {"count": 1.5},
        {"count": True},
        {"type": "VEC4"},
        {"componentType": 1},
        {"byteOffset": 4},
        {"bufferView": 9},
        {"sparse": {}},
    ],
    ids=str,
)
def test_refuses_numbers_that_are_not_there(write: Write, accessor: dict[str, Any]) -> None:
    document = gltf()
    document["accessors"][0] |= accessor
    with pytest.raises(BadFile):
        load_mesh(write("x.glb", glb(document)))


def test_refuses_a_triangle_whose_corner_is_missing(write: Write) -> None:
    binary = BINARY[:48] + np.full(12, 4, dtype="<u2").tobytes()
    with pytest.raises(BadFile, match="corners"):
        load_mesh(write("x.glb", glb(gltf(), binary)))


def test_refuses_a_link_out_of_the_folder(tmp_path: Path, write: Write) -> None:
    outside = tmp_path / "outside.bin"
    outside.write_bytes(BINARY)
    folder = tmp_path / "inside"
    folder.mkdir()
    (folder / "x.bin").symlink_to(outside)
    (folder / "x.glb").write_bytes(broken(buffers=[{"byteLength": 1, "uri": "x.bin"}]))
    with pytest.raises(BadFile, match="link out of here"):
        load_mesh(folder / "x.glb")


@pytest.mark.parametrize("name", ["", "a\0b", "nothing.stl", "."])
def test_refuses_what_is_no_file(name: str) -> None:
    with pytest.raises(BadFile):
        load_mesh(name)


def test_refuses_too_many_triangles(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mesh_part, "MAX_TRIANGLES", 3)
    monkeypatch.setattr(obj_file, "MAX_TRIANGLES", 3)
    for name, data in (("x.stl", STL), ("x.obj", OBJ), ("x.glb", glb(gltf()))):
        with pytest.raises(BadFile, match="triangles"):
            load_mesh(write(name, data))


def test_refuses_one_mesh_shown_too_often(write: Write) -> None:
    lots = [{"mesh": 0} for _ in range(1000)]
    primitives = [{"attributes": {"POSITION": 0}, "mode": 0}] * 300
    document = gltf(
        nodes=lots, scenes=[{"nodes": list(range(1000))}], meshes=[{"primitives": primitives}]
    )
    with pytest.raises(BadFile, match="primitives"):
        load_mesh(write("x.glb", glb(document)))


# -- anything ---------------------------------------------------------------------------------


def mutated(data: bytes, rng: np.random.Generator) -> bytes:
    """Return the data with a few bytes changed, cut out, doubled or put in."""
    bytes_ = bytearray(data)
    for _ in range(rng.integers(1, 6)):
        at, length = rng.integers(len(bytes_)), int(rng.integers(1, 20))
        match rng.integers(5):
            case 0:
                bytes_[at] = rng.integers(256)
            case 1:
                bytes_[at] ^= 1 << int(rng.integers(8))
            case 2 if len(bytes_) > 50:
                del bytes_[at : at + length]
            case 3:
                bytes_[at:at] = bytes_[at : at + length]
            case _:
                bytes_[at:at] = rng.choice([b"9", b"-", b"nan", b"1e999", b"[", b"\xff" * 4])
    return bytes(bytes_)


JUNK: list[Any] = [None, True, -1, 10**30, 1e300, float("nan"), "", "x", [], {}, [[]], 2**31, 0.5]


def spoiled(rng: np.random.Generator) -> bytes:
    """Return a file of which one JSON value is something else."""
    document = gltf()
    places: list[tuple[Any, Any]] = []

    def walk(value: Any) -> None:
        keys = (
            range(len(value))
            if isinstance(value, list)
            else value
            if isinstance(value, dict)
            else ()
        )
        for key in keys:
            places.append((value, key))
            walk(value[key])

    walk(document)
    for _ in range(rng.integers(1, 3)):
        holder, key = places[rng.integers(len(places))]
        holder[key] = JUNK[rng.integers(len(JUNK))]
    return glb(document)


SEEDS = {"x.stl": STL, "text.stl": STL_TEXT, "x.obj": OBJ, "x.glb": glb(gltf())}


@pytest.mark.parametrize("name", SEEDS)
def test_only_bad_file_comes_out_of_mutated_files(write: Write, name: str) -> None:
    rng, refused = np.random.default_rng(7), 0
    write("look.mtl", MTL)
    for _ in range(200):
        path = write(name, mutated(SEEDS[name], rng))
        try:
            asset = load_mesh(path)
            assert np.isfinite(asset.vertices).all() and asset.faces.max() < len(asset.vertices)
        except BadFile:
            refused += 1
    assert refused > 20


def test_only_bad_file_comes_out_of_spoiled_json(write: Write) -> None:
    rng, refused = np.random.default_rng(8), 0
    for _ in range(250):
        try:
            load_mesh(write("x.glb", spoiled(rng)))
        except BadFile:
            refused += 1
    assert refused > 60


def test_only_bad_file_comes_out_of_mutated_materials(write: Write) -> None:
    rng, read = np.random.default_rng(9), 0
    for k in range(200):
        write("look.mtl", mutated(MTL, rng))
        read += len(load_mesh(write(f"{k}.obj", OBJ)).parts)
    assert read == 400
