"""Reading OBJ files."""

from support.mesh_checks import Write, check_tetra
from support.mesh_files import MTL, OBJ

from robotix.meshes.asset import load_mesh


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
