"""A tetrahedron as files of every format we read."""

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from robotix.meshes.stl_file import TRIANGLE_DTYPE

TETRA = np.array([[0.0, 0, 0], [2, 0, 0], [0, 1, 0], [0, 0, 3]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])

OBJ = b"""mtllib look.mtl
v 0 0 0
v 2 0 0 0.5 0.5 0.5
v 0 1 0
v 0 0 3
vn 0 0 1
usemtl red
f 1//1 3//1 2//1
f 1 2 4
usemtl glass
f -3/1 -2/2 \\
-1/3
f 3 1 4  # the last
"""
MTL = b"newmtl red\nKd 1 0.25 0\nNs 0\nnewmtl glass\nKd 0 0 1\nd 0.5\nPr 0.1\nmap_Kd /etc/passwd\n"

STL_TEXT = b"solid thing\n" + b"".join(
    b"facet normal 0 0 0\nouter loop\n"
    + b"".join(b"vertex %g %g %g\n" % tuple(TETRA[k]) for k in face)
    + b"endloop\nendfacet\n"
    for face in FACES
)  # fmt: skip


def stl_bytes(corners: np.ndarray) -> bytes:
    rows = np.zeros(len(corners), dtype=TRIANGLE_DTYPE)
    rows["corners"] = corners
    return b"solid of eighty bytes".ljust(80) + struct.pack("<I", len(corners)) + rows.tobytes()


STL = stl_bytes(TETRA[FACES])
BINARY = TETRA.astype("<f4").tobytes() + FACES.astype("<u2").tobytes()


def gltf(**changes: Any) -> dict[str, Any]:
    """Return a tetrahedron under a turned and stretched node."""
    half = 0.5**0.5
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"children": [1], "translation": [0, 0, 5]},
            {"mesh": 0, "rotation": [half, 0, 0, half], "scale": [1, 2, 1]},
        ],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 0}]}],
        "materials": [
            {
                "name": "steel",
                "alphaMode": "BLEND",
                "pbrMetallicRoughness": {
                    "baseColorFactor": [1, 0.5, 0, 0.25],
                    "metallicFactor": 0.75,
                    "roughnessFactor": 0.5,
                    "baseColorTexture": {"index": 3},
                },
            }
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
            {"bufferView": 1, "componentType": 5123, "count": 12, "type": "SCALAR"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteLength": 48},
            {"buffer": 0, "byteOffset": 48, "byteLength": 24},
        ],
        "buffers": [{"byteLength": len(BINARY)}],
    } | changes


def glb(document: object, binary: bytes = BINARY) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def write_boxes(path: Path, boxes: Iterable[tuple[Any, Any]]) -> None:
    """Write boxes, each given by its centre and size, as one OBJ mesh."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2
    sides = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    lines = []
    for k, (centre, size) in enumerate(boxes):
        lines += [f"v {x} {y} {z}" for x, y, z in np.array(centre) + corners * np.array(size)]
        lines += ["f " + " ".join(str(8 * k + corner + 1) for corner in side) for side in sides]
    path.write_text("\n".join(lines))
