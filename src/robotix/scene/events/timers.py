"""Timers by name, counted in ticks."""

from __future__ import annotations

import math

__all__ = ["Timers"]


class Timers:
    """Timers by name: each rings after so many seconds, once or again and again."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._left: dict[str, tuple[int, int]] = {}  # ticks to go, ticks of a round (0: once)

    def __contains__(self, name: object) -> bool:
        return name in self._left

    def start(self, name: str, seconds: float, *, again: bool = False) -> None:
        """Let a timer ring in `seconds`; one of that name that is running starts anew."""
        if not (math.isfinite(seconds) and seconds >= 0):
            raise ValueError(f"timer {name!r} needs a time of 0 s or more, got {seconds}")
        ticks = max(1, round(seconds / self._dt))
        self._left[name] = ticks, ticks if again else 0

    def stop(self, name: str) -> None:
        """Stop a timer; one that does not run stays as it is."""
        self._left.pop(name, None)

    def advance(self) -> list[str]:
        """Let one tick pass and return the names of those that ring."""
        rang = []
        for name, (left, again) in list(self._left.items()):
            if left > 1:
                self._left[name] = left - 1, again
                continue
            rang.append(name)
            if again:
                self._left[name] = again, again
            else:
                del self._left[name]
        return rang

    def state(self) -> list[tuple[str, int, int]]:
        """Return what the state of the room depends on."""
        return [(name, left, again) for name, (left, again) in self._left.items()]
