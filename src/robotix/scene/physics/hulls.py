"""Meshes as convex pieces, which is what the solver collides."""

from __future__ import annotations

import numpy as np

from robotix.collision.growth_kernels import find_pieces
from robotix.geometry import Array, Mesh
from robotix.meshes.asset import load_mesh
from robotix.meshes.part import Faces

__all__ = ["convex_pieces"]

MAX_PIECES = 64  # of one mesh; beyond, it is one
MIN_THICKNESS = 1e-3  # m; thinner pieces become boxes

# The corners of a box as signs, and its triangles.
_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
_BOX_FACES: Faces = np.array(
    [
        [0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
        [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3],
    ]
)  # fmt: skip


def convex_pieces(mesh: Mesh) -> list[tuple[Array, Array]]:
    """Return vertices (n, 3), in m, and faces (k, 3) of the connected pieces of a mesh.

    The solver takes the convex hull of each, so a bowl is filled, and a table with legs as pieces
    of their own is not.
    """
    asset = load_mesh(mesh.path)
    points, where = np.unique(asset.vertices * mesh.scale, axis=0, return_inverse=True)
    faces = where.reshape(-1)[asset.faces]
    if not len(faces):
        return []
    labels = find_pieces(faces, len(points))[faces[:, 0]]
    groups = [faces[labels == label] for label in np.unique(labels)]
    if len(groups) > MAX_PIECES:
        groups = [faces]
    return [_piece(points, group) for group in groups]


def _piece(points: Array, faces: Faces) -> tuple[Array, Array]:
    used, corners = np.unique(faces, return_inverse=True)
    vertices = points[used]
    centre = vertices.mean(axis=0)
    _, _, axes = np.linalg.svd(vertices - centre, full_matrices=True)
    inside = (vertices - centre) @ axes[:3].T
    low, high = inside.min(axis=0), inside.max(axis=0)
    if (high - low).min() >= MIN_THICKNESS:
        return vertices, corners.reshape(-1, 3).astype(float)
    half = np.maximum(high - low, MIN_THICKNESS) / 2
    box = ((low + high) / 2 + _CORNERS * half) @ axes[:3] + centre
    faces_out = _BOX_FACES if np.linalg.det(axes[:3]) > 0 else _BOX_FACES[:, ::-1]
    return box, faces_out.astype(float)
