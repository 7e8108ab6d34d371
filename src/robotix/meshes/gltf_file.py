"""Reading glTF 2.0: a tree of meshes as JSON, with separate, embedded (GLB) or inline buffers.

Triangles (lists, strips, fans), node transforms and plain materials are read. Textures, skins,
animations and cameras are ignored; compressed meshes raise BadFile.
"""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.geometry import Array
from robotix.geometry.rotation import rotation_from_quaternion
from robotix.meshes.gltf_json import MAX_ITEMS, JsonObject
from robotix.meshes.material import Material
from robotix.meshes.part import (
    MAX_FILE_BYTES,
    MAX_TRIANGLES,
    MAX_VERTICES,
    Faces,
    MeshPart,
    beside,
    make_part,
)

__all__ = ["read_glb", "read_gltf"]

Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]])  # from y up
COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC3": 3}
TRIANGLES, STRIP, FAN = 4, 5, 6
UNCOMPRESSED_HINT = "a glTF file without compression; switch it off when exporting"


def read_glb(path: Path, data: bytes) -> list[MeshPart]:
    """Return the parts of a binary glTF file."""
    magic, version, _ = struct.unpack_from("<4sII", data.ljust(12, b"\0"))
    if magic != b"glTF" or version != 2:
        raise BadFile(str(path), f"a start {data[:8]!r}", "a GLB file of version 2")
    chunks: dict[bytes, bytes] = {}
    at = 12
    while at + 8 <= len(data):
        length, kind = struct.unpack_from("<I4s", data, at)
        if at + 8 + length > len(data):
            raise BadFile(str(path), f"a chunk of {length} bytes past the end", "a whole file")
        chunks.setdefault(kind, data[at + 8 : at + 8 + length])
        at += 8 + length
    return _File.open(path, chunks.get(b"JSON", b""), chunks.get(b"BIN\0")).parts()


def read_gltf(path: Path, data: bytes) -> list[MeshPart]:
    """Return the parts of a glTF file in JSON."""
    return _File.open(path, data, None).parts()


