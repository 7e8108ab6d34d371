"""Surfaces of links, and their serialisation for the disk cache."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import msgspec
import numpy as np

from robotix.geometry import Array
from robotix.meshes import Material
from robotix.visuals.surfaces import Faces

__all__ = ["LinkMesh", "Looks", "contents_of", "pack_looks", "unpack_looks"]


@dataclass(frozen=True, eq=False)
class LinkMesh:
    """A surface of a link with one material, in the frame of the link."""

    vertices: Array  # (n, 3), m
    normals: Array  # (n, 3), unit
    faces: Faces  # (m, 3), counter-clockwise from outside
    material: Material


Looks: TypeAlias = Mapping[str, tuple[LinkMesh, ...]]  # by body


class _Packed(msgspec.Struct, array_like=True):
    vertices: bytes
    normals: bytes
    faces: bytes
    material: Material


def pack_looks(looks: Looks) -> bytes:
    """Serialise looks."""
    return msgspec.msgpack.encode(
        {
            body: [
                _Packed(
                    part.vertices.astype("<f8").tobytes(),
                    part.normals.astype("<f8").tobytes(),
                    part.faces.astype("<i8").tobytes(),
                    part.material,
                )
                for part in parts
            ]
            for body, parts in looks.items()
        }
    )


def unpack_looks(data: bytes) -> Looks | None:
    """Deserialise looks; None if the bytes are not from `pack_looks`."""
    try:
        packed = msgspec.msgpack.decode(data, type=dict[str, list[_Packed]])
        return {body: tuple(map(_unpacked, parts)) for body, parts in packed.items()}
    except (msgspec.MsgspecError, ValueError):
        return None


def _unpacked(part: _Packed) -> LinkMesh:
    vertices, normals = (
        np.frombuffer(numbers, "<f8").reshape(-1, 3) for numbers in (part.vertices, part.normals)
    )
    return LinkMesh(
        vertices, normals, np.frombuffer(part.faces, "<i8").reshape(-1, 3), part.material
    )


def contents_of(value: Any) -> Iterator[bytes]:
    """Yield the contents of nested dataclasses, arrays and plain data, in order."""
    if dataclasses.is_dataclass(value):
        yield type(value).__qualname__.encode()
        for field in dataclasses.fields(value):
            yield from contents_of(getattr(value, field.name))
    elif isinstance(value, np.ndarray):
        yield f"{value.dtype.str}{value.shape}".encode()
        yield value.tobytes()
    elif isinstance(value, Mapping):
        yield b"{%d" % len(value)
        for key, each in value.items():
            yield from contents_of(key)
            yield from contents_of(each)
    elif isinstance(value, tuple | list):
        yield b"[%d" % len(value)
        for each in value:
            yield from contents_of(each)
    else:
        yield repr(value).encode()
