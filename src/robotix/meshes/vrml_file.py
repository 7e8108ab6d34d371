"""VRML (.wrl, .vrml; versions 1 and 2) and Open Inventor (.iv): faces, places and plain colours.

Read are indexed face sets with the transformations above them. In Open Inventor and VRML 1, nodes
change a state that those behind them see, up to the end of their separator; in VRML 2, shapes hold
all they need. Everything else, textures and primitive shapes too, is passed over.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from robotix.errors import BadFile
from robotix.geometry import Array, Pose
from robotix.geometry.arrays import Faces
from robotix.geometry.rotation import rotation_about
from robotix.meshes.material import Material
from robotix.meshes.part import MAX_TRIANGLES, MAX_VERTICES, MeshPart, make_part
from robotix.meshes.vrml_text import VrmlNode, parse_vrml

__all__ = ["read_vrml"]

HEADERS = ("#VRML V1.0", "#VRML V2.0", "#Inventor V2", "#Inventor V1")
MAX_VISITS = 100_000  # nodes, which may be used again
SEPARATORS = ("Separator", "TransformSeparator", "Switch", "LOD")


@dataclass(frozen=True)
class _State:
    """What holds for the nodes that follow."""

    place: Array = field(default_factory=lambda: np.eye(4))
    points: Array | None = None
    material: Material | None = None


def read_vrml(path: Path, data: bytes) -> list[MeshPart]:
    """Return one part for every face set."""
    text = data.decode("utf-8-sig", errors="replace")
    header = text[:40].lstrip()
    if not header.startswith(HEADERS) or "binary" in header.split("\n", 1)[0]:
        raise BadFile(str(path), f"a start {header[:20]!r}", "a VRML or Open Inventor file as text")
    reading = _Reading(path)
    state = _State()
    for node in parse_vrml(path, text):
        state = reading.visit(node, state)
    return reading.parts


@dataclass
class _Reading:
    """The parts found so far."""

    path: Path
    parts: list[MeshPart] = field(default_factory=list)
    visits: int = 0
    room: int = MAX_VERTICES

    def visit(self, node: VrmlNode, state: _State) -> _State:
        """Collect what a node shows; return the state that it leaves behind."""
        self.visits += 1
        if self.visits > MAX_VISITS:
            raise BadFile(str(self.path), f"more than {MAX_VISITS} nodes", "a smaller file")
        before = state
        state = _changed(node, state)
        if node.kind == "Shape":
            state = self._with_look(node, state)
        if node.kind == "IndexedFaceSet":
            self._add_faces(node, state)
        has_own_state = node.kind in SEPARATORS or bool(node.nodes("children"))
        for child in [*node.children, *node.nodes("children"), *node.nodes("geometry")]:
            state = self.visit(child, state)
        return before if has_own_state or node.kind == "Shape" else state

    def _with_look(self, node: VrmlNode, state: _State) -> _State:
        for appearance in node.nodes("appearance"):
            for material in appearance.nodes("material"):
                state = replace(state, material=_material(material) or state.material)
        return state

    def _add_faces(self, node: VrmlNode, state: _State) -> None:
        points = state.points
        for holder in [*node.nodes("coord"), *node.nodes("vertexProperty")]:
            points = _points(holder, "point", "vertex")
        corners = node.numbers("coordIndex")
        if points is None or corners is None:
            return
        if not (np.abs(corners) <= MAX_VERTICES).all() or (corners != np.floor(corners)).any():
            raise BadFile(str(self.path), "a coordIndex with other numbers", "whole numbers")
        faces = _fans(corners.astype(np.int64))
        self.room -= max(len(points), 3 * len(faces))
        if self.room < 0:
            more = f"more than {MAX_TRIANGLES} triangles or {MAX_VERTICES} vertices"
            raise BadFile(str(self.path), more, "fewer; reduce the mesh in a 3D editor")
        with np.errstate(over="ignore", invalid="ignore"):  # refused with the vertices
            placed = points @ state.place[:3, :3].T + state.place[:3, 3]
            is_turned = np.linalg.det(state.place[:3, :3]) < 0
        if is_turned != (node.fields.get("ccw") == ["FALSE"]):
            faces = faces[:, ::-1]
        self.parts.append(make_part(self.path, placed, faces, material=state.material))


def _changed(node: VrmlNode, state: _State) -> _State:
    """Return the state behind a node that changes it."""
    match node.kind:
        case "Transform" | "Translation" | "Rotation" | "Scale" | "MatrixTransform":
            with np.errstate(over="ignore", invalid="ignore"):
                return replace(state, place=state.place @ _local(node))
        case "Coordinate3":
            return replace(state, points=_points(node, "point"))
        case "VertexProperty":
            return replace(state, points=_points(node, "vertex"))
        case "Material":
            return replace(state, material=_material(node) or state.material)
    return state


def _local(node: VrmlNode) -> Array:
    """Return parent_from_node, (4, 4)."""
    if node.kind == "MatrixTransform":
        matrix = node.numbers("matrix", 16)
        return np.eye(4) if matrix is None else matrix.reshape(4, 4).T  # of row vectors
    centre = _or(node.numbers("center", 3), np.zeros(3))
    turn = _turn(node.numbers("scaleOrientation", 4))
    stretch = _or(node.numbers("scale", 3), _or(node.numbers("scaleFactor", 3), np.ones(3)))
    move = _or(node.numbers("translation", 3), np.zeros(3))
    scaling = turn @ np.diag([*stretch, 1.0]) @ turn.T
    rotation = _turn(node.numbers("rotation", 4))
    inner, outer = np.eye(4), np.eye(4)
    inner[:3, 3], outer[:3, 3] = -centre, centre + move
    return outer @ rotation @ scaling @ inner


def _or(values: Array | None, default: Array) -> Array:
    return default if values is None else values


def _turn(values: Array | None) -> Array:
    """Return the rotation about an axis by an angle, (4, 4)."""
    if values is None or not np.isfinite(values).all():
        return np.eye(4)
    length = float(np.linalg.norm(values[:3]))
    if length < 1e-12:
        return np.eye(4)
    return Pose(rotation_about(values[:3] / length, float(values[3]))).matrix


def _points(node: VrmlNode, *names: str) -> Array | None:
    for name in names:
        numbers = node.numbers(name)
        if numbers is not None and len(numbers) % 3 == 0:
            return numbers.reshape(-1, 3)
    return None


def _material(node: VrmlNode) -> Material | None:
    colour = node.numbers("diffuseColor")
    if colour is None or len(colour) < 3 or not np.isfinite(colour[:3]).all():
        return None
    red, green, blue = np.clip(colour[:3], 0.0, 1.0).tolist()
    veil = node.numbers("transparency", 1)
    opacity = 1.0 if veil is None or not np.isfinite(veil[0]) else 1.0 - np.clip(veil[0], 0, 1)
    return Material((red, green, blue), opacity=float(opacity))


def _fans(corners: Faces) -> Faces:
    """Return polygons, which end with -1, as fans of triangles."""
    faces: list[Faces] = []
    ends = np.flatnonzero(corners < 0)
    for row in _rows(corners, ends):
        n = max(len(row) - 2, 0)
        faces.append(np.stack([np.repeat(row[:1], n), row[1 : 1 + n], row[2 : 2 + n]], axis=1))
    return np.concatenate([np.empty((0, 3), np.int64), *faces])


def _rows(corners: Faces, ends: Faces) -> Iterator[Faces]:
    start = 0
    for end in [*ends.tolist(), len(corners)]:
        if end - start > 2:
            yield corners[start:end]
        start = end + 1
