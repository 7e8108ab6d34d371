"""Reading STL files, binary or text."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.meshes.part import MeshPart, make_part

__all__ = ["read_stl"]

HEADER_BYTES = 84  # a comment of 80 bytes, then the number of triangles
TRIANGLE_DTYPE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
STL_KEYWORDS = {"solid", "facet", "outer", "endloop", "endfacet", "endsolid"}


def read_stl(path: Path, data: bytes) -> list[MeshPart]:
    """Return the triangles of a file; they share no vertices."""
    count = int.from_bytes(data[80:HEADER_BYTES], "little") if len(data) >= HEADER_BYTES else -1
    size = HEADER_BYTES + count * TRIANGLE_DTYPE.itemsize
    if count >= 0 and len(data) == size:  # some binary files start with "solid" as well
        return _read_binary(path, data, count)
    if data.lstrip()[:5].lower() == b"solid" and b"\0" not in data[:HEADER_BYTES]:
        return _read_text(path, data)
    if 0 <= count and size < len(data):  # some programs append data of their own
        return _read_binary(path, data, count)
    raise BadFile(
        str(path),
        f"{len(data)} bytes" + (f", where {count} triangles need {size}" if count >= 0 else ""),
        "an STL file; export it again, it may have been cut short",
    )


def _read_binary(path: Path, data: bytes, count: int) -> list[MeshPart]:
    triangles = np.frombuffer(data, dtype=TRIANGLE_DTYPE, count=count, offset=HEADER_BYTES)
    with np.errstate(invalid="ignore"):  # NaN is checked later
        corners = triangles["corners"].astype(float)
    return [make_part(path, corners, np.arange(3 * count))]


def _read_text(path: Path, data: bytes) -> list[MeshPart]:
    corners: list[tuple[float, ...]] = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
        words = line.split()
        if not words:
            continue
        head = words[0].lower()
        if head == "vertex":
            corners.append(_corner(path, words, number))
        elif head not in STL_KEYWORDS:
            raise BadFile(str(path), repr(head[:40]), "a line of an STL file", line=number)
        if head == "endloop" and len(corners) % 3:
            raise BadFile(str(path), "not three corners", "three lines 'vertex'", line=number)
    if len(corners) % 3:
        raise BadFile(str(path), "the last triangle is incomplete", "three corners each")
    return [make_part(path, np.array(corners), np.arange(len(corners)))]


def _corner(path: Path, words: list[str], line: int) -> tuple[float, ...]:
    try:
        x, y, z = map(float, words[1:])
    except ValueError:
        found = " ".join(words)[:60]
        raise BadFile(str(path), repr(found), "'vertex x y z'", line=line) from None
    return x, y, z
