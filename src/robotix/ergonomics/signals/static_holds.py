"""Postures that a motion holds still, judged by ISO 11226.

A hold is a span of at least 4 s in which an angle stays within 5° of its middle. Trunk, head (trunk
and neck together) and both upper arms are searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from robotix.ergonomics.methods.posture.static_posture import (
    StaticPosture,
    StaticPostureResult,
    load_static_postures,
    static_posture,
)
from robotix.ergonomics.signals.measured_angles import PostureAngles
from robotix.geometry import Array

__all__ = ["Hold", "static_holds"]


@dataclass(frozen=True)
class Hold:
    """A part of the body that is held still."""

    name: str  # trunk, head, right upper arm, left upper arm
    start: float  # s
    end: float  # s
    result: StaticPostureResult


def static_holds(angles: PostureAngles, times: Array) -> tuple[Hold, ...]:
    """Return all holds of a motion, the earliest first.

    Args:
        angles: At every instant.
        times: (N,), s.
    """
    turned = np.radians(load_static_postures().asymmetry_deg)
    uneven = np.maximum(np.abs(angles.trunk_side), np.abs(angles.trunk_twist)) > turned
    parts = [
        ("trunk", "trunk", angles.trunk, uneven),
        ("head", "head", angles.trunk + angles.neck.flexion, np.zeros_like(uneven)),
    ]
    for side, arm in angles.arms.items():
        parts.append((f"{side} upper arm", "upper_arm", arm.elevation, np.zeros_like(uneven)))
    found = [
        _hold(name, part, angle[first:last], uneven=crooked[first:last], times=times[first:last])
        for name, part, angle, crooked in parts
        for first, last in _spans(angle, times)
    ]
    return tuple(sorted(found, key=lambda each: (each.start, each.name)))


def _spans(angle: Array, times: Array) -> Iterator[tuple[int, int]]:
    """Yield first and last row (exclusive) of every hold: the longest span from each start."""
    table = load_static_postures()
    width = 2 * np.radians(table.hold_degrees)
    least = np.searchsorted(times, times + table.hold_seconds - 1e-9)  # row that ends a hold
    first = 0
    while first < len(angle):
        end = int(least[first]) + 1
        if end > len(angle) or np.ptp(angle[first:end]) > width:
            first += 1
            continue
        low = np.minimum.accumulate(angle[first:])
        high = np.maximum.accumulate(angle[first:])
        last = first + int(np.searchsorted(high - low, width, side="right"))
        yield first, last
        first = last


def _hold(name: str, part: str, angle: Array, *, uneven: Array, times: Array) -> Hold:
    middle = float(angle.mean())
    seconds = float(times[-1] - times[0])
    if -np.radians(load_static_postures().hold_degrees) < middle < 0:
        middle = 0.0  # upright, within the tolerance
    posture = StaticPosture(
        part=part, angle=middle, seconds=seconds, is_asymmetric=bool(uneven.all())
    )
    return Hold(name, float(times[0]), float(times[-1]), static_posture(posture))
