"""Checks of loaded meshes."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from support.mesh_files import FACES, TETRA

from robotix.meshes.asset import load_mesh

Write = Callable[[str, bytes], Path]


def outline(triangles: np.ndarray) -> list[list[float]]:
    """Return triangles in an order of their own, each from its lowest corner on."""
    turned = [np.roll(t, -int(np.lexsort(t.T[::-1])[0]), axis=0) for t in np.round(triangles, 6)]
    return sorted(t.ravel().tolist() for t in np.array(turned) + 0.0)


def check_tetra(path: Path, expected: np.ndarray = TETRA) -> None:
    asset = load_mesh(path)
    assert outline(asset.vertices[asset.faces]) == outline(expected[FACES])
