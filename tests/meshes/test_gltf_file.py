"""Reading glTF files."""

import base64
import json

import numpy as np
import pytest
import trimesh
from support.mesh_checks import Write, check_tetra
from support.mesh_files import BINARY, FACES, TETRA, glb, gltf

from robotix.meshes.asset import load_mesh


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
