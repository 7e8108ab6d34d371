"""Recording of postures, and playback of motions."""

from __future__ import annotations

import math
from collections import deque
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.model import Model
from robotix.motion.coordinates import model_dofs, posture_of
from robotix.motion.motion import Marker, Motion, check_time

__all__ = ["Ended", "Looped", "MotionRecorder", "Passed", "PlayEvent", "Player"]


class MotionRecorder:
    """Collects postures; with a `capacity`, the oldest are dropped."""

    def __init__(self, model: Model, *, capacity: int | None = None) -> None:
        if capacity is not None and capacity < 1:
            raise ValueError(f"capacity must be 1 or more, or None, got {capacity}")
        self._dofs = model_dofs(model)
        self._rows: deque[tuple[float, Array]] = deque(maxlen=capacity)
        self._markers: deque[Marker] = deque(maxlen=capacity)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, t: float, q: ArrayLike) -> None:
        """Add the posture at time `t`, which must be later than the last one."""
        row = posture_of(self._dofs, q)
        check_time(t, last=self._rows[-1][0] if self._rows else None)
        self._rows.append((t, row))

    def mark(self, label: str) -> None:
        """Add a marker at the time of the last posture."""
        if not self._rows or not label.isprintable():
            raise ValueError(f"marker {label!r} needs a posture before it and one line of text")
        self._markers.append(Marker(self._rows[-1][0], label))

    def clear(self) -> None:
        """Remove all postures and markers."""
        self._rows.clear()
        self._markers.clear()

    def motion(self) -> Motion:
        """Return the recorded motion."""
        if not self._rows:
            raise ValueError("nothing recorded; add a posture first")
        times, rows = zip(*self._rows, strict=True)
        markers = tuple(marker for marker in self._markers if marker.time >= times[0])
        return Motion(self._dofs, np.array(times), np.array(rows), markers)


@dataclass(frozen=True)
class Ended:
    """The motion was played to its end."""


@dataclass(frozen=True)
class Looped:
    """The motion started again."""


@dataclass(frozen=True)
class Passed:
    """The time of a marker was passed."""

    label: str


PlayEvent: TypeAlias = Ended | Looped | Passed


class Player:
    """Plays a motion tick by tick: `advance` returns the posture, `events` the events of the tick.

    `playing`, `time` (in the motion, s), `speed` and `loop` may be read at any time.
    """

    def __init__(self, motion: Motion, *, speed: float = 1.0, loop: bool = False) -> None:
        if not (math.isfinite(speed) and speed > 0):
            raise ValueError(f"speed must be positive, got {speed}")
        self.motion = motion
        self.speed = speed
        self.loop = loop
        self.playing = False
        self.events: tuple[PlayEvent, ...] = ()
        self.rewind()

    def rewind(self) -> None:
        """Go back to the start."""
        self.time = float(self.motion.times[0])
        self._reported = -math.inf  # markers up to here have gone by

    def play(self) -> None:
        """Resume; from the start if it had ended."""
        if self.time == self.motion.times[-1]:
            self.rewind()
        self.playing = True

    def stop(self) -> None:
        """Pause at the present time."""
        self.playing = False

    def advance(self, dt: float) -> Array | None:
        """Advance by `dt` seconds and return the posture; None when not playing."""
        if not (math.isfinite(dt) and dt >= 0):
            raise ValueError(f"dt must be 0 or more, got {dt}")
        self.events = ()
        if not self.playing:
            return None
        first, last = float(self.motion.times[0]), float(self.motion.times[-1])
        goal = self.time + self.speed * dt
        if self.loop and goal >= last > first:
            self._pass_markers(math.inf)
            self.rewind()
            self.events += (Looped(),)
            goal = first + (goal - last) % (last - first)
        self.time = min(goal, last)
        ended = goal >= last and not self.loop
        self._pass_markers(math.inf if ended else self.time)
        if ended:
            self.playing = False
            self.events += (Ended(),)
        return self.motion.at(self.time)

    def _pass_markers(self, time: float) -> None:
        labels = [m.label for m in self.motion.markers if self._reported < m.time <= time]
        self.events += tuple(Passed(label) for label in labels)
        self._reported = time
