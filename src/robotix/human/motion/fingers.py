"""Fingers that close on what the hands hold."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robotix.geometry import Array
from robotix.human.body.head_and_hands import RELAXED_FINGERS
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Performance

__all__ = ["finger_bend", "finger_bends"]

FINGER_SHARE = 0.5  # of the length of a hand: from knuckles to fingertips
FINGER_RADIUS = 0.008  # m, half the thickness of a finger
FLAT = np.radians(8.0)  # fingers against the side of a box, assumed
MAX_BEND = np.radians(230.0)  # of a fist, assumed
HANDHOLD_RADIUS = 0.016  # m, of rungs and rails
WIDEST_GRASP = 0.05  # m, radius of what one hand still closes around
CLOSING = 0.3  # s, before a grasp and after a release


def finger_bend(radius: float, hand_length: float) -> float:
    """Return the bend of fingers that lie around a cylinder, rad."""
    return float(min(FINGER_SHARE * hand_length / (radius + FINGER_RADIUS), MAX_BEND))


def finger_bends(performance: Performance) -> dict[Side, Array]:
    """Return the bend of the fingers of both hands at every row of a performance, rad."""
    times = performance.motion.times
    bends = {side: np.full(len(times), RELAXED_FINGERS) for side in SIDES}
    for side, start, end, bend in _held(performance):
        t = np.clip(np.minimum(times - start, end - times) / CLOSING + 1.0, 0.0, 1.0)
        weight = t * t * (3 - 2 * t)
        bends[side] += weight * (bend - bends[side])
    return bends


def _held(performance: Performance) -> Iterator[tuple[Side, float, float, float]]:
    """Yield hand, start, end and bend of everything that is held."""
    length = performance.manikin.anthropometry["hand_length"]
    for phase in performance.loads:
        for side in phase.load.hands:
            yield side, phase.start, phase.end, _bend_on(phase.load, length)
    for held in performance.contacts:
        for side in SIDES:
            if held.contact.name == f"{side}_hand":
                yield side, held.start, held.end, finger_bend(HANDHOLD_RADIUS, length)


def _bend_on(load: Load, hand_length: float) -> float:
    """Return the bend on a load: around a narrow one in one hand, flat on the sides of a box."""
    radius = min(load.box.size[:2]) / 2
    if len(load.hands) == 1 and radius <= WIDEST_GRASP:
        return finger_bend(radius, hand_length)
    return float(FLAT)
