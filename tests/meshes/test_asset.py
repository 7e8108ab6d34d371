"""Loading of mesh files: compared with trimesh, and cached."""

import os
from pathlib import Path

import numpy as np
import pytest
import trimesh
from support.mesh_checks import Write
from support.mesh_files import FACES, STL, TETRA, stl_bytes

from robotix.meshes.asset import load_mesh


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