@dataclass
class _File:
    """A glTF file while it is being read."""

    path: Path
    table: JsonObject
    binary: bytes | None  # the chunk of a GLB file
    bytes_read: int = 0
    visits: int = 0  # number of visited primitives; nodes may share meshes
    _lists: dict[str, list[JsonObject]] = field(default_factory=dict)
    _bytes: dict[int, bytes] = field(default_factory=dict)

    @staticmethod
    def open(path: Path, text: bytes, binary: bytes | None) -> _File:
        try:
            document: Any = json.loads(text.decode("utf-8-sig"))
        except (ValueError, RecursionError) as error:
            raise BadFile(str(path), f"no JSON ({error})", "a glTF file; export it again") from None
        file = _File(path, JsonObject(path, document, "file"), binary)
        version = file.table.table("asset").text("version")
        if not version.startswith("2."):
            raise BadFile(str(path), f"glTF version {version!r}", "version 2; convert it")
        for name in file.table.texts("extensionsRequired"):
            if name in {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}:
                raise BadFile(str(path), f"a mesh compressed by {name}", UNCOMPRESSED_HINT)
        return file

    def rows(self, key: str) -> list[JsonObject]:
        """Return a top-level list of the file, such as its meshes."""
        if key not in self._lists:
            self._lists[key] = self.table.tables(key)
        return self._lists[key]

    def one(self, key: str, index: int) -> JsonObject:
        """Return one entry of a top-level list."""
        tables = self.rows(key)
        if index >= len(tables):
            raise self.table.refuse(f"{key} number {index}", f"one of {len(tables)}, from 0")
        return tables[index]

    # -- the tree ---------------------------------------------------------------------------

    def parts(self) -> list[MeshPart]:
        """Return a part for every primitive of every node of the scene."""
        nodes = self.rows("nodes")
        waiting = [(node, Z_UP) for node in self._roots(nodes)]
        seen = {index for index, _ in waiting}
        found: list[MeshPart] = []
        room = MAX_VERTICES
        while waiting:
            index, above = waiting.pop()
            node = nodes[index]
            with np.errstate(over="ignore", invalid="ignore"):  # non-finite vertices raise later
                transform = above @ _local(node)
            for part in self._mesh(node, transform) if node.has("mesh") else ():
                room -= max(len(part.vertices), 3 * len(part.faces))
                found.append(part)
                if room < 0:
                    more = f"more than {MAX_TRIANGLES} triangles or {MAX_VERTICES} vertices"
                    raise BadFile(str(self.path), more, "fewer; reduce the mesh in a 3D editor")
            for child in node.wholes("children", below=len(nodes)):
                if child in seen:
                    raise node.refuse(f"child {child} has two parents", "a tree")
                seen.add(child)
                waiting.append((child, transform))
        return found

    def _roots(self, nodes: list[JsonObject]) -> list[int]:
        if self.rows("scenes"):
            scene = self.one("scenes", self.table.whole("scene", 0))
            roots = scene.wholes("nodes", below=len(nodes))
        else:
            held = {c for node in nodes for c in node.wholes("children", below=len(nodes))}
            roots = [index for index in range(len(nodes)) if index not in held]
        if len(set(roots)) < len(roots):
            raise self.table.refuse("a node twice in the scene", "each node once")
        return roots

    # -- meshes -----------------------------------------------------------------------------

    def _mesh(self, node: JsonObject, transform: Array) -> Iterator[MeshPart]:
        primitives = self.one("meshes", node.whole("mesh")).tables("primitives")
        self.visits += len(primitives)
        if self.visits > MAX_ITEMS:
            raise node.refuse(f"more than {MAX_ITEMS} primitives", "fewer; join them")
        for primitive in primitives:
            mode = primitive.whole("mode", TRIANGLES, below=FAN + 1)
            if mode < TRIANGLES:
                continue  # points and lines
            points = self._positions(primitive)
            with np.errstate(over="ignore", invalid="ignore"):
                placed = points @ transform[:3, :3].T + transform[:3, 3]
                mirrored = np.linalg.det(transform[:3, :3]) < 0
            faces = self._faces(primitive, mode, len(points))
            if mirrored:
                faces = faces[:, ::-1]  # a mirrored node needs the opposite winding
            yield make_part(self.path, placed, faces, material=self._material(primitive))

    def _positions(self, primitive: JsonObject) -> Array:
        accessor = self.one("accessors", primitive.table("attributes").whole("POSITION"))
        values = self._numbers(accessor, "VEC3")
        if values.dtype.kind != "f" and accessor.flag("normalized"):
            return np.maximum(values / np.iinfo(values.dtype).max, -1.0)
        with np.errstate(invalid="ignore"):  # NaN is checked later
            return values.astype(float)

    def _faces(self, primitive: JsonObject, mode: int, count: int) -> Faces:
        if primitive.has("indices"):
            accessor = self.one("accessors", primitive.whole("indices"))
            values = self._numbers(accessor, "SCALAR")
            if values.dtype.kind == "f":
                raise accessor.refuse("broken numbers as indices", "whole ones")
            flat = values.astype(np.int64).ravel()
        else:
            flat = np.arange(count)
        if mode == TRIANGLES:
            if len(flat) % 3:
                raise primitive.refuse(f"{len(flat)} corners", "three a triangle")
            return flat.reshape(-1, 3)
        starts = np.arange(max(len(flat) - 2, 0))
        if mode == FAN:
            return np.stack([flat[np.zeros_like(starts)], flat[starts + 1], flat[starts + 2]], 1)
        odd = starts % 2  # every second triangle of a strip has the opposite winding
        return np.stack([flat[starts], flat[starts + 1 + odd], flat[starts + 2 - odd]], 1)

    def _material(self, primitive: JsonObject) -> Material | None:
        if not primitive.has("material"):
            return None
        table = self.one("materials", primitive.whole("material"))
        look = table.table("pbrMetallicRoughness")
        r, g, b, a = np.clip(look.numbers("baseColorFactor", (1.0, 1.0, 1.0, 1.0)), 0.0, 1.0)
        see_through = table.text("alphaMode", "OPAQUE") == "BLEND"
        metal, rough = (look.numbers(f"{key}Factor", (1.0,)) for key in ("metallic", "roughness"))
        return Material(
            colour=(_screen(r), _screen(g), _screen(b)),
            opacity=float(a) if see_through else 1.0,
            metalness=float(np.clip(metal[0], 0.0, 1.0)),
            roughness=float(np.clip(rough[0], 0.0, 1.0)),
            name=table.text("name", ""),
        )

    # -- numbers ----------------------------------------------------------------------------

    def _numbers(self, accessor: JsonObject, kind: str) -> NDArray[Any]:
        """Return the rows of an accessor."""
        if accessor.text("type") != kind:
            raise accessor.refuse(f"type {accessor.text('type')!r}", kind)
        if accessor.has("sparse") or not accessor.has("bufferView"):
            raise accessor.refuse("numbers that are sparse or compressed", UNCOMPRESSED_HINT)
        code = accessor.whole("componentType")
        if code not in COMPONENTS:
            raise accessor.refuse(f"componentType {code}", f"one of {sorted(COMPONENTS)}")
        view = self.one("bufferViews", accessor.whole("bufferView"))
        dtype, width = np.dtype(COMPONENTS[code]), WIDTHS[kind]
        count, row = accessor.whole("count"), dtype.itemsize * width
        stride = view.whole("byteStride", row)
        data = self._view(view)[accessor.whole("byteOffset", 0) :]
        if not count or stride < row or (count - 1) * stride + row > len(data):
            raise accessor.refuse(f"{count} rows of {stride} bytes", f"what fits {len(data)} bytes")
        raw = np.lib.stride_tricks.as_strided(
            np.frombuffer(data, dtype=np.uint8), (count, row), (stride, 1), writeable=False
        )
        return np.ascontiguousarray(raw).view(dtype).reshape(count, width)

    def _view(self, view: JsonObject) -> memoryview:
        data = self._buffer(view.whole("buffer"))
        start = view.whole("byteOffset", 0)
        end = start + view.whole("byteLength")
        if end > len(data):
            raise view.refuse(f"bytes up to {end}", f"at most the {len(data)} there are")
        return memoryview(data)[start:end]

    def _buffer(self, index: int) -> bytes:
        if index not in self._bytes:
            self._bytes[index] = self._read_buffer(index, self.one("buffers", index))
            self.bytes_read += len(self._bytes[index])
            if self.bytes_read > MAX_FILE_BYTES:
                raise BadFile(str(self.path), "too many bytes", f"at most {MAX_FILE_BYTES} in all")
        return self._bytes[index]

    def _read_buffer(self, index: int, buffer: JsonObject) -> bytes:
        if not buffer.has("uri"):
            if index or self.binary is None:
                raise buffer.refuse("no uri", "the name of a file, or data")
            return self.binary
        uri = buffer.text("uri")
        if not uri.startswith("data:"):
            target = beside(self.path, uri)
            return read_source(target, what="the buffer of a glTF file", limit=MAX_FILE_BYTES)
        head, _, body = uri.partition(",")
        try:
            if not head.endswith(";base64"):
                raise ValueError(head)
            return base64.b64decode(body, validate=True)
        except (ValueError, binascii.Error):
            raise buffer.refuse(f"data {uri[:40]!r}", "base64") from None


def _local(node: JsonObject) -> Array:
    """Return the transform of a node to its parent, (4, 4)."""
    if node.has("matrix"):
        return np.array(node.numbers("matrix", tuple(np.eye(4).flat))).reshape(4, 4).T
    transform = np.eye(4)
    x, y, z, w = node.numbers("rotation", (0.0, 0.0, 0.0, 1.0))
    if not any((x, y, z, w)):
        raise node.refuse("a rotation of zeros", "a unit quaternion")
    transform[:3, :3] = rotation_from_quaternion((w, x, y, z)) * node.numbers(
        "scale", (1.0, 1.0, 1.0)
    )
    transform[:3, 3] = node.numbers("translation", (0.0, 0.0, 0.0))
    return transform


def _screen(linear: float) -> float:
    """Convert linear light to sRGB, as used for all colours."""
    curved = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return float(min(max(curved, 0.0), 1.0))
