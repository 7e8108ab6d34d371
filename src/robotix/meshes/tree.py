"""Meshes as bounding-volume trees, for distances and rays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from robotix.collision.growth_kernels import find_pieces, grow_tree
from robotix.collision.tree_kernels import Tree
from robotix.geometry import Array
from robotix.meshes.asset import MeshAsset
from robotix.meshes.part import Faces

__all__ = ["make_sides", "make_tree"]

LEAF_SIZE = 4  # triangles
MAX_CACHED = 512  # trees


def _weld(vertices: Array, faces: Faces) -> tuple[Array, Faces]:
    """Return the mesh without duplicate vertices and degenerate triangles."""
    order = np.lexsort(vertices.T)
    ranked = vertices[order]
    new = np.ones(len(ranked), dtype=bool)
    new[1:] = (ranked[1:] != ranked[:-1]).any(axis=1)
    where = np.empty(len(ranked), dtype=np.int64)
    where[order] = np.cumsum(new) - 1
    points, corners = ranked[new], where[faces]
    a, b, c = corners.T
    return points, corners[(a != b) & (b != c) & (c != a)]


def _is_solid(points: Array, faces: Faces) -> bool:
    """Return whether a mesh is closed, with faces oriented outwards."""
    a = faces.ravel()
    b = np.roll(faces, -1, axis=1).ravel()
    there, back = a * len(points) + b, b * len(points) + a
    if not np.array_equal(np.sort(there), np.sort(back)):
        return False
    p, q, r = np.moveaxis((points - points.mean(axis=0))[faces], 1, 0)
    return bool(np.einsum("ij,ij->", p, np.cross(q, r)) > 0)


@lru_cache(maxsize=MAX_CACHED)
def make_tree(asset: MeshAsset, scale: tuple[float, float, float]) -> Tree:
    """Return a scaled mesh as a bounding-volume tree for distances and rays; cached.

    A closed mesh whose faces are oriented outwards is solid: what is inside touches it. Any other
    mesh is a surface.
    """
    faces = asset.faces[:, ::-1] if np.prod(np.sign(scale)) < 0 else asset.faces  # mirrored
    points, welded = _weld(asset.vertices * scale, faces)
    kept = (
        welded if len(welded) else np.zeros((1, 3), dtype=np.int64)
    )  # a point, if all are degenerate
    seeds = points[np.unique(find_pieces(kept, len(points))[kept[:, 0]])]
    is_solid = len(welded) > 0 and _is_solid(points, kept)
    return _grown(points[kept].reshape(-1, 9), seeds, is_solid=is_solid)


@lru_cache(maxsize=MAX_CACHED)
def make_sides(asset: MeshAsset, scale: tuple[float, float, float]) -> tuple[Tree, ...]:
    """Return the parts of a mesh that face the same way, as surfaces; cached.

    Between two boards of a shelf one is nearest, but both are in the way: each side tells its own
    distance. There are at most six: forward and backward along the axes of the mesh.
    """
    faces = asset.faces[:, ::-1] if np.prod(np.sign(scale)) < 0 else asset.faces
    corners = (asset.vertices * scale)[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    axis = np.argmax(np.abs(normals), axis=1)
    side = 2 * axis + (normals[np.arange(len(normals)), axis] < 0)
    return tuple(
        _grown(np.ascontiguousarray(corners[side == k].reshape(-1, 9)), corners[side == k][:1, 0])
        for k in np.unique(side)
    )


def _grown(triangles: Array, seeds: Array, *, is_solid: bool = False) -> Tree:
    order, count = np.arange(len(triangles)), 2 * len(triangles)
    bounds, links = np.empty((count, 6)), np.empty((count, 2), dtype=np.int64)
    used = grow_tree(triangles, order, bounds, links, LEAF_SIZE)
    return Tree(triangles[order], bounds[:used].copy(), links[:used].copy(), seeds, is_solid)
