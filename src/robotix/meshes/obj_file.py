"""Reading OBJ files, and their materials in MTL files.

Curves, texture coordinates and normals are ignored; polygons are split into triangle fans.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.meshes.material import Material
from robotix.meshes.part import MAX_TRIANGLES, MAX_VERTICES, MeshPart, beside, make_part

__all__ = ["read_obj"]

MAX_MATERIAL_BYTES = 4 * 2**20


@dataclass
class _Reading:
    """State of the reader."""

    path: Path
    points: list[tuple[float, float, float]] = field(default_factory=list)
    faces: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    materials: dict[str, Material] = field(default_factory=dict)
    material: str = ""
    triangles: int = 0

    def refuse(self, words: list[str], expected: str, line: int) -> BadFile:
        return BadFile(str(self.path), repr(" ".join(words)[:60]), expected, line=line)


def read_obj(path: Path, data: bytes) -> list[MeshPart]:
    """Return one part per material."""
    reading = _Reading(path)
    for number, words in _lines(data):
        match words[0]:
            case "v":
                _take_point(reading, words, number)
            case "f":
                _take_face(reading, words, number)
            case "usemtl":
                reading.material = " ".join(words[1:])
            case "mtllib":
                reading.materials |= _materials_of(path, " ".join(words[1:]))
    points = np.array(reading.points, dtype=float).reshape(-1, 3)
    parts = []
    for name, faces in reading.faces.items():
        used, corners = np.unique(np.array(faces), return_inverse=True)
        material = reading.materials.get(name)
        parts.append(make_part(path, points[used], corners, material=material))
    return parts


def _lines(data: bytes) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and words of non-empty lines; a backslash continues a line."""
    kept: list[str] = []
    for number, line in enumerate(data.decode("utf-8", errors="replace").splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words and words[-1].endswith("\\"):
            kept += " ".join(words)[:-1].split()
            continue
        words, kept = kept + words, []
        if words:
            yield number, words


def _take_point(reading: _Reading, words: list[str], line: int) -> None:
    try:
        x, y, z = map(float, words[1:4])
    except ValueError:
        raise reading.refuse(words, "'v x y z'", line) from None
    reading.points.append((x, y, z))
    if len(reading.points) > MAX_VERTICES:
        raise reading.refuse(words, f"at most {MAX_VERTICES} vertices", line)


def _take_face(reading: _Reading, words: list[str], line: int) -> None:
    count = len(reading.points)
    try:
        corners = [int(word.split("/", 1)[0]) for word in words[1:]]
    except ValueError:
        raise reading.refuse(words, "'f' and the numbers of three corners or more", line) from None
    if len(corners) < 3:
        raise reading.refuse(words, "three corners or more", line)
    # Indices count from 1; negative ones count backwards from the last vertex.
    rows = [corner - 1 if corner > 0 else count + corner for corner in corners]
    if not all(corners) or not 0 <= min(rows) <= max(rows) < count:
        raise reading.refuse(words, f"corners from the {count} vertices above", line)
    reading.triangles += len(rows) - 2
    if reading.triangles > MAX_TRIANGLES:
        raise BadFile(
            str(reading.path),
            f"more than {MAX_TRIANGLES} triangles",
            "fewer; reduce the mesh in a 3D editor",
            line=line,
        )
    fan = [(rows[0], rows[k], rows[k + 1]) for k in range(1, len(rows) - 1)]
    reading.faces.setdefault(reading.material, []).extend(fan)


def _materials_of(path: Path, reference: str) -> dict[str, Material]:
    """Return the materials of an MTL file; empty if it is missing, since shapes do not need it."""
    library = beside(path, reference)
    if not library.exists():
        return {}
    data = read_source(library, what="a material library (MTL)", limit=MAX_MATERIAL_BYTES)
    found: dict[str, dict[str, list[float]]] = {}
    current: dict[str, list[float]] = {}
    for _, words in _lines(data):
        if words[0] == "newmtl":
            current = found.setdefault(" ".join(words[1:]), {})
        elif words[0] in {"Kd", "d", "Tr", "Ns", "Pr", "Pm"}:
            current[words[0]] = _numbers(words[1:])
    return {name: _to_material(name, values) for name, values in found.items()}


def _numbers(words: list[str]) -> list[float]:
    try:
        values = [float(word) for word in words]
    except ValueError:
        return []
    return values if all(map(math.isfinite, values)) else []


def _to_material(name: str, values: dict[str, list[float]]) -> Material:
    def first(key: str, default: float) -> float:
        return (values.get(key) or [default])[0]

    plain = Material()
    colour = values.get("Kd", [])
    shine = max(first("Ns", -1.0), 0.0) if "Ns" in values else None
    dull = plain.roughness if shine is None else math.sqrt(2.0 / (shine + 2.0))  # Blinn's lobe
    r, g, b = colour if len(colour) == 3 else plain.colour
    return Material(
        colour=(_clip(r), _clip(g), _clip(b)),
        opacity=_clip(first("d", 1.0 - first("Tr", 0.0))),
        metalness=_clip(first("Pm", plain.metalness)),
        roughness=_clip(first("Pr", dull)),
        name=name,
    )


def _clip(value: float) -> float:
    return min(max(value, 0.0), 1.0)
