"""VRML and Open Inventor files: shapes, places and colours; and files that nobody should trust."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.mesh_files import FACES, TETRA

from robotix.errors import BadFile
from robotix.meshes import load_mesh
from robotix.meshes.asset import MeshAsset

Read = Callable[[str, str], MeshAsset]

POINTS = ", ".join(" ".join(f"{value:g}" for value in point) for point in TETRA)
INDICES = ", ".join(" ".join(map(str, face)) + " -1" for face in FACES)
VRML2 = f"""#VRML V2.0 utf8
# a tetrahedron, "twice"
DEF both Transform {{
  translation 1 0 0 rotation 0 0 1 1.5707963267948966 scale 2 1 1
  children [
    DEF one Shape {{
      appearance Appearance {{ material Material {{ diffuseColor .8 .1 .2 transparency 0.5 }} }}
      geometry IndexedFaceSet {{
        coord DEF points Coordinate {{ point [ {POINTS} ] }}
        solid FALSE
        coordIndex [ {INDICES} ]
      }}
    }}
  ]
}}
Transform {{ translation 0 0 9 children USE one }}
ROUTE a.b TO c.d
"""
INVENTOR = f"""#Inventor V2.1 ascii
Separator {{
  Material {{ diffuseColor [ 0.8 0.1 0.2 ] }}
  ShapeHints {{ vertexOrdering COUNTERCLOCKWISE shapeType SOLID }}
  Separator {{ Translation {{ translation 5 5 5 }} }}
  Transform {{ translation 1 0 0 rotation 0 0 1 1.5707963267948966 scaleFactor 2 1 1 }}
  Coordinate3 {{ point [ {POINTS} ] }}
  IndexedFaceSet {{ coordIndex [ {INDICES} ] }}
}}
"""
PLACED = np.column_stack([1 - TETRA[:, 1], 2 * TETRA[:, 0], TETRA[:, 2]])


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(name: str, text: str) -> MeshAsset:
        (tmp_path / name).write_text(text)
        return load_mesh(tmp_path / name)

    return read


def test_vrml(read: Read) -> None:
    first, second = read("x.wrl", VRML2).parts
    np.testing.assert_allclose(first.vertices[first.faces], PLACED[FACES], atol=1e-12)
    np.testing.assert_allclose(second.vertices, TETRA + np.array([0, 0, 9]))
    assert first.material is not None
    assert (first.material.colour, first.material.opacity) == ((0.8, 0.1, 0.2), 0.5)


@pytest.mark.parametrize("header", ["#Inventor V2.1 ascii", "#VRML V1.0 ascii"])
def test_inventor(read: Read, header: str) -> None:
    (part,) = read("x.iv", INVENTOR.replace("#Inventor V2.1 ascii", header)).parts
    np.testing.assert_allclose(part.vertices[part.faces], PLACED[FACES], atol=1e-12)
    assert part.material is not None
    assert part.material.colour == (0.8, 0.1, 0.2)


def test_what_is_mirrored_keeps_its_outside(read: Read) -> None:
    for text in (VRML2.replace("scale 2 1 1", "scale -1 1 1"), VRML2):
        part = read("x.wrl", text).parts[0]
        a, b, c = np.moveaxis(part.vertices[part.faces], 1, 0)
        assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0


REFUSED = [
    ("", "empty"),
    ("#Inventor V2.1 binary\n", "as text"),
    ("solid x", "VRML or Open Inventor"),
    (VRML2[:300], "whole file"),
    (VRML2.replace("coordIndex [ 0", "coordIndex [ 9"), "corners"),
    (VRML2.replace("coordIndex [ 0", "coordIndex [ 0.5"), "whole numbers"),
    (VRML2.replace("translation 1 0 0", "translation 1e30 0 0"), "numbers below"),
    (VRML2.replace("coordIndex", "other"), "no triangles"),
    (VRML2.replace("DEF both", "PROTO"), "prototypes"),
    ("#VRML V2.0 utf8\n" + "Group { children " * 400, "deeper"),
    ("#VRML V2.0 utf8\n}", "a node or a field"),
]


@pytest.mark.parametrize(("text", "says"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_plain_words(read: Read, text: str, says: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read("x.wrl", text)
    assert says in str(refusal.value)


def test_a_node_used_again_and_again_is_bounded(read: Read) -> None:
    lines = ["#VRML V2.0 utf8", "DEF g0 Group { }"]
    lines += [f"DEF g{k} Group {{ children [ USE g{k - 1} USE g{k - 1} ] }}" for k in range(1, 60)]
    with pytest.raises(BadFile, match="nodes"):
        read("x.wrl", "\n".join(lines))


@pytest.mark.parametrize("cut", range(0, 700, 35))
def test_nothing_but_a_refusal_comes_out_of_a_broken_file(read: Read, cut: int) -> None:
    for text in (VRML2, INVENTOR):
        for broken in (text[:cut], text[:cut] + text[cut + 15 :]):
            try:
                mesh = read("x.wrl", broken)
            except BadFile:
                continue
            assert np.isfinite(mesh.vertices).all()
