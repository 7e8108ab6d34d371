"""COLLADA files: shapes, places, units and colours; and files that nobody should trust."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import coal
import numpy as np
import pytest
from support.mesh_files import FACES, TETRA
from support.public_robots import package_files

from robotix.errors import BadFile
from robotix.meshes import collada_file, load_mesh
from robotix.meshes.asset import MeshAsset

Read = Callable[[str], MeshAsset]

POINTS = " ".join(f"{value:g}" for value in TETRA.ravel())
CORNERS = " ".join(f"{corner} 0" for corner in FACES.ravel())  # with a normal each
TRIANGLES = f"""<triangles count="4" material="paint">
  <input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#n" offset="1"/>
  <p>{CORNERS}</p></triangles>"""
NODE = """<node><translate>1 0 0</translate><rotate>0 0 1 90</rotate><scale>2 1 1</scale>
  <instance_geometry url="#g"><bind_material><technique_common>
    <instance_material symbol="paint" target="#m"/>
  </technique_common></bind_material></instance_geometry></node>"""


def collada(surface: str = TRIANGLES, node: str = NODE, *, unit: str = "0.01") -> str:
    return f"""<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="t"><phong>
  <diffuse><color>0.8 0.1 0.2 1</color></diffuse></phong></technique></profile_COMMON></effect>
</library_effects>
<library_materials><material id="m" name="red"><instance_effect url="#e"/></material>
</library_materials>
<library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array count="12">{POINTS}</float_array>
    <technique_common><accessor source="#a" count="4" stride="3"/></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
  {surface}
</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s">{node}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene>
</COLLADA>"""


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(text: str) -> MeshAsset:
        path = tmp_path / "x.dae"
        path.write_text(text)
        return load_mesh(path)

    return read


def test_places_units_and_colours(read: Read) -> None:
    (part,) = read(collada()).parts
    expected = 0.01 * np.column_stack([1 - TETRA[:, 1], 2 * TETRA[:, 0], TETRA[:, 2]])
    np.testing.assert_allclose(part.vertices[part.faces], expected[FACES], atol=1e-12)
    assert part.material is not None
    assert part.material.colour == (0.8, 0.1, 0.2)
    assert part.material.name == "red"


@pytest.mark.parametrize(
    ("surface", "faces"),
    [
        ("<polylist><vcount>3 4</vcount><p>0 1 2 0 1 2 3</p>", [[0, 1, 2], [0, 1, 2], [0, 2, 3]]),
        ("<polygons><p>0 1 2</p><p>3 2 1 0</p>", [[0, 1, 2], [3, 2, 1], [3, 1, 0]]),
        ("<tristrips><p>0 1 2 3</p>", [[0, 1, 2], [1, 3, 2]]),
        ("<trifans><p>0 1 2 3</p>", [[0, 1, 2], [0, 2, 3]]),
    ],
    ids=["polylist", "polygons", "tristrips", "trifans"],
)
def test_all_kinds_of_surfaces(read: Read, surface: str, faces: list[list[int]]) -> None:
    tag = surface[1:].split(">")[0]
    vertex = '<input semantic="VERTEX" source="#v" offset="0"/>'
    whole = surface.replace(">", f">{vertex}", 1) + f"</{tag}>"
    node = '<node><instance_geometry url="#g"/></node>'
    mesh = read(collada(whole, node, unit="1"))
    np.testing.assert_allclose(mesh.vertices[mesh.faces], TETRA[np.array(faces)])


def test_what_is_mirrored_keeps_its_outside(read: Read) -> None:
    node = '<node><scale>-1 1 1</scale><instance_geometry url="#g"/></node>'
    mesh = read(collada(node=node, unit="1"))
    a, b, c = np.moveaxis(mesh.vertices[mesh.faces], 1, 0)
    assert np.einsum("ij,ij->", a, np.cross(b, c)) / 6 == pytest.approx(1.0)  # its volume


REFUSED = [
    (collada(unit="0"), "a unit of 0 m"),
    (collada(unit="nan"), "finite number"),
    (collada(TRIANGLES.replace("<p>0", "<p>9")), "0 to 3"),
    (collada(TRIANGLES.replace("<p>0", "<p>-1")), "corners"),
    (collada(TRIANGLES.replace("<p>0", "<p>1e3")), "whole numbers"),
    (collada(TRIANGLES.replace("<p>0", "<p>99999999999999999999")), "whole numbers"),
    (collada(TRIANGLES.replace('offset="1"', 'offset="-1"')), "below 64"),
    (collada(TRIANGLES.replace('source="#v"', 'source="#x"')), "POSITION"),
    (collada('<polylist><input semantic="VERTEX" source="#v" offset="0"/><vcount>9</vcount>'
             "<p>0 1 2</p></polylist>"), "announces"),
    (collada(node='<node id="a"><instance_node url="#a"/></node>'), "circle"),
    (collada(node=NODE.replace("1 0 0</tr", "1 0</tr")), "3 finite numbers"),
    (collada(node=NODE.replace("1 0 0</tr", "1e999 0 0</tr")), "3 finite numbers"),
    (collada(node="").replace(POINTS, "much"), "no triangles"),
    (collada().replace(POINTS, POINTS.replace("2", "much")), "numbers"),
    (collada().replace(POINTS, POINTS.replace("2", "1e200")), "numbers below"),
    (collada().replace('<?xml version="1.0"?>', '<!DOCTYPE x [<!ENTITY a "b">]>'), "DOCTYPE"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "says"), REFUSED, ids=range(len(REFUSED)))
def test_refuses_in_plain_words(read: Read, text: str, says: str) -> None:
    with pytest.raises(BadFile) as refusal:
        read(text)
    assert says in str(refusal.value)


def test_a_file_is_bounded(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collada_file, "MAX_XML_ELEMENTS", 20)
    with pytest.raises(BadFile, match="elements"):
        read(collada())


@pytest.mark.parametrize("cut", range(0, 1800, 60))
def test_nothing_but_a_refusal_comes_out_of_a_broken_file(read: Read, cut: int) -> None:
    text = collada()
    for broken in (text[:cut], text[:cut] + text[cut + 25 :]):
        try:
            mesh = read(broken)
        except BadFile:
            continue
        assert np.isfinite(mesh.vertices).all()


def test_public_files_have_the_size_that_coal_reads() -> None:
    files = [path for path in package_files("example-robot-data", ".dae").values()]
    small = [path for path in files if path.stat().st_size < 400_000]
    assert len(small) > 50
    for path in small[::5]:
        ours, coals = load_mesh(path).vertices, coal.MeshLoader().load(str(path), np.ones(3))
        theirs = np.array(coals.vertices())
        size = np.ptp(theirs, axis=0).max()
        for end in (np.min, np.max):
            np.testing.assert_allclose(end(ours, axis=0), end(theirs, axis=0), atol=2e-6 * size)
