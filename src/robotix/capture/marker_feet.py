"""Feet from markers: when they are on the floor, and a path on which they then do not move.

A foot is on the floor while the ball of the foot is slow and about as low as the other one. Its
toes then lie flat where they mostly were during that time; whether the heel rises is left to the
ankle. Between two such phases the toes swing as recorded, along a path bent so that it starts and
ends where they lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.capture.marker_filter import runs_of
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.support import support_polygon
from robotix.kinematics import Posture

__all__ = ["FootPath", "Soles", "follow_feet", "plant_feet"]

SLOW, FAST = 0.4, 0.6  # m/s; slower: it comes to stand; faster: it leaves
HIGH = 0.05  # m above the other foot's height, each counted from its own lowest
SHORTEST_STANCE, SHORTEST_SWING = 0.10, 0.08  # s; what is shorter was noise
TOUCHING = 0.01  # m; what is lower touches the floor

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FootPath:
    """Where the toes of a foot shall be, row by row."""

    places: Array  # (k, 3), m, of their joint
    rotations: Array  # (k, 3, 3)
    stands: Mask  # (k,), on the floor


def plant_feet(manikin: Manikin, count: int) -> dict[Side, FootPath]:
    """Return feet that stand where they are at `q = 0`: what else, if nobody recorded them."""
    return {
        side: FootPath(
            np.tile(manikin.skeleton[f"{side}_toe"], (count, 1)),
            np.tile(np.eye(3), (count, 1, 1)),
            np.ones(count, dtype=bool),
        )
        for side in SIDES
    }


def follow_feet(
    manikin: Manikin, ankles: Mapping[Side, Array], *, toes: Mapping[Side, Array], rate: float
) -> dict[Side, FootPath]:
    """Return the paths of two recorded feet, in a frame whose floor is z = 0."""
    rests = {side: float(np.percentile(toes[side][:, 2], 10)) for side in SIDES}
    heights = {side: toes[side][:, 2] - rests[side] for side in SIDES}
    lowest = np.minimum(heights["right"], heights["left"])
    paths = dict[Side, FootPath]()
    for side in SIDES:
        speed = _speeds(toes[side], rate)
        stands = _stance(heights[side] - lowest, speed, rate=rate)
        recorded = _recorded(
            ankles[side], toes[side], stands=stands, floor=float(manikin.skeleton[f"{side}_toe"][2])
        )
        paths[side] = _path(recorded, stands)
    return paths


def _speeds(curve: Array, rate: float) -> Array:
    """Return how fast a point moves over the floor, (k,)."""
    if len(curve) < 2:
        return np.zeros(len(curve))
    return np.asarray(rate * np.linalg.norm(np.gradient(curve[:, :2], axis=0), axis=1))


def _stance(heights: Array, speeds: Array, *, rate: float) -> Mask:
    """Return when a foot stands, without the phases that are too short to be true."""
    stands, now = np.zeros(len(heights), dtype=bool), bool(speeds[0] < FAST)
    for i, (height, speed) in enumerate(zip(heights, speeds, strict=True)):
        now = height < HIGH and speed < (FAST if now else SLOW)
        stands[i] = now
    for value, shortest in ((False, SHORTEST_SWING), (True, SHORTEST_STANCE)):
        for start, end in runs_of(stands == value):
            if end - start < shortest * rate and 0 < start and end < len(stands):
                stands[start:end] = not value
    return stands


def _recorded(ankle: Array, toe: Array, *, stands: Mask, floor: float) -> Array:
    """Return place, yaw and pitch of a foot, (k, 5); pitch is zero when the foot is flat."""
    forward = (toe - ankle)[:, :2]
    length = np.linalg.norm(forward, axis=1)
    slope = np.arctan2(ankle[:, 2] - toe[:, 2], length)
    flat = np.percentile(slope[stands] if stands.any() else slope, 20)
    lift = np.maximum(toe[:, 2] - np.percentile(toe[:, 2], 10), 0.0)
    return np.column_stack([toe[:, :2], floor + lift, _yaw(forward, length), slope - flat])


def _yaw(forward: Array, length: Array) -> Array:
    """Return where a foot points; a steep one points anywhere, so others are asked."""
    rows, clear = np.arange(len(length)), length > 0.6 * np.median(length)
    yaw = np.unwrap(np.arctan2(forward[clear, 1], forward[clear, 0]))
    return np.asarray(np.interp(rows, rows[clear], yaw))


def _path(recorded: Array, stands: Mask) -> FootPath:
    wanted = recorded.copy()
    floor = recorded[:, 2].min()
    for start, end in runs_of(stands):
        x, y, _, yaw, _ = np.median(recorded[start:end], axis=0)
        wanted[start:end] = [x, y, floor, yaw, 0.0]
    for start, end in runs_of(~stands):
        wanted[start:end] += _bend(recorded, wanted, span=(start, end))
    wanted[:, 2] = np.maximum(wanted[:, 2], floor)
    return FootPath(wanted[:, :3].copy(), _turns(wanted[:, 3], wanted[:, 4]), stands)


def _bend(recorded: Array, wanted: Array, *, span: tuple[int, int]) -> Array:
    """Return what brings the ends of a swing to where the foot stands before and after it."""
    start, end = span
    gaps = [
        wanted[i] - recorded[i] if 0 <= i < len(wanted) else None for i in (start - 1, end)
    ]  # a swing that the recording cuts off has one end only
    first, last = (gap if gap is not None else other for gap, other in (gaps, gaps[::-1]))
    if first is None or last is None:
        return np.zeros_like(recorded[start:end])
    s = (np.arange(1, end - start + 1) / (end - start + 1))[:, None]
    s = s * s * (3 - 2 * s)
    return np.asarray((1 - s) * first + s * last)


def _turns(yaw: Array, pitch: Array) -> Array:
    """Return rotations about z, then about the new y; a positive pitch points downwards."""
    cy, sy, cp, sp = np.cos(yaw), np.sin(yaw), np.cos(pitch), np.sin(pitch)
    columns = ([cy * cp, sy * cp, -sp], [-sy, cy, np.zeros_like(yaw)], [cy * sp, sy * sp, cp])
    return np.stack([np.stack(column, axis=1) for column in columns], axis=2)


class Soles:
    """The points under two feet, and the polygon of those that touch the floor."""

    def __init__(self, manikin: Manikin) -> None:
        points = [
            manikin.model.point(name)
            for side in SIDES
            for name in (*manikin.support_points(side), *manikin.toe_points(side))
        ]
        self._bodies = [manikin.model.body_index(point.body) for point in points]
        self._offsets = np.array([point.pose.translation for point in points])

    def polygon(self, posture: Posture) -> Array:
        """Return the corners of the support, (n, 2)."""
        poses = posture.body_poses[self._bodies]
        turned = poses[:, :9].reshape(-1, 3, 3) @ self._offsets[:, :, None]
        places = poses[:, 9:] + turned[:, :, 0]
        return support_polygon(places[places[:, 2] < TOUCHING])
