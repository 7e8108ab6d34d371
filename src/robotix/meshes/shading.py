"""Normals of meshes for display: smooth, but sharp at creases."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array

__all__ = ["CREASE_COSINE", "MAX_CORNERS_AT_PLACE", "MAX_CREASED_FACES", "shaded_mesh"]

CREASE_COSINE = np.cos(np.radians(35.0))  # edges with a larger angle between faces stay sharp
MAX_CREASED_FACES = 300_000  # larger meshes are smoothed everywhere, which is faster
MAX_CORNERS_AT_PLACE = 64  # where more triangles meet, as in a fan, they are smoothed
CHUNK_CORNERS = 20_000  # compared at a time, which bounds the memory


def shaded_mesh(
    vertices: Array, faces: NDArray[np.int64]
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Return positions, normals and triangles: smooth, but sharp at creases."""
    corners = vertices[faces]
    areas = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    _, place = np.unique(vertices, axis=0, return_inverse=True)
    place_of_corner = place.reshape(-1)[faces].ravel()
    if len(faces) > MAX_CREASED_FACES:
        normals = _summed(areas, place_of_corner)
    else:
        normals = _creased(areas, place_of_corner)
    return _merged(corners.reshape(-1, 3), normals, place_of_corner)


def _summed(areas: Array, places: NDArray[np.int64]) -> Array:
    total = np.zeros((places.max() + 1, 3))
    np.add.at(total, places, np.repeat(areas, 3, axis=0))
    return _unit(total[places])


def _creased(areas: Array, places: NDArray[np.int64]) -> Array:
    """Average, for every corner, the normals of adjacent faces within the crease angle."""
    counts = np.bincount(places)
    normals = _summed(areas, places)  # stays where too many corners meet
    order = np.argsort(places, kind="stable")
    order = order[counts[places[order]] <= MAX_CORNERS_AT_PLACE]
    size = counts[places[order]]  # corners at the same position
    starts = np.r_[True, np.diff(places[order]) != 0] if len(order) else np.zeros(0, bool)
    first = np.flatnonzero(starts)[np.cumsum(starts) - 1]
    face, directions = order // 3, _unit(areas)
    total = np.zeros((len(order), 3))
    for begin in range(0, len(order), CHUNK_CORNERS):
        here = np.arange(begin, min(begin + CHUNK_CORNERS, len(order)))
        n = size[here]
        mine = np.repeat(here, n)
        other = first[mine] + np.arange(len(mine)) - np.repeat(np.cumsum(n) - n, n)
        same = (directions[face[mine]] * directions[face[other]]).sum(axis=1) > CREASE_COSINE
        np.add.at(total, mine[same], areas[face[other[same]]])
    normals[order] = _unit(total)
    return normals


def _merged(
    corners: Array, normals: Array, places: NDArray[np.int64]
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Merge corners with the same position and normal into one vertex."""
    keys = np.column_stack([places, np.round(normals * 1000).astype(np.int64)])
    _, first, back = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    return corners[first], normals[first], back.reshape(-1, 3)


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    flat = lengths[..., 0] == 0
    out = vectors / np.where(lengths == 0, 1.0, lengths)
    out[flat] = (0.0, 0.0, 1.0)  # a triangle without area is invisible
    return np.asarray(out)
