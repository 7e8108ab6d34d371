"""Fixtures of the tests of meshes."""

from pathlib import Path

import pytest
from support.mesh_checks import Write


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(name: str, data: bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(data)
        return path

    return write
