"""Meshes from untrusted files: glTF (.glb, .gltf), COLLADA (.dae), OBJ, STL, VRML and Inventor.

The readers are our own for safety: they read only triangles and plain materials, follow no
reference out of the folder, and raise on invalid data instead of guessing.

glTF files have y up by definition and are rotated on reading, `(x, y, z)` to `(x, -z, y)`; all
others are not rotated. COLLADA files state their unit and are converted to metres; otherwise
lengths are in the unit of the file, and the `scale` of a `Mesh` converts them to metres.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.geometry import Array
from robotix.meshes.collada_file import read_collada
from robotix.meshes.gltf_file import read_glb, read_gltf
from robotix.meshes.obj_file import read_obj
from robotix.meshes.part import MAX_FILE_BYTES, MAX_TRIANGLES, Faces, MeshPart
from robotix.meshes.stl_file import read_stl
from robotix.meshes.vrml_file import read_vrml

__all__ = ["MeshAsset", "MeshPart", "load_mesh"]

READERS = {
    ".glb": read_glb,
    ".gltf": read_gltf,
    ".dae": read_collada,
    ".obj": read_obj,
    ".stl": read_stl,
    ".wrl": read_vrml,
    ".vrml": read_vrml,
    ".iv": read_vrml,
}
MAX_CACHED_FILES = 256  # files; a humanoid has some eighty


@dataclass(frozen=True, eq=False)
class MeshAsset:
    """Contents of a mesh file: one part per material."""

    path: Path
    parts: tuple[MeshPart, ...]

    @cached_property
    def vertices(self) -> Array:
        """Vertices of all parts, (n, 3)."""
        return np.concatenate([part.vertices for part in self.parts])

    @cached_property
    def faces(self) -> Faces:
        """Triangles of all parts, (m, 3), rows of `vertices`."""
        starts = np.cumsum([0, *(len(part.vertices) for part in self.parts)])
        return np.concatenate([p.faces + s for p, s in zip(self.parts, starts, strict=False)])


def load_mesh(path: str | os.PathLike[str]) -> MeshAsset:
    """Read a mesh; raise BadFile if it is invalid. Files are cached until they change."""
    name = os.fspath(path)
    try:
        real = Path(name).resolve()
        status = real.stat()
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(name, f"cannot be read ({reason})", "a mesh; check the spelling") from None
    return _load(real, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=MAX_CACHED_FILES)
def _load(path: Path, _changed: int, _size: int) -> MeshAsset:
    """Read a file; modification time and size are part of the cache key."""
    reader = READERS.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(READERS)
        raise BadFile(str(path), f"a file {path.suffix or 'without suffix'}", f"one of {known}")
    data = read_source(path, what="a mesh", limit=MAX_FILE_BYTES)
    parts = tuple(part for part in reader(path, data) if len(part.faces))
    count = sum(len(part.faces) for part in parts)
    if not count:
        raise BadFile(str(path), "no triangles", "a surface; points and lines have no inside")
    if count > MAX_TRIANGLES:
        raise BadFile(
            str(path),
            f"{count} triangles",
            f"at most {MAX_TRIANGLES}; reduce the mesh in a 3D editor",
        )
    return MeshAsset(path, parts)
