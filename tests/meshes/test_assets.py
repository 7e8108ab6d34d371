"""Mesh files: what is read, and how it stands."""

import base64
import json
import os
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import trimesh
from support.mesh_files import BINARY, FACES, MTL, OBJ, STL, STL_TEXT, TETRA, glb, gltf, stl_bytes

from robotix.meshes.asset import load_mesh

Write = Callable[[str, bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes], Path]:
    def write(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write


def outline(triangles: np.ndarray) -> list[list[float]]:
    """Return triangles in an order of their own, each from its lowest corner on."""
    turned = [np.roll(t, -int(np.lexsort(t.T[::-1])[0]), axis=0) for t in np.round(triangles, 6)]
    return sorted(t.ravel().tolist() for t in np.array(turned) + 0.0)


def check_tetra(path: Path, expected: np.ndarray = TETRA) -> None:
    asset = load_mesh(path)
    assert outline(asset.vertices[asset.faces]) == outline(expected[FACES])


@pytest.mark.parametrize("data", [STL, STL + b"a note", STL_TEXT], ids=["bytes", "note", "text"])
def test_stl_gives_its_triangles(write: Write, data: bytes) -> None:
    check_tetra(write("tetra.STL", data))


def test_obj_gives_a_part_for_every_material(write: Write) -> None:
    write("look.mtl", MTL)
    path = write("tetra.obj", OBJ)
    check_tetra(path)
    red, glass = load_mesh(path).parts
    assert (len(red.faces), len(glass.faces)) == (2, 2)
    assert red.material is not None and glass.material is not None
    assert red.material.colour == (1.0, 0.25, 0.0) and red.material.roughness == 1.0
    assert (glass.material.opacity, glass.material.roughness) == (0.5, 0.1)


def test_obj_does_without_its_materials(write: Write) -> None:
    path = write("tetra.obj", OBJ)
    assert [part.material for part in load_mesh(path).parts] == [None, None]


def test_obj_polygons_become_fans(write: Write) -> None:
    asset = load_mesh(write("p.obj", b"v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n"))
    assert asset.faces.tolist() == [[0, 1, 2], [0, 2, 3]]


def test_gltf_stands_upright_where_its_nodes_put_it(write: Write) -> None:
    x, y, z = (TETRA * [1, 2, 1]).T
    x, y, z = x, -z, y + 5  # turned about x by its node, then moved, with y up
    check_tetra(write("tetra.glb", glb(gltf())), np.stack([x, -z, y], axis=1))


def test_gltf_materials_are_read(write: Write) -> None:
    (part,) = load_mesh(write("tetra.glb", glb(gltf()))).parts
    assert part.material is not None
    assert part.material.colour == pytest.approx((1.0, 0.7353570, 0.0))  # sRGB of 0.5
    assert part.material.opacity == 0.25 and part.material.name == "steel"
    assert (part.material.metalness, part.material.roughness) == (0.75, 0.5)


def test_gltf_takes_its_bytes_from_a_file_beside_or_from_itself(write: Write) -> None:
    write("a b.bin", BINARY)
    plain = gltf(nodes=[{"mesh": 0}])
    upright = np.stack([TETRA[:, 0], -TETRA[:, 2], TETRA[:, 1]], axis=1)
    inline = "data:application/octet-stream;base64," + base64.b64encode(BINARY).decode()
    for name, uri in (("beside", "a%20b.bin"), ("inline", inline)):
        document = plain | {"buffers": [{"byteLength": len(BINARY), "uri": uri}]}
        check_tetra(write(f"{name}.gltf", json.dumps(document).encode()), upright)


@pytest.mark.parametrize(("mode", "count"), [(4, 2), (5, 4), (6, 4)])
def test_gltf_strips_and_fans(write: Write, mode: int, count: int) -> None:
    points = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 2, 0], [0, 3, 1]])
    document = gltf(
        nodes=[{"mesh": 0}],
        meshes=[{"primitives": [{"attributes": {"POSITION": 0}, "mode": mode}]}],
        accessors=[{"bufferView": 0, "componentType": 5126, "count": 6, "type": "VEC3"}],
        bufferViews=[{"buffer": 0, "byteLength": 72}],
    )
    path = write("strip.glb", glb(document, points.astype("<f4").tobytes()))
    ours, theirs = load_mesh(path), trimesh.load_scene(path)
    assert len(ours.faces) == count
    if mode != 6:  # trimesh passes over fans
        (mesh,) = theirs.geometry.values()
        area = trimesh.Trimesh(ours.vertices, ours.faces, process=False).area
        assert area == pytest.approx(mesh.area)


def test_gltf_numbers_may_be_small_ones_with_gaps(write: Write) -> None:
    rows = np.zeros(4, dtype=[("p", "<i2", 3), ("pad", "<i2")])
    rows["p"] = np.round(TETRA / 3 * 32767)
    binary = rows.tobytes() + FACES.astype("<u4").tobytes()
    document = gltf(
        nodes=[{"mesh": 0, "scale": [3, 3, 3]}],
        accessors=[
            {
                "bufferView": 0,
                "componentType": 5122,
                "count": 4,
                "type": "VEC3",
                "normalized": True,
            },
            {"bufferView": 1, "componentType": 5125, "count": 12, "type": "SCALAR"},
        ],
        bufferViews=[
            {"buffer": 0, "byteLength": 32, "byteStride": 8},
            {"buffer": 0, "byteOffset": 32, "byteLength": 48},
        ],
    )
    asset = load_mesh(write("small.glb", glb(document, binary)))
    expected = np.stack([TETRA[:, 0], -TETRA[:, 2], TETRA[:, 1]], axis=1)
    np.testing.assert_allclose(asset.vertices, expected, atol=1e-4)


def test_a_mirrored_node_keeps_its_outside(write: Write) -> None:
    path = write("m.glb", glb(gltf(nodes=[{"mesh": 0, "scale": [-1, 1, 1]}])))
    asset = load_mesh(path)
    assert trimesh.Trimesh(asset.vertices, asset.faces).volume == pytest.approx(1.0)


@pytest.mark.parametrize("suffix", ["glb", "obj", "stl"])
def test_agrees_with_trimesh(tmp_path: Path, suffix: str) -> None:
    mesh = trimesh.creation.torus(0.5, 0.2, major_sections=12, minor_sections=8)
    path = tmp_path / f"torus.{suffix}"
    mesh.export(path)
    asset = load_mesh(path)
    ours = trimesh.Trimesh(asset.vertices, asset.faces)
    turned = [0, 2, 1] if suffix == "glb" else [0, 1, 2]
    assert ours.volume == pytest.approx(mesh.volume, rel=1e-5)
    np.testing.assert_allclose(np.ptp(asset.vertices, 0), mesh.extents[turned], rtol=1e-6)


def test_a_file_is_read_again_only_when_it_changes(write: Write) -> None:
    path = write("tetra.stl", STL)
    first = load_mesh(path)
    assert load_mesh(str(path)) is first
    write("tetra.stl", stl_bytes(2 * TETRA[FACES]))
    os.utime(path, ns=(1, 1))
    assert load_mesh(path).vertices.max() == 6.0
