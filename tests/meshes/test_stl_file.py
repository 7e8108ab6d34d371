"""Reading STL files."""

import pytest
from support.mesh_checks import Write, check_tetra
from support.mesh_files import STL, STL_TEXT


@pytest.mark.parametrize("data", [STL, STL + b"a note", STL_TEXT], ids=["bytes", "note", "text"])
def test_stl_gives_its_triangles(write: Write, data: bytes) -> None:
    check_tetra(write("tetra.STL", data))
