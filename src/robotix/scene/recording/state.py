"""The state of the room as bytes, and a digest of all states so far.

Two runs whose digests agree at a tick have been the same, to the last bit, up to there. What an
action or a plug-in keeps to itself is not looked at: it shows as soon as it does something.
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
    """Return all that the future of the room depends on and that can be seen."""
    sections = StateReader(scene).read()
    parts = (_LENGTH.pack(scene.tick), *(_measured(section) for section in sections))
    return b"".join(parts)


class Digest:
    """A rolling digest: each value stands for the state now and for all states before."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._reader = StateReader(scene)
        self.value = bytes(DIGEST_SIZE)
        self.sums: tuple[int, ...] = ()  # check sums of the sections, to tell which one differs

    def update(self) -> bytes:
        """Take in the present state; return the new value."""
        sections = self._reader.read()
        parts = [self.value, _LENGTH.pack(self._scene.tick)]
        for section in sections:
            parts += (_LENGTH.pack(len(section)), section)
        self.value = _digest(b"".join(parts))
        self.sums = tuple(map(zlib.crc32, sections))
        return self.value


class StateReader:
    """Reads the state of one room, and remembers what need not be encoded again."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._structure = self._touches = self._moves = -1  # of the graph, when last read
        self._kept: list[_Kept] = []  # in the order of the rows
        self._nodes = b""
        self._places = b""

    def read(self) -> tuple[bytes, ...]:
        """Return the bytes of every section, in the order of `SECTIONS`."""
        scene = self._scene
        return (
            self._read_nodes(),
            self._read_places(),
            _robots(scene),
            repr(scene.timers.state()).encode(),
            repr(scene.rng.bit_generator.state).encode(),
            repr(scene.events).encode() if scene.events else b"[]",
        )

    def _read_nodes(self) -> bytes:
        """Return a digest of all names, parents and looks, in the order of the rows."""
        graph = self._scene.graph
        if (self._structure, self._touches) == (graph.structure, graph.touches):
            return self._nodes
        if self._structure != graph.structure:
            known = {id(kept.node): kept for kept in self._kept}  # alive, so no number comes twice
            self._kept = [known.get(id(node)) or _Kept(node) for node in graph]
            for kept in self._kept:
                kept.follow_parent()
        for kept in self._kept:
            if kept.revision != kept.node.revision:
                kept.encode()
        self._nodes = _digest(b"".join([kept.digest for kept in self._kept]))
        self._structure, self._touches = graph.structure, graph.touches
        return self._nodes

    def _read_places(self) -> bytes:
        graph = self._scene.graph
        if graph.moves != self._moves:
            self._places = _digest(graph.local.data)
            self._moves = graph.moves
        return self._places


class _Kept:
    """A node and its digest, good until the node is touched or its parent called otherwise."""

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
            self.made_of, self.form = made_of, _form(made_of)
        looks = (node.name, self.parent, node.robot, node.attributes)
        self.revision, self.digest = node.revision, _digest(self.form + repr(looks).encode())


def _robots(scene: Scene) -> bytes:
    parts = [scene.active_robot.encode()]
    for name, robot in scene.robots.items():
        parts += [name.encode(), robot.q.tobytes(), robot.dq.tobytes()]
    return b"\0".join(parts)


def _form(parts: tuple[object, ...]) -> bytes:
    encoded = bytearray()
    _put(encoded, parts)
    return _digest(encoded)


def _put(out: bytearray, value: object) -> None:
    """Append a value so that equal values, and no others, give equal bytes.

    Of a file only its name counts, not where it lies: a recording may be replayed elsewhere.
    """
    if isinstance(value, np.ndarray):
        out += f"array{value.dtype.str}{value.shape}".encode() + value.tobytes()
    elif isinstance(value, tuple | list):
        _put_all(out, "list", value)
    elif is_dataclass(value):
        out += type(value).__name__.encode()
        named = ((each.name, getattr(value, each.name)) for each in fields(value))
        parts = (PurePath(part).name if name == "uri" else part for name, part in named)
        _put_all(out, "of", parts)
    elif isinstance(value, float):  # NumPy's too, which calls itself something else
        out += f"{float(value)!r};".encode()
    elif value is None or isinstance(value, bool | int | str | bytes):
        out += f"{value!r};".encode()
    else:  # such as a mesh held in memory: known by its kind only
        out += f"{type(value).__name__};".encode()


def _put_all(out: bytearray, kind: str, parts: Iterable[object]) -> None:
    out += f"{kind}(".encode()
    for part in parts:
        _put(out, part)
    out += b")"


def _measured(section: bytes) -> bytes:
    return _LENGTH.pack(len(section)) + section


def _digest(data: bytes | bytearray | memoryview) -> bytes:
    return blake2b(data, digest_size=DIGEST_SIZE).digest()
