"""Recorded poses of nodes over time, found without reading the whole topic `/nodes`.

Messages hold only what moved. Most of them name the same nodes in the same order, so they are
sorted by this layout, and the poses are read from the file when they are needed.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.motion.mcap_index import DATA_AT, McapIndex, Offsets

__all__ = ["NodePose", "NodeTrack", "read_node_tracks"]

MAX_LAYOUTS = 64  # of one length that are searched for; beyond, messages are read one by one
ROWS_AT_ONCE = 4096  # messages that are compared together
POSE_BYTES = 56  # x y z, then the quaternion x y z w, in f64
TIME_UNIT = 1e-9  # s; times are recorded in ns
MAX_GAP = 0.1  # s between messages up to which poses are interpolated
_LENGTH = struct.Struct("<I")


@dataclass(frozen=True, eq=False)
class NodePose:
    """Pose of a node in its parent at one time."""

    parent: str
    translation: Array  # (3,), m
    quaternion: Array  # (4,): x, y, z, w


@dataclass(frozen=True, eq=False)
class NodeTrack:
    """Poses of one node over time."""

    name: str
    times: Array  # (n,), s
    parents: tuple[str, ...]  # names that occur
    _parent: NDArray[np.int64]  # (n,), index into `parents`
    _starts: Offsets  # (n,), of the numbers in the file
    _index: McapIndex

    def at(self, time: float) -> NodePose | None:
        """Return the pose at a time, interpolated while it moves; None before the first."""
        k = int(np.searchsorted(self.times, time + TIME_UNIT, side="right")) - 1
        if k < 0:
            return None
        here = self._numbers(k)
        if k + 1 < len(self.times) and self._parent[k] == self._parent[k + 1]:
            gap = self.times[k + 1] - self.times[k]
            if 0 < gap <= MAX_GAP:
                here = _between(here, self._numbers(k + 1), max(time - self.times[k], 0.0) / gap)
        return NodePose(self.parents[self._parent[k]], here[:3], here[3:])

    def _numbers(self, k: int) -> Array:
        start = int(self._starts[k])
        return self._index.bytes[start : start + POSE_BYTES].copy().view("<f8")


def _between(before: Array, after: Array, fraction: float) -> Array:
    """Interpolate translation and quaternion, the latter along the shorter way."""
    target = after.copy()
    if before[3:] @ after[3:] < 0:
        target[3:] *= -1
    mixed = before + fraction * (target - before)
    mixed[3:] /= np.linalg.norm(mixed[3:]) or 1.0
    return mixed


def read_node_tracks(index: McapIndex, topic: str) -> dict[str, NodeTrack]:
    """Return the tracks of all nodes of a topic, by name."""
    offsets = index.of_topic(topic)
    times = index.times(offsets)
    found: dict[str, list[tuple[NDArray[np.int64], Offsets, str]]] = defaultdict(list)
    for members, layout in _layouts(index, offsets):
        starts = offsets[members] + DATA_AT
        for parent, child, at in layout.poses:
            found[child].append((members, starts + at, parent))
    return {name: _track(name, parts, times, index) for name, parts in found.items()}


def _track(
    name: str,
    parts: list[tuple[NDArray[np.int64], Offsets, str]],
    times: Array,
    index: McapIndex,
) -> NodeTrack:
    parents = tuple(dict.fromkeys(parent for *_, parent in parts))
    members = np.concatenate([each for each, *_ in parts])
    starts = np.concatenate([each for _, each, _ in parts])
    above = np.concatenate([np.full(len(m), parents.index(p)) for m, _, p in parts])
    order = np.argsort(members, kind="stable")
    return NodeTrack(name, times[members[order]], parents, above[order], starts[order], index)


@dataclass(frozen=True, eq=False)
class _Layout:
    """Which nodes a message names, and where their numbers are."""

    poses: tuple[tuple[str, str, int], ...]  # parent, child, offset in the data
    fixed: NDArray[np.int64]  # offsets of bytes that messages of this layout share


def _layouts(index: McapIndex, offsets: Offsets) -> Iterator[tuple[NDArray[np.int64], _Layout]]:
    """Yield the numbers of messages of one layout, and the layout; unreadable ones are left out."""
    lengths = index.lengths(offsets)
    for length in np.unique(lengths).tolist():
        waiting = np.flatnonzero(lengths == length)
        for _ in range(MAX_LAYOUTS):
            if not len(waiting):
                break
            layout = _parse(index.data(int(offsets[waiting[0]])))
            if layout is None:
                waiting = waiting[1:]
                continue
            is_same = _is_same(index, offsets[waiting] + DATA_AT, layout.fixed)
            yield waiting[is_same], layout
            waiting = waiting[~is_same]
        for k in range(len(waiting)):
            layout = _parse(index.data(int(offsets[waiting[k]])))
            if layout is not None:
                yield waiting[k : k + 1], layout


def _is_same(index: McapIndex, starts: Offsets, fixed: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which messages have the same fixed bytes as the first, (n,)."""
    bytes_of, first = index.bytes, index.bytes[starts[0] + fixed]
    is_same = np.empty(len(starts), dtype=bool)
    for k in range(0, len(starts), ROWS_AT_ONCE):
        rows = starts[k : k + ROWS_AT_ONCE, None] + fixed
        is_same[k : k + ROWS_AT_ONCE] = (bytes_of[rows] == first).all(axis=1)
    return is_same


def _parse(data: bytes) -> _Layout | None:
    """Find names and numbers in a message of transforms (CDR); None if it is malformed."""
    try:
        (count,) = _LENGTH.unpack_from(data, 4)
        at, poses, is_fixed = 8, [], np.ones(len(data), dtype=bool)
        for _ in range(count):
            is_fixed[at : at + 8] = False  # its time
            parent, at = _string(data, at + 8)
            child, at = _string(data, at)
            at += -(at - 4) % 8  # numbers are aligned to their size, counted after four bytes
            if at + POSE_BYTES > len(data):
                return None
            is_fixed[at : at + POSE_BYTES] = False
            poses.append((parent, child, at))
            at += POSE_BYTES
    except (struct.error, UnicodeDecodeError):
        return None
    return _Layout(tuple(poses), np.flatnonzero(is_fixed))


def _string(data: bytes, at: int) -> tuple[str, int]:
    (length,) = _LENGTH.unpack_from(data, at)
    end = at + 4 + length
    if not length or end > len(data):
        raise struct.error("a string beyond the message")
    return data[at + 4 : end - 1].decode(), end + -length % 4
