"""Postures in which a robot stood still."""

from __future__ import annotations

from collections import deque

import numpy as np

from robotix.geometry import Array

__all__ = ["Rests"]

MIN_REST = 0.25  # s of standing still after which a posture can be gone back to
MAX_RESTS = 50  # postures that are remembered
SAME_POSTURE = 1e-6  # rad or m


class Rests:
    """Postures in which a robot stood still before it moved, so that it can go back to them."""

    def __init__(self, dt: float) -> None:
        self._min_ticks = MIN_REST / dt
        self._postures: deque[Array] = deque(maxlen=MAX_RESTS)
        self._since = -self._min_ticks  # the tick since which it has stood still
        self._is_going_back = False

    def begin_motion(self, q: Array, tick: int) -> None:
        """Remember the posture in which it stood, unless it now goes back to an earlier one."""
        if not self._is_going_back and tick - self._since >= self._min_ticks:
            self._postures.append(q)
        self._is_going_back = False

    def end_motion(self, tick: int) -> None:
        """Remember since when it stands still."""
        self._since = tick

    def take_last(self, q: Array) -> Array:
        """Return the last posture that differs from `q`, and forget it."""
        while self._postures:
            last = self._postures.pop()
            if np.abs(last - q).max(initial=0.0) > SAME_POSTURE:
                self._is_going_back = True
                return last
        raise ValueError("it has not moved yet, or has gone back all the way")
