"""Real time: the clock that paces a loop, and statistics of durations."""

from __future__ import annotations

import math
import time
from typing import Protocol

__all__ = ["SPIN_TIME", "Clock", "Durations", "SystemClock"]

SPIN_TIME = 100e-6  # s; typical lateness of `time.sleep`
MIN_DURATION = 1e-7  # s; shorter ones count as this
BUCKETS_PER_OCTAVE = 16  # a quantile is exact to 4.5 %
OCTAVES = 30  # up to 107 s


class Clock(Protocol):
    """A clock that a loop can wait for."""

    def now(self) -> float:
        """Return the time in s, from any origin."""

    def sleep_until(self, moment: float) -> None:
        """Return at this time, or at once if it has passed."""


class SystemClock:
    """The system clock; waits by sleeping first and spinning at the end."""

    def __init__(self, *, spin: float = SPIN_TIME) -> None:
        """Spin for the last `spin` seconds of every wait."""
        self._spin = spin

    def now(self) -> float:
        """Return the time in s."""
        return time.perf_counter()

    def sleep_until(self, moment: float) -> None:
        """Return at this time, as precisely as the system allows."""
        left = moment - time.perf_counter()
        if left > self._spin:
            time.sleep(left - self._spin)
        while time.perf_counter() < moment:
            pass  # threads run during kernels; yielding to them here would cost precision


class Durations:
    """A histogram of durations with logarithmic buckets, of constant size."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0  # s
        self.worst = 0.0  # s
        self._buckets = [0] * (BUCKETS_PER_OCTAVE * OCTAVES)

    def add(self, seconds: float) -> None:
        """Add a duration."""
        self.count += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        bucket = int(BUCKETS_PER_OCTAVE * math.log2(max(seconds, MIN_DURATION) / MIN_DURATION))
        self._buckets[min(bucket, len(self._buckets) - 1)] += 1

    @property
    def mean(self) -> float:
        """The average in s; 0 if empty."""
        return self.total / self.count if self.count else 0.0

    def quantile(self, fraction: float) -> float:
        """Return the duration in s that this fraction of all does not exceed."""
        if not 0 <= fraction <= 1:
            raise ValueError(f"a fraction lies in 0..1, got {fraction}")
        left = fraction * self.count
        for bucket, count in enumerate(self._buckets[:-1]):  # the last one has no upper bound
            left -= count
            if left <= 0 and count:
                return min(MIN_DURATION * math.exp2((bucket + 1) / BUCKETS_PER_OCTAVE), self.worst)
        return self.worst
