"""Time that passes by itself, and how to wait for it."""

from __future__ import annotations

import time
from typing import Protocol

__all__ = ["SPIN", "Clock", "SystemClock"]

SPIN = 100e-6  # s; the system wakes a sleeper up to so much late


class Clock(Protocol):
    """What paces a loop."""

    def now(self) -> float:
        """Return the time in s, from any origin."""

    def sleep_until(self, moment: float) -> None:
        """Return at this time, or at once when it is over."""


class SystemClock:
    """The computer's clock: sleeps for most of the time, and watches the clock for the rest."""

    def __init__(self, *, spin: float = SPIN) -> None:
        """Watch the clock for the last `spin` seconds of every wait."""
        self._spin = spin

    def now(self) -> float:
        """Return the time in s."""
        return time.perf_counter()

    def sleep_until(self, moment: float) -> None:
        """Return at this time, as sharply as the system lets us."""
        left = moment - time.perf_counter()
        if left > self._spin:
            time.sleep(left - self._spin)
        while time.perf_counter() < moment:
            pass  # other threads get in while kernels run; yielding to them here costs punctuality
