"""How long things took: a histogram of fixed size, however many there were."""

from __future__ import annotations

import math

__all__ = ["Durations"]

SHORTEST = 1e-7  # s; all below counts as this
PER_OCTAVE = 16  # buckets for every doubling: a quantile is right to 4.5 %
OCTAVES = 30  # up to 107 s


class Durations:
    """Counts durations in buckets that grow with them."""

    def __init__(self) -> None:
        self.count = 0
        self.total = 0.0  # s
        self.worst = 0.0  # s
        self._buckets = [0] * (PER_OCTAVE * OCTAVES)

    def add(self, seconds: float) -> None:
        """Count one more."""
        self.count += 1
        self.total += seconds
        self.worst = max(self.worst, seconds)
        bucket = int(PER_OCTAVE * math.log2(max(seconds, SHORTEST) / SHORTEST))
        self._buckets[min(bucket, len(self._buckets) - 1)] += 1

    @property
    def mean(self) -> float:
        """Return the average in s; 0 when there is none."""
        return self.total / self.count if self.count else 0.0

    def quantile(self, share: float) -> float:
        """Return the time in s within which this share of all stayed."""
        if not 0 <= share <= 1:
            raise ValueError(f"a share lies in 0..1, got {share}")
        left = share * self.count
        for bucket, count in enumerate(self._buckets[:-1]):  # the last one has no upper end
            left -= count
            if left <= 0 and count:
                return min(SHORTEST * math.exp2((bucket + 1) / PER_OCTAVE), self.worst)
        return self.worst
