"""Meshes and skins in a binary format that a page can upload to the GPU without conversion."""

from __future__ import annotations

import struct
from hashlib import blake2b
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.meshes.shading import shaded_mesh

if TYPE_CHECKING:
    from robotix.human.skin.binding import SkinBinding

__all__ = ["DataStore", "pack_mesh", "pack_skin"]

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
        positions, normals, indices = shaded_mesh(positions, indices)
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
