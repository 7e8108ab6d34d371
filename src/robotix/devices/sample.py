"""Samples of physical devices, before they are checked."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass, replace

from robotix.geometry.arrays import Quaternion, Vector

__all__ = ["Mailbox", "Quaternion", "Sample", "Vector", "checked_sample"]


NO_BUTTONS = frozenset[str]()
MAX_QUATERNION_NORM = 1e6  # and its inverse; quaternions outside are invalid


@dataclass(frozen=True)
class Sample:
    """One raw reading of a physical device.

    `time` (s) is on the clock that `Device.read` is given. `axes` are in -1..1, or 0..1 for
    triggers, in the order in which the device names them; `buttons` are those that are down;
    `position` (m) and `quaternion` (w, x, y, z) say where a tracked device is in the world.

    Values are unchecked: a device may send NaN, or worse. See `robotix.devices.watchdog`.
    """

    time: float
    axes: tuple[float, ...] = ()
    buttons: frozenset[str] = NO_BUTTONS
    position: Vector | None = None
    quaternion: Quaternion = (1.0, 0.0, 0.0, 0.0)


def checked_sample(
    sample: object, *, n_axes: int, buttons: frozenset[str], wild: float, reach: float
) -> Sample | str:
    """Return a sample with valid values, or a short description of the fault.

    Axes slightly beyond 1 are clamped, beyond `wild` they are a fault; so is a position
    farther than `reach` (m) from the origin. Unknown buttons are dropped.
    """
    if not isinstance(sample, Sample):
        return "gave something that is no sample"
    try:
        time, axes = float(sample.time), tuple(map(float, sample.axes))
        position = None if sample.position is None else tuple(map(float, sample.position))
        quaternion = tuple(map(float, sample.quaternion))
        down = frozenset(sample.buttons) & buttons
    except (TypeError, ValueError, OverflowError):
        return "gave values that are no numbers"
    if len(axes) != n_axes or len(quaternion) != 4 or (position is not None and len(position) != 3):
        return f"gave a sample of the wrong size; it has {n_axes} axes"
    if not all(map(math.isfinite, (time, *axes, *(position or ()), *quaternion))):
        return "gave numbers that are not finite"
    length = math.hypot(*quaternion)
    if not 1 / MAX_QUATERNION_NORM < length < MAX_QUATERNION_NORM:
        return "gave a quaternion that is no rotation"
    largest = max(map(abs, axes), default=0.0)
    if largest > wild:
        return "gave an axis far beyond -1..1"
    if position is not None and math.hypot(*position) > reach:
        return "is said to be out of reach of any room"
    if largest > 1.0:
        axes = tuple(max(-1.0, min(1.0, value)) for value in axes)
    w, x, y, z = quaternion
    unit = (w / length, x / length, y / length, z / length)
    return Sample(time, axes, down, None if position is None else _vector(position), unit)


def _vector(values: tuple[float, ...]) -> Vector:
    x, y, z = values
    return x, y, z


class Mailbox:
    """Keeps the latest sample until it is popped; a click shorter than a tick is not lost.

    One thread may put while another pops.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._latest: Sample | None = None
        self._clicked = NO_BUTTONS  # pressed since the last pop
        self._down = NO_BUTTONS
        self._is_open = True

    def put(self, sample: Sample) -> None:
        """Store a sample, replacing one that was not popped."""
        with self._lock:
            self._clicked |= sample.buttons - self._down
            self._down = sample.buttons
            self._latest = sample if self._is_open else None

    def pop(self) -> Sample | None:
        """Return the latest sample since the last call; None when there was none."""
        with self._lock:
            sample, missed = self._latest, self._clicked - self._down
            self._clicked = NO_BUTTONS
            self._latest = (
                sample if missed else None
            )  # a missed click: pressed now, released the next time
        return replace(sample, buttons=sample.buttons | missed) if sample and missed else sample

    def close(self) -> None:
        """Discard the stored sample and all later ones."""
        with self._lock:
            self._is_open, self._latest = False, None
