"""How far a replay is from its recording: the second verdict, after the first difference.

Code for another processor rounds otherwise, so its replay differs in the last bits from some tick
on. What matters then is whether it stays near the recording.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.scene.recording.nodes import decode_positions
from robotix.scene.scene import Scene

__all__ = ["TOLERANCE", "Drift", "DriftMeter"]

TOLERANCE = 1e-6  # rad or m; far above rounding, far below what anybody would measure


@dataclass(frozen=True)
class Drift:
    """The largest differences between a replay and its recording."""

    joints: float  # rad or m, of a joint position; inf if a robot is another one
    positions: float  # m, of a node relative to its parent; inf if one is missing
    tick: int  # at which the larger one of both occurred
    tolerance: float  # rad or m

    @property
    def is_within(self) -> bool:
        """Whether all differences are within the tolerance."""
        return max(self.joints, self.positions) <= self.tolerance


class DriftMeter:
    """Compares the states of a scene with recorded ones."""

    def __init__(self, scene: Scene, tolerance: float) -> None:
        self.tolerance = tolerance
        self._scene = scene
        self._joints = self._positions = 0.0
        self._tick = 0
        self._rows: dict[str, int] = {}  # of the nodes
        self._structure = -1

    @property
    def drift(self) -> Drift:
        """The largest differences so far."""
        return Drift(self._joints, self._positions, self._tick, self.tolerance)

    def compare(self, postures: Mapping[str, Array], nodes: bytes | None) -> None:
        """Compare this tick: joint positions by robot, and a message of moved nodes, if any.

        Raise `struct.error` or `ValueError` if the message is malformed.
        """
        before = max(self._joints, self._positions)
        self._joints = max(self._joints, self._joint_gap(postures))
        if nodes is not None:
            self._positions = max(self._positions, self._position_gap(nodes))
        if max(self._joints, self._positions) > before:
            self._tick = self._scene.tick

    def _joint_gap(self, postures: Mapping[str, Array]) -> float:
        robots = self._scene.robots
        if postures.keys() != robots.keys():
            return math.inf
        gaps = [0.0]
        for name, then in postures.items():
            now = robots[name].q
            gaps.append(_largest(now - then) if then.shape == now.shape else math.inf)
        return max(gaps)

    def _position_gap(self, nodes: bytes) -> float:
        graph = self._scene.graph
        if graph.structure != self._structure:
            self._rows = {node.name: row for row, node in enumerate(graph)}
            self._structure = graph.structure
        gaps = [0.0]
        for name, then in decode_positions(nodes):
            row = self._rows.get(name)
            gaps.append(math.inf if row is None else _largest(graph.local[row, 9:12] - then))
        return max(gaps)


def _largest(differences: Array) -> float:
    """Return the largest magnitude; inf if a number is not finite."""
    found = float(np.abs(differences).max(initial=0.0))
    return found if math.isfinite(found) else math.inf


def decode_posture(data: bytes) -> Array:
    """Return the joint positions in a message of a robot; raise `struct.error` if there are none.

    Before them are four bytes that name the encoding, and the time.
    """
    if len(data) < 12 or (len(data) - 4) % 8:
        raise struct.error(f"a posture of {len(data)} bytes")
    return np.frombuffer(data, dtype="<f8", offset=4)[1:]
