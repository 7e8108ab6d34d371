"""Poses of nodes as ROS transforms (`tf2_msgs/msg/TFMessage`)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from robotix.geometry import Array, quaternions_from_rotations
from robotix.scene.graph.graph import Graph, Node

__all__ = ["NODES_SCHEMA", "NodeLog", "decode_positions"]

CDR_LITTLE_ENDIAN = b"\0\1\0\0"
_LINE = "=" * 80
NODES_SCHEMA = (
    "tf2_msgs/msg/TFMessage",
    "ros2msg",
    f"""geometry_msgs/TransformStamped[] transforms
{_LINE}
MSG: geometry_msgs/TransformStamped
std_msgs/Header header
string child_frame_id
geometry_msgs/Transform transform
{_LINE}
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
{_LINE}
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
{_LINE}
MSG: geometry_msgs/Transform
geometry_msgs/Vector3 translation
geometry_msgs/Quaternion rotation
{_LINE}
MSG: geometry_msgs/Vector3
float64 x
float64 y
float64 z
{_LINE}
MSG: geometry_msgs/Quaternion
float64 x
float64 y
float64 z
float64 w
""",
)


class NodeLog:
    """Encodes the nodes that have moved since the last call."""

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        self._structure = self._moves = -1
        self._nodes: list[Node] = []
        self._names: list[bytes] = []  # of parent and child, encoded
        self._last: Array = np.empty((0, 13))

    def encode_moved(self, time: float) -> bytes | None:
        """Return the message for this time; None if nothing has moved."""
        graph = self._graph
        if graph.moves == self._moves:
            return None
        if graph.structure != self._structure:
            self._lay_out()
        self._moves = graph.moves
        moved = np.flatnonzero((graph.local != self._last).any(axis=1))
        moved = moved[moved > 0]  # the root has no parent frame
        if not len(moved):
            return None
        rows = graph.local[moved]
        self._last[moved] = rows
        names = [self._names[row] for row in moved.tolist()]
        quaternions = quaternions_from_rotations(rows[:, :9].reshape(-1, 3, 3))
        return _encode(time, names, np.hstack([rows[:, 9:12], quaternions[:, [1, 2, 3, 0]]]))

    def _lay_out(self) -> None:
        """Follow the rows of the graph; new and re-attached nodes count as moved."""
        graph = self._graph
        known = {id(node): (names, row) for node, names, row in self._entries()}
        self._nodes = list(graph)
        self._names = [_names(node) for node in self._nodes]
        self._last = np.full(graph.local.shape, np.nan)  # unequal to anything
        for i, (node, names) in enumerate(zip(self._nodes, self._names, strict=True)):
            before = known.get(id(node))
            if before is not None and before[0] == names:
                self._last[i] = before[1]
        self._structure = graph.structure

    def _entries(self) -> zip[tuple[Node, bytes, Array]]:
        return zip(self._nodes, self._names, self._last, strict=True)


def _names(node: Node) -> bytes:
    above = node.parent.name if node.parent is not None else ""
    return _string(above) + _string(node.name)


def _string(text: str) -> bytes:
    data = text.encode() + b"\0"
    return struct.pack("<I", len(data)) + data + bytes(-len(data) % 4)


def _encode(time: float, names: list[bytes], numbers: Array) -> bytes:
    """Return the message in CDR, where numbers are aligned to their size."""
    seconds, nanoseconds = divmod(round(time * 1e9), 1_000_000_000)
    stamp = struct.pack("<iI", seconds, nanoseconds)
    parts, start = [CDR_LITTLE_ENDIAN, struct.pack("<I", len(names))], 4
    for name, row in zip(names, numbers.astype("<f8"), strict=True):
        parts += stamp, name, bytes(-(start + len(name)) % 8), row.tobytes()
        start = 0
    return b"".join(parts)


def decode_positions(data: bytes) -> Iterator[tuple[str, Array]]:
    """Yield nodes and their positions (m, relative to the parent) of a message.

    Raise `struct.error` or `ValueError` if it is malformed.
    """
    body = data.removeprefix(CDR_LITTLE_ENDIAN)
    (count,) = struct.unpack_from("<I", body)
    at = 4
    for _ in range(count):
        at += 8  # the time
        _, at = _read_string(body, at)
        child, at = _read_string(body, at)
        at += -at % 8
        yield child, np.array(struct.unpack_from("<3d", body, at))
        at += 56  # with the quaternion


def _read_string(body: bytes, at: int) -> tuple[str, int]:
    """Return a string, and where the next value begins."""
    (length,) = struct.unpack_from("<I", body, at)
    text = body[at + 4 : at + 4 + length].rstrip(b"\0").decode()
    return text, at + 4 + length + -length % 4
