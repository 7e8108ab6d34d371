"""Timers by name, counted in ticks."""

from __future__ import annotations

import math

__all__ = ["Timers"]


class Timers:
    """Timers by name: each expires after a number of seconds, once or repeatedly."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._left: dict[str, tuple[int, int]] = {}  # remaining ticks, period in ticks (0: once)

    def __contains__(self, name: object) -> bool:
        return name in self._left

    def start(self, name: str, seconds: float, *, again: bool = False) -> None:
        """Start a timer; restart it if it is running. `again` makes it periodic."""
        if not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"timer {name!r} needs a time of 0 s or more, got {seconds}")
        ticks = max(1, round(seconds / self._dt))
        self._left[name] = ticks, ticks if again else 0

    def stop(self, name: str) -> None:
        """Stop a timer, if it is running."""
        self._left.pop(name, None)

    def advance(self) -> list[str]:
        """Advance by one tick and return the names of the timers that expire."""
        expired = []
        for name, (left, again) in list(self._left.items()):
            if left > 1:
                self._left[name] = left - 1, again
                continue
            expired.append(name)
            if again:
                self._left[name] = again, again
            else:
                del self._left[name]
        return expired

    def state(self) -> list[tuple[str, int, int]]:
        """Return the names, remaining ticks and periods."""
        return [(name, left, again) for name, (left, again) in self._left.items()]
