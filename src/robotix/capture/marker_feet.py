"""Stance phases of recorded feet, and foot paths without slip.

A foot is in stance while its ball is slow and about as low as that of the other foot. Its toes then
lie flat at their median position of the phase; the heel may rise. Between two phases the toes swing
as recorded, along a path that is blended to start and end at these positions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.capture.marker_filter import runs_of
from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.contacts import contact_positions, knee
from robotix.human.motion.support import support_polygon
from robotix.kinematics import Posture

__all__ = ["FootPath", "Mask", "Soles", "follow_feet", "plant_feet"]

STANCE_SPEED, SWING_SPEED = 0.4, 0.6  # m/s; stance begins below the first and ends above the second
SHUFFLE_SPEED, MIN_SHUFFLE = 0.12, 0.04  # m/s, m; a foot that moves on and farther is not in stance
MAX_FLAT = np.radians(25.0)  # from the manikin's slope of a flat foot
MAX_TILT = np.radians(60.0)  # of a foot that swings: toes follow no farther
MAX_STANCE_HEIGHT = 0.05  # m above the other foot, each relative to its own lowest height
MIN_STANCE_TIME, MIN_SWING_TIME = 0.10, 0.08  # s; shorter phases are noise
CONTACT_HEIGHT = 0.02  # m; lower points bear: soles are soft, and markers give feet to a centimetre

Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FootPath:
    """Desired poses of the toes of a foot, row by row."""

    positions: Array  # (k, 3), m, of their joint
    rotations: Array  # (k, 3, 3)
    stands: Mask  # (k,), in stance


def plant_feet(manikin: Manikin, count: int) -> dict[Side, FootPath]:
    """Return feet that stay at their poses of `q = 0`, if no feet were recorded."""
    return {
        side: FootPath(
            np.tile(manikin.skeleton[f"{side}_toe"], (count, 1)),
            np.tile(np.eye(3), (count, 1, 1)),
            np.ones(count, dtype=bool),
        )
        for side in SIDES
    }


def follow_feet(
    manikin: Manikin,
    ankles: Mapping[Side, Array],
    *,
    toes: Mapping[Side, Array],
    rate: float,
    headings: Array | None = None,
    kneels: Mapping[Side, Mask] | None = None,
) -> dict[Side, FootPath]:
    """Return the paths of two recorded feet, in a frame whose floor is z = 0.

    `headings` (k,), rad, are those of the pelvis: a foot that seems to point backwards is tilted
    beyond the vertical, as when somebody pushes off far behind. A foot does not stand while its
    knee is on the floor, `kneels`.
    """
    rests = {side: float(np.percentile(toes[side][:, 2], 10)) for side in SIDES}
    heights = {side: toes[side][:, 2] - rests[side] for side in SIDES}
    lowest = np.minimum(heights["right"], heights["left"])
    paths = dict[Side, FootPath]()
    for side in SIDES:
        speed = _speeds(toes[side], rate)
        stands = _stance(heights[side] - lowest, speed, rate=rate)
        stands = _without_shuffles(stands, toes[side][:, :2], speed, rate=rate)
        if kneels is not None:
            stands &= ~kneels[side]
        flat = manikin.skeleton[f"{side}_ankle"] - manikin.skeleton[f"{side}_toe"]
        recorded = _recorded(
            ankles[side],
            toes[side],
            stands=stands,
            floor=float(manikin.skeleton[f"{side}_toe"][2]),
            headings=headings,
            usual=float(np.arctan2(flat[2], np.linalg.norm(flat[:2]))),
        )
        paths[side] = _path(recorded, stands)
    return paths


def _speeds(curve: Array, rate: float) -> Array:
    """Return the horizontal speed of a point, (k,), m/s."""
    if len(curve) < 2:
        return np.zeros(len(curve))
    return np.asarray(rate * np.linalg.norm(np.gradient(curve[:, :2], axis=0), axis=1))


def _stance(heights: Array, speeds: Array, *, rate: float) -> Mask:
    """Return when a foot is in stance, without phases that are too short."""
    stands, now = np.zeros(len(heights), dtype=bool), bool(speeds[0] < SWING_SPEED)
    for i, (height, speed) in enumerate(zip(heights, speeds, strict=True)):
        now = height < MAX_STANCE_HEIGHT and speed < (SWING_SPEED if now else STANCE_SPEED)
        stands[i] = now
    for value, shortest in ((False, MIN_SWING_TIME), (True, MIN_STANCE_TIME)):
        for start, end in runs_of(stands == value):
            if end - start < shortest * rate and 0 < start and end < len(stands):
                stands[start:end] = not value
    return stands


def _without_shuffles(stands: Mask, positions: Array, speeds: Array, *, rate: float) -> Mask:
    """Return stance phases without slow steps along the floor, and without phases too short."""
    found = stands.copy()
    for start, end in runs_of(stands & (speeds > SHUFFLE_SPEED)):
        if np.linalg.norm(positions[end - 1] - positions[start]) > MIN_SHUFFLE:
            found[start:end] = False
    for start, end in runs_of(found):
        if end - start < MIN_STANCE_TIME * rate and 0 < start and end < len(found):
            found[start:end] = False
    return found


def _recorded(
    ankle: Array,
    toe: Array,
    *,
    stands: Mask,
    floor: float,
    headings: Array | None,
    usual: float,
) -> Array:
    """Return position, yaw and pitch of a foot, (k, 5); pitch is 0 for a flat foot.

    The slope of a flat foot is that of the stance phases, or `usual`, if the foot never is flat.
    """
    forward = (toe - ankle)[:, :2]
    length = np.linalg.norm(forward, axis=1)
    if headings is not None:
        ahead = np.column_stack([np.cos(headings), np.sin(headings)])
        sign = np.where((forward * ahead).sum(axis=1) < 0, -1.0, 1.0)
        forward, length = sign[:, None] * forward, sign * length
    slope = np.arctan2(ankle[:, 2] - toe[:, 2], length)
    flat = np.percentile(slope[stands] if stands.any() else slope, 20)
    flat = flat if abs(flat - usual) < MAX_FLAT else usual
    tilt = np.minimum(slope - flat, MAX_TILT)
    lift = np.maximum(toe[:, 2] - np.percentile(toe[:, 2], 10), 0.0)
    return np.column_stack([toe[:, :2], floor + lift, _yaw(forward, abs(length)), tilt])


def _yaw(forward: Array, length: Array) -> Array:
    """Return the heading of a foot, rad; interpolated where the foot is steep."""
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
    """Return the correction that makes a swing start and end at the stance positions."""
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
    """The points under two feet and knees, and the polygon of those that touch the floor."""

    def __init__(self, manikin: Manikin) -> None:
        points = [
            manikin.model.point(name)
            for side in SIDES
            for name in (*manikin.support_points(side), *manikin.toe_points(side))
        ]
        self._bodies = [manikin.model.body_index(point.body) for point in points]
        self._offsets = np.array([point.pose.translation for point in points])
        self._knees = {side: knee(manikin, side) for side in SIDES}

    def polygon(self, posture: Posture, *, knees: Sequence[Side] = ()) -> Array:
        """Return the corners of the support, (n, 2), with the knees that are on the floor."""
        poses = posture.body_poses[self._bodies]
        turned = poses[:, :9].reshape(-1, 3, 3) @ self._offsets[:, :, None]
        positions = poses[:, 9:] + turned[:, :, 0]
        low = positions[positions[:, 2] < CONTACT_HEIGHT]
        if knees:
            below = contact_positions(posture, [self._knees[side] for side in knees])
            low = np.vstack([low, below])
        return support_polygon(low)
