"""Checked triangles of untrusted mesh files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadFile
from robotix.geometry import Array
from robotix.geometry.arrays import Faces
from robotix.meshes.material import Material

__all__ = [
    "MAX_FILE_BYTES",
    "MAX_TRIANGLES",
    "MAX_VERTICES",
    "Faces",
    "MeshPart",
    "beside",
    "make_part",
]


MAX_FILE_BYTES = 256 * 2**20
MAX_TRIANGLES = 2_000_000  # more cannot be drawn smoothly in a browser either
MAX_VERTICES = 3 * MAX_TRIANGLES
MAX_COORDINATE = 1e12  # in the unit of the file; larger values overflow in later products


@dataclass(frozen=True, eq=False)
class MeshPart:
    """Triangles of one material."""

    vertices: Array  # (n, 3)
    faces: Faces  # (m, 3), rows of `vertices`, counter-clockwise from outside
    material: Material | None = None  # None if the file has none


def make_part(
    path: Path, vertices: ArrayLike, faces: ArrayLike, *, material: Material | None = None
) -> MeshPart:
    """Return a part; raise BadFile unless vertices are finite and indices valid."""
    points = np.ascontiguousarray(vertices, dtype=float).reshape(-1, 3)
    corners = np.ascontiguousarray(faces, dtype=np.int64).reshape(-1, 3)
    advice = f"at most {MAX_TRIANGLES} triangles; reduce the mesh in a 3D editor"
    if len(corners) > MAX_TRIANGLES:
        raise BadFile(str(path), f"{len(corners)} triangles", advice)
    if len(points) > MAX_VERTICES:
        raise BadFile(str(path), f"{len(points)} vertices", f"at most {MAX_VERTICES} vertices")
    if not (np.abs(points) < MAX_COORDINATE).all():  # also False for NaN
        wrong = points[~(np.abs(points) < MAX_COORDINATE).all(axis=1)][0]
        raise BadFile(str(path), f"a vertex at {wrong}", f"numbers below {MAX_COORDINATE:g}")
    if len(corners) and not 0 <= corners.min() <= corners.max() < len(points):
        wrong_row = corners[((corners < 0) | (corners >= len(points))).any(axis=1)][0]
        raise BadFile(
            str(path), f"a triangle with the corners {wrong_row}", f"0 to {len(points) - 1}"
        )
    points.flags.writeable = corners.flags.writeable = False
    return MeshPart(points, corners, material)


def beside(path: Path, reference: str) -> Path:
    """Return the path of a referenced file, which must be in the same folder or below."""
    name = unquote(reference).replace("\\", "/")
    inside = f"a file in the folder of {path.name}; copy it there and name it without a path"
    lexical = PurePosixPath(name)
    outside = lexical.is_absolute() or ".." in lexical.parts or ":" in name or "\0" in name
    if outside or not lexical.parts:
        raise BadFile(str(path), f"a reference to {reference!r}", inside)
    target = path.parent / lexical
    try:
        home, real = path.parent.resolve(), target.resolve()
    except (OSError, RuntimeError, ValueError):
        raise BadFile(str(path), f"a reference to {reference!r}", inside) from None
    if not real.is_relative_to(home):  # e.g. through a symbolic link
        raise BadFile(str(path), f"a reference to {reference!r}, a link out of here", inside)
    return target
