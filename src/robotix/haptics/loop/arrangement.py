"""Two devices side by side, and a planned device emulated by control."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop.environment import BallWall, HapticElement, PlaneWall, Triple
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.loop.settings import LoopSettings

__all__ = ["DevicePair", "emulated_settings", "run_pair", "workspace_walls"]

FAR = 1e3  # m; an element that is put there is not felt


def workspace_walls(
    low: Triple, high: Triple, *, stiffness: float = 4000.0, damping: float = 150.0
) -> list[HapticElement]:
    """Return six walls that keep the handle in a box: the workspace of a planned device."""
    if not all(a < b for a, b in zip(low, high, strict=True)):
        raise BadField("corners", "low below high along every axis", (low, high))
    walls: list[HapticElement] = []
    for axis in range(3):
        for sign, bound in ((1.0, low[axis]), (-1.0, -high[axis])):
            normal = [0.0, 0.0, 0.0]
            normal[axis] = sign
            walls.append(
                PlaneWall(
                    (normal[0], normal[1], normal[2]), bound, stiffness=stiffness, damping=damping
                )
            )
    return walls


def emulated_settings(settings: LoopSettings, *, max_force: float) -> LoopSettings:
    """Return settings with which a device is no stronger than a planned one."""
    return replace(settings, max_rendered=max_force)


class DevicePair:
    """Two devices for both hands, whose handles are kept apart by control.

    Before every sample each loop gets the place of the other handle; a solid ball there keeps them
    apart. Positions are in the base frame of the first device.

    Args:
        first: A loop whose element `slot` is free for the ball, as made by `spare_element`.
        second: The other one.
        offset: From the base of the first to that of the second, (3,), m; their axes are parallel.
        distance: That the handles keep, m.
    """

    def __init__(
        self,
        first: HapticLoop,
        second: HapticLoop,
        *,
        offset: ArrayLike,
        distance: float = 0.15,
        stiffness: float = 3000.0,
        damping: float = 150.0,
        slot: int = 0,
    ) -> None:
        shift = np.array(offset, dtype=float)
        if shift.shape != (3,) or not np.isfinite(shift).all():
            raise BadField("offset", "three finite numbers", offset)
        if first.settings.rate != second.settings.rate:
            raise BadField("rate", "the same of both devices", second.settings.rate)
        self.loops, self.offset = (first, second), shift
        self._wall = (distance, stiffness, damping, slot)

    @staticmethod
    def spare_element() -> HapticElement:
        """Return an element that is not felt, to be replaced."""
        return BallWall((FAR, FAR, FAR), 0.1)

    @property
    def positions(self) -> tuple[Array, Array]:
        """Both handles, in the base frame of the first device."""
        return self.loops[0].position, self.loops[1].position + self.offset

    @property
    def distance(self) -> float:
        """Between the handles, m."""
        a, b = self.positions
        return float(np.linalg.norm(a - b))

    def step(self) -> None:
        """Move both on by one sample."""
        distance, stiffness, damping, slot = self._wall
        a, b = self.positions
        for loop, other in ((self.loops[0], b), (self.loops[1], a - self.offset)):
            centre = (float(other[0]), float(other[1]), float(other[2]))
            loop.replace_element(
                slot, BallWall(centre, distance, stiffness=stiffness, damping=damping)
            )
        for loop in self.loops:
            loop.step()


def run_pair(pair: DevicePair, seconds: float, *, pushes: Sequence[ArrayLike]) -> float:
    """Let both hands push for some time; return the least distance of the handles, m."""
    for loop, push in zip(pair.loops, pushes, strict=True):
        loop.push(push)
    least = pair.distance
    for _ in range(round(seconds * pair.loops[0].settings.rate)):
        pair.step()
        least = min(least, pair.distance)
    return least
