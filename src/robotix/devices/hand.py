"""A tracked hand ("glove"): from the 25 joints of WebXR to a palm, a pinch and a grip."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from robotix.devices.message import DeviceMessage, numbers
from robotix.devices.rigid_transform import RigidTransform, compose, from_xr
from robotix.devices.sample import Mailbox, Sample, Vector

__all__ = ["JOINTS", "TrackedHand", "finger_curl", "pinch_strength"]

FINGERS = ("index", "middle", "ring", "little")
# WebXR's joints in its order: the wrist, four of the thumb, five of each finger.
JOINTS = (
    "wrist",
    *(f"thumb_{part}" for part in ("metacarpal", "proximal", "distal", "tip")),
    *(
        f"{finger}_{part}"
        for finger in FINGERS
        for part in ("metacarpal", "proximal", "intermediate", "distal", "tip")
    ),
)
WRIST, THUMB_TIP, INDEX_TIP = map(JOINTS.index, ("wrist", "thumb_tip", "index_tip"))
FIRST_OF_FINGER = tuple(JOINTS.index(f"{finger}_metacarpal") for finger in FINGERS)
MIDDLE_FINGER_JOINT = FIRST_OF_FINGER[1]

# Distance between the tips of thumb and index, in m, of a closed and of an open pinch.
TOUCHING_DISTANCE, APART_DISTANCE = 0.012, 0.05
# Between the back of the hand and the tip of a finger in a fist, in rad.
FULL_CURL_ANGLE = math.radians(200)
# Strengths at which a button closes and opens again; the difference is the hysteresis.
CLOSE_THRESHOLD, OPEN_THRESHOLD = 0.8, 0.5


def pinch_strength(distance: float) -> float:
    """Return the closure of a pinch, 0..1, from the distance of the tips (m)."""
    return max(0.0, min(1.0, (APART_DISTANCE - distance) / (APART_DISTANCE - TOUCHING_DISTANCE)))


def finger_curl(points: Sequence[Vector]) -> float:
    """Return the flexion of a finger, 0..1, from its five joints: the sum of its three bends."""
    bones = [_minus(end, start) for start, end in pairwise(points)]
    bends = sum(_angle(one, other) for one, other in pairwise(bones))
    return max(0.0, min(1.0, bends / FULL_CURL_ANGLE))


class TrackedHand:
    """A hand tracked by cameras, fed by messages `{"joints": [25 × (x y z, qx qy qz qw)]}`.

    The numbers are in one flat list, as WebXR has them; null means that the hand is not tracked.
    Its pose is the middle of the palm, x towards the fingers and z out of the back of the hand.
    """

    kind = "tracked hand"

    def __init__(self, name: str = "right_tracked_hand") -> None:
        self.name = name
        self.axes = ("pinch", "grip", *FINGERS)  # all 0..1
        self.buttons = ("pinch", "grip")
        self.world_from_room = RigidTransform()
        self._down = frozenset[str]()
        self._mail = Mailbox()

    def feed(self, message: DeviceMessage, now: float) -> None:
        """Process a message; raise ValueError if it is malformed."""
        if message.get("joints") is None:
            return  # not tracked counts as silence
        size = 7 * len(JOINTS)
        flat = numbers(message, "joints", least=size, most=size)
        joints = [from_xr(flat[i : i + 3], flat[i + 3 : i + 7]) for i in range(0, size, 7)]
        points = [joint.position for joint in joints]
        curls = tuple(finger_curl(points[first : first + 5]) for first in FIRST_OF_FINGER)
        pinch = pinch_strength(math.dist(points[THUMB_TIP], points[INDEX_TIP]))
        grip = sum(curls) / len(curls)
        self._down = self._closed({"pinch": pinch, "grip": grip})
        palm = RigidTransform(
            _middle(points[MIDDLE_FINGER_JOINT], points[MIDDLE_FINGER_JOINT + 1]),
            joints[WRIST].quaternion,
        )
        placed = compose(self.world_from_room, palm)
        axes = (pinch, grip, *curls)
        self._mail.put(Sample(now, axes, self._down, placed.position, placed.quaternion))

    def read(self, now: float) -> Sample | None:
        """Return the latest sample; None when there is no new one."""
        return self._mail.pop()

    def close(self) -> None:
        """Discard later messages."""
        self._mail.close()

    def _closed(self, strengths: dict[str, float]) -> frozenset[str]:
        return frozenset(
            name
            for name, strength in strengths.items()
            if strength > (OPEN_THRESHOLD if name in self._down else CLOSE_THRESHOLD)
        )


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _middle(a: Vector, b: Vector) -> Vector:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2


def _angle(a: Vector, b: Vector) -> float:
    """Return the angle between two directions, rad; accurate for small angles, too."""
    cross = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return math.atan2(math.hypot(*cross), dot)
