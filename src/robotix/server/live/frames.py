"""Binary frames: the poses of all rows that changed since the last frame of a client.

Little endian: u32 magic, structure, tick, count; f64 time (s, scene time) and sent (s, clock of the
server); then u32 rows[count] and f32 poses[count, 8] = x y z qx qy qz qw scale, in the world.
"""

from __future__ import annotations

import struct
import time

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array, quaternions_from_rotations

__all__ = ["HEADER", "MAGIC", "Frames", "pack_poses"]

MAGIC = 0x52425831
HEADER = struct.Struct("<IIIIdd")
POSE_SIZE = 8  # numbers per pose


class Frames:
    """The latest poses of all rows, and the frame in which each of them changed last.

    Clients with the same last frame share the bytes of the next one.
    """

    def __init__(self) -> None:
        self.structure = -1
        self.number = 0  # of the latest frame; counts from 1
        self.tick = 0
        self.time = 0.0
        self._world: Array = np.empty((0, 13))
        self._poses: NDArray[np.float32] = np.empty((0, POSE_SIZE), dtype="<f4")
        self._changed: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # number of the frame
        self._newest = 0  # number of the last frame in which anything changed
        self._encoded: dict[int, bytes] = {}  # by the last frame of the client

    def update(self, world: Array, *, structure: int, tick: int, time: float) -> None:
        """Set the poses of all rows, (n, 13): rotation row-major, translation, scale."""
        self.number += 1
        self.tick, self.time = tick, time
        self._encoded.clear()
        if structure != self.structure or len(world) != len(self._world):
            self.structure = structure
            self._poses = pack_poses(world)
            self._changed = np.full(len(world), self.number, dtype=np.int64)
            self._newest = self.number
        else:
            rows = np.flatnonzero((world != self._world).any(axis=1))
            if len(rows):
                self._poses[rows] = pack_poses(world[rows])
                self._changed[rows] = self._newest = self.number
        self._world = world

    def has_changes(self, since: int) -> bool:
        """Return whether any row has changed since a frame."""
        return self._newest > since

    def encode(self, since: int = 0) -> bytes:
        """Return the frame for a client whose last one had number `since`; 0: none."""
        known = self._encoded.get(since)
        if known is None:
            rows = np.flatnonzero(self._changed > since).astype("<u4")
            head = HEADER.pack(
                MAGIC, self.structure, self.tick, len(rows), self.time, time.perf_counter()
            )
            known = head + rows.tobytes() + self._poses[rows].tobytes()
            self._encoded[since] = known
        return known


def pack_poses(world: Array) -> NDArray[np.float32]:
    """Return rows of rotation, translation and scale (n, 13) as x y z qx qy qz qw scale (n, 8)."""
    places = np.empty((len(world), POSE_SIZE), dtype="<f4")
    places[:, :3], places[:, 7] = world[:, 9:12], world[:, 12]
    places[:, 3:7] = quaternions_from_rotations(world[:, :9].reshape(-1, 3, 3))[:, [1, 2, 3, 0]]
    return places
