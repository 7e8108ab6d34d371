"""What a device says at one moment, before anybody has checked it."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace

from robotix.geometry.arrays import Quaternion, Vector

__all__ = ["Mailbox", "Quaternion", "Sample", "Vector", "checked_sample"]


NOTHING = frozenset[str]()
LONGEST_QUATERNION = 1e6  # beyond, it is rubbish rather than a rotation of odd length


@dataclass(frozen=True)
class Sample:
    """One reading of a physical device, as raw as it came.

    `time` (s) is on the clock that `Device.read` is given. `axes` are in -1..1, or 0..1 for
    triggers, in the order in which the device names them; `buttons` are those that are down;
    `position` (m) and `quaternion` (w, x, y, z) say where a tracked device is in the world.

    Nothing here is to be trusted: a device may send NaN, or worse. See `robotix.devices.watchdog`.
    """

    time: float
    axes: tuple[float, ...] = ()
    buttons: frozenset[str] = NOTHING
    position: Vector | None = None
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)


def checked_sample(
    sample: object, *, n_axes: int, buttons: frozenset[str], wild: float, reach: float
) -> Sample | str:
    """Return what can be believed of a sample taken alone, or say in a few words what is wrong.

    Axes a little beyond 1 are brought back, beyond `wild` they are a fault; so is a position
    farther than `reach` (m) from the origin. Buttons that the device has not got are dropped.
    """
    if not isinstance(sample, Sample):
        return "gave something that is no sample"
    try:
        time, axes = float(sample.time), tuple(map(float, sample.axes))
        place = None if sample.position is None else tuple(map(float, sample.position))
        turn = tuple(map(float, sample.quaternion))
        down = frozenset(sample.buttons) & buttons
    except (TypeError, ValueError, OverflowError):
        return "gave values that are no numbers"
    if len(axes) != n_axes or len(turn) != 4 or (place is not None and len(place) != 3):
        return f"gave a sample of the wrong size; it has {n_axes} axes"
    if not all(map(math.isfinite, (time, *axes, *(place or ()), *turn))):
        return "gave numbers that are not finite"
    length = math.hypot(*turn)
    if not 1 / LONGEST_QUATERNION < length < LONGEST_QUATERNION:
        return "gave a quaternion that is no rotation"
    largest = max(map(abs, axes), default=0.0)
    if largest > wild:
        return "gave an axis far beyond -1..1"
    if place is not None and math.hypot(*place) > reach:
        return "is said to be out of reach of any room"
    if largest > 1.0:
        axes = tuple(max(-1.0, min(1.0, value)) for value in axes)
    w, x, y, z = turn
    unit = (w / length, x / length, y / length, z / length)
    return Sample(time, axes, down, None if place is None else _vector(place), unit)


def _vector(values: tuple[float, ...]) -> Vector:
    x, y, z = values
    return x, y, z


class Mailbox:
    """Keeps the latest sample until it is asked for; a click shorter than a tick is not lost.

    One thread may put while another takes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: Sample | None = None
        self._clicked = NOTHING  # went down since it was asked last
        self._down = NOTHING
        self._is_open = True

    def put(self, sample: Sample) -> None:
        """Take in a sample, in place of what waits."""
        with self._lock:
            self._clicked |= sample.buttons - self._down
            self._down = sample.buttons
            self._latest = sample if self._is_open else None

    def take(self) -> Sample | None:
        """Hand over what came since the last time; None when nothing did."""
        with self._lock:
            sample, missed = self._latest, self._clicked - self._down
            self._clicked = NOTHING
            self._latest = sample if missed else None  # clicked is down now, and up the next time
        return replace(sample, buttons=sample.buttons | missed) if sample and missed else sample

    def close(self) -> None:
        """Throw away what waits, and what comes."""
        with self._lock:
            self._is_open, self._latest = False, None
