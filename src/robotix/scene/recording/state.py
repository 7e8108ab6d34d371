"""The state of a scene as bytes, and a digest of all states so far.

Two runs whose digests agree at a tick have been bitwise the same up to there. The internal state of
actions and plug-ins is not included; it shows as soon as it has an effect.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from pathlib import PurePath

import numpy as np

from robotix.scene.graph.graph import Node
from robotix.scene.scene import Scene

__all__ = ["DIGEST_SIZE", "SECTIONS", "Digest", "StateReader", "state_bytes"]

DIGEST_SIZE = 16  # bytes
SECTIONS = ("nodes", "places", "robots", "timers", "random numbers", "events")
_LENGTH = struct.Struct("<q")


def state_bytes(scene: Scene) -> bytes:
    """Return the observable state of the scene."""
    sections = StateReader(scene).read()
    parts = (_LENGTH.pack(scene.tick), *(_with_length(section) for section in sections))
    return b"".join(parts)


class Digest:
    """A rolling digest: each value covers the current state and all states before."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = StateReader(scene)
        self.value = bytes(DIGEST_SIZE)
        self.sums: tuple[int, ...] = ()  # checksums of the sections, to find the one that differs

    def update(self) -> bytes:
        """Add the current state; return the new value."""
        sections = self._reader.read()
        parts = [self.value, _LENGTH.pack(self._scene.tick)]
        for section in sections:
            parts += (_LENGTH.pack(len(section)), section)
        self.value = _digest(b"".join(parts))
        self.sums = tuple(map(zlib.crc32, sections))
        return self.value


class StateReader:
    """Reads the state of a scene, and caches what has not changed."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._structure = self._touches = self._moves = -1  # of the graph, when last read
        self._digests: list[_NodeDigest] = []  # in the order of the rows
        self._nodes = b""
        self._places = b""
        self._random: tuple[object, bytes] = None, b""  # the last state, and its encoding

    def read(self) -> tuple[bytes, ...]:
        """Return the bytes of every section, in the order of `SECTIONS`."""
        scene = self._scene
        return (
            self._read_nodes(),
            self._read_places() + scene.physics.state(),
            _robots(scene),
            repr(scene.timers.state()).encode(),
            self._read_random(),
            repr(scene.events).encode() if scene.events else b"[]",
        )

    def _read_random(self) -> bytes:
        state, (known, encoded) = self._scene.rng.bit_generator.state, self._random
        if state != known:
            encoded = repr(state).encode()
            self._random = state, encoded
        return encoded

    def _read_nodes(self) -> bytes:
        """Return a digest of all names, parents and attributes, in the order of the rows."""
        graph = self._scene.graph
        if (self._structure, self._touches) == (graph.structure, graph.touches):
            return self._nodes
        if self._structure != graph.structure:
            known = {
                id(kept.node): kept for kept in self._digests
            }  # kept alive, so that ids are unique
            self._digests = [known.get(id(node)) or _NodeDigest(node) for node in graph]
            for kept in self._digests:
                kept.follow_parent()
        for kept in self._digests:
            if kept.revision != kept.node.revision:
                kept.encode()
        self._nodes = _digest(b"".join([kept.digest for kept in self._digests]))
        self._structure, self._touches = graph.structure, graph.touches
        return self._nodes

    def _read_places(self) -> bytes:
        graph = self._scene.graph
        if graph.moves != self._moves:
            self._places = _digest(graph.local.data)
            self._moves = graph.moves
        return self._places


class _NodeDigest:
    """A node and its digest, valid until the node is touched or its parent renamed."""

    __slots__ = ("digest", "form", "made_of", "node", "parent", "revision")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.parent: str | None = None
        self.revision = -1
        self.digest = b""
        self.made_of: tuple[object, ...] = (None, None, None)  # solids, visuals, content
        self.form = b""

    def follow_parent(self) -> None:
        above = self.node.parent
        name = above.name if above is not None else None
        if name != self.parent:
            self.parent, self.revision = name, -1

    def encode(self) -> None:
        node = self.node
        made_of = (node.solids, node.visuals, node.content)
        if any(new is not old for new, old in zip(made_of, self.made_of, strict=True)):
            self.made_of, self.form = made_of, _shape_digest(made_of)
        looks: tuple[object, ...] = (node.name, self.parent, node.robot, node.attributes)
        if node.body is not None:
            looks = (*looks, node.body)
        self.revision, self.digest = node.revision, _digest(self.form + repr(looks).encode())


def _robots(scene: Scene) -> bytes:
    parts = [scene.active_robot.encode()]
    for name, robot in scene.robots.items():
        parts += [name.encode(), robot.q.tobytes(), robot.dq.tobytes()]
    return b"\0".join(parts)


def _shape_digest(parts: tuple[object, ...]) -> bytes:
    encoded = bytearray()
    _encode(encoded, parts)
    return _digest(encoded)


def _encode(out: bytearray, value: object) -> None:
    """Append a value so that exactly equal values give equal bytes.

    Of a path only the file name is used, since a recording may be replayed elsewhere.
    """
    if isinstance(value, np.ndarray):
        out += f"array{value.dtype.str}{value.shape}".encode() + value.tobytes()
    elif isinstance(value, tuple | list):
        _encode_all(out, "list", value)
    elif is_dataclass(value):
        out += type(value).__name__.encode()
        named = ((each.name, getattr(value, each.name)) for each in fields(value))
        parts = (PurePath(part).name if name == "uri" else part for name, part in named)
        _encode_all(out, "of", parts)
    elif isinstance(value, float):  # including NumPy's, whose repr differs
        out += f"{float(value)!r};".encode()
    elif value is None or isinstance(value, bool | int | str | bytes):
        out += f"{value!r};".encode()
    else:  # such as a mesh in memory: only its type
        out += f"{type(value).__name__};".encode()


def _encode_all(out: bytearray, kind: str, parts: Iterable[object]) -> None:
    out += f"{kind}(".encode()
    for part in parts:
        _encode(out, part)
    out += b")"


def _with_length(section: bytes) -> bytes:
    return _LENGTH.pack(len(section)) + section


def _digest(data: bytes | bytearray | memoryview) -> bytes:
    return blake2b(data, digest_size=DIGEST_SIZE).digest()
