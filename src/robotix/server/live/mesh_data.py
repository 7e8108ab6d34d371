"""Meshes and skins in a binary format that a page can upload to the GPU without conversion."""

from __future__ import annotations

import struct
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robotix.geometry import Array

if TYPE_CHECKING:
    from robotix.human.skin.binding import SkinBinding

__all__ = ["DataStore", "pack_mesh", "pack_skin"]

CREASE_COSINE = np.cos(np.radians(35.0))  # edges with a larger angle between faces stay sharp
MAX_CREASED_FACES = 300_000  # larger meshes are smoothed everywhere, which is faster
MAX_CORNERS_AT_PLACE = 64  # where more triangles meet, as in a fan, they are smoothed
CHUNK_CORNERS = 20_000  # compared at a time, which bounds the memory
MATTE_ROUGHNESS = 0.6  # of skin and cloth without gloss


class DataStore:
    """Binary data by the hash of its contents, so that browsers can cache it."""

    def __init__(self) -> None:
        self._data: dict[str, bytes] = {}
        self._lock = Lock()

    def add(self, data: bytes) -> str:
        """Store data; return its key."""
        key = blake2b(data, digest_size=16).hexdigest()
        with self._lock:
            self._data.setdefault(key, data)
        return key

    def get(self, key: str) -> bytes | None:
        """Return the data of a key; None if it is unknown."""
        return self._data.get(key)

    def add_mesh(
        self, vertices: ArrayLike, faces: ArrayLike, normals: ArrayLike | None = None
    ) -> str:
        """Store a mesh; return the key for `MeshShape`."""
        return self.add(pack_mesh(vertices, faces, normals))


def pack_mesh(vertices: ArrayLike, faces: ArrayLike, normals: ArrayLike | None = None) -> bytes:
    """Return u32 counts of vertices and triangles, f32 positions and normals, u32 indices.

    Missing normals are computed: smooth, but sharp at creases.
    """
    positions, indices = np.asarray(vertices, float), np.asarray(faces, np.int64)
    if normals is None:
        positions, normals, indices = _shaded(positions, indices)
    normals = np.asarray(normals, float)
    head = struct.pack("<II", len(positions), len(indices))
    return b"".join(
        [head, *(part.astype("<f4").tobytes() for part in (positions, normals)),
         indices.astype("<u4").tobytes()]
    )  # fmt: skip


def pack_skin(binding: SkinBinding) -> bytes:
    """Return a skin: counts, positions, normals, bones, weights, inverse binds, indices, groups.

    The poses of bones are world_from_rest, so all inverse bind matrices are the identity.
    """
    n, k = len(binding.vertices), len(binding.bone_names)
    faces = [np.asarray(part.faces) for part in binding.parts]
    starts = np.cumsum([0, *(3 * len(each) for each in faces)])
    groups = [
        struct.pack("<IIffff", start, 3 * len(part.faces), *part.colour, _roughness(part.gloss))
        for start, part in zip(starts.tolist(), binding.parts, strict=False)
    ]
    return b"".join(
        [
            struct.pack("<IIII", n, sum(map(len, faces)), k, len(groups)),
            binding.vertices.astype("<f4").tobytes(),
            binding.normals.astype("<f4").tobytes(),
            binding.bones.astype("<u2").tobytes(),
            binding.weights.astype("<f4").tobytes(),
            np.tile(np.eye(4, dtype="<f4").ravel(), k).tobytes(),
            np.concatenate(faces).astype("<u4").tobytes(),
            *groups,
        ]
    )


def _roughness(gloss: float) -> float:
    return float(np.clip(1.0 - gloss, 0.1, 1.0)) if gloss > 0 else MATTE_ROUGHNESS


# -- normals --------------------------------------------------------------------------------


def _shaded(vertices: Array, faces: NDArray[np.int64]) -> tuple[Array, Array, NDArray[np.int64]]:
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
