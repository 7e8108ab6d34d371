"""Binary frames: where everything is, only what has changed since the frame a page got last.

Little endian: u32 magic, structure, tick, count; f64 time (s of the room) and sent (s, the server's
clock); then u32 rows[count] and f32 places[count, 8] = x y z qx qy qz qw scale, in the world.
"""

from __future__ import annotations

import struct
import time

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array, quaternions_from_rotations

__all__ = ["HEADER", "MAGIC", "Frames", "places_of"]

MAGIC = 0x52425831
HEADER = struct.Struct("<IIIIdd")
PLACE = 8  # numbers of a place


class Frames:
    """The newest places of all rows, and when each of them changed last.

    Pages that got the same frame last share the bytes of the next one.
    """

    def __init__(self) -> None:
        self.structure = -1
        self.number = 0  # of the newest frame; counts from 1
        self.tick = 0
        self.time = 0.0
        self._world: Array = np.empty((0, 13))
        self._places: NDArray[np.float32] = np.empty((0, PLACE), dtype="<f4")
        self._changed: NDArray[np.int64] = np.empty(0, dtype=np.int64)  # number of the frame
        self._newest = 0  # number of the last frame in which anything changed
        self._encoded: dict[int, bytes] = {}  # by the frame that the page had

    def update(self, world: Array, *, structure: int, tick: int, time: float) -> None:
        """Take in the places of all rows: rotation row-major, translation, scale."""
        self.number += 1
        self.tick, self.time = tick, time
        self._encoded.clear()
        if structure != self.structure or len(world) != len(self._world):
            self.structure = structure
            self._places = places_of(world)
            self._changed = np.full(len(world), self.number, dtype=np.int64)
            self._newest = self.number
        else:
            rows = np.flatnonzero((world != self._world).any(axis=1))
            if len(rows):
                self._places[rows] = places_of(world[rows])
                self._changed[rows] = self._newest = self.number
        self._world = world

    def has_news(self, since: int) -> bool:
        """Tell whether any row has changed after a frame."""
        return self._newest > since

    def encode(self, since: int = 0) -> bytes:
        """Return the frame for a page whose last one had this number; 0: it had none."""
        known = self._encoded.get(since)
        if known is None:
            rows = np.flatnonzero(self._changed > since).astype("<u4")
            head = HEADER.pack(
                MAGIC, self.structure, self.tick, len(rows), self.time, time.perf_counter()
            )
            known = head + rows.tobytes() + self._places[rows].tobytes()
            self._encoded[since] = known
        return known


def places_of(world: Array) -> NDArray[np.float32]:
    """Return rows of rotation, translation and scale as x y z qx qy qz qw scale."""
    places = np.empty((len(world), PLACE), dtype="<f4")
    places[:, :3], places[:, 7] = world[:, 9:12], world[:, 12]
    places[:, 3:7] = quaternions_from_rotations(world[:, :9].reshape(-1, 3, 3))[:, [1, 2, 3, 0]]
    return places
