"""Plays a recording: a clock that can be paused, sought and sped up, and the scene at its time."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from robotix.scene.loop import LoopReport
from robotix.scene.recording.posing import TakePoser

if TYPE_CHECKING:
    from robotix.scene.loop import Consumer
    from robotix.server.replay.second_take import SecondTake

__all__ = ["ReplayPlayer"]

FRAME_INTERVAL = 1 / 60  # s between pictures of the scene
IDLE_INTERVAL = 0.25  # s between checks while nothing happens
MIN_SPEED, MAX_SPEED = 0.05, 20.0
MAX_OFFSET = 1e5  # s


class ReplayPlayer:
    """Poses a scene by a recording, in place of the loop that would run it.

    `run` must be called from one thread; all other methods are thread-safe. `lock` protects the
    scenes of all takes: whoever poses them for another purpose holds it.
    """

    def __init__(
        self,
        poser: TakePoser,
        *,
        second: SecondTake | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        """Start paused at the beginning of the take; `second` is another one, laid over."""
        self.poser, self.second = poser, second
        self.lock = threading.RLock()
        self._clock = clock
        self._on_frame: Sequence[Consumer] = ()
        self._on_change: Callable[[], None] = lambda: None
        self._time = poser.take.start
        self._speed = 1.0
        self._is_paused = True
        self._is_stale = True  # the scene shows another time
        self._is_over = False
        self._wake = threading.Condition()
        self._frames = 0
        self._started = self._last = clock()

    def follow(
        self, on_frame: Sequence[Consumer], *, on_change: Callable[[], None] = lambda: None
    ) -> None:
        """Call `on_frame` with the scene whenever it shows another time, while `lock` is held.

        `on_change` is called after playback started, stopped or jumped.
        """
        self._on_frame, self._on_change = on_frame, on_change

    # -- as of a loop -----------------------------------------------------------------------

    @property
    def time(self) -> float:
        """The time shown, s of the scene."""
        return self._time

    @property
    def is_paused(self) -> bool:
        """Whether it stands still."""
        return self._is_paused

    @property
    def speed(self) -> float:
        """Recorded seconds per second."""
        return self._speed

    @property
    def offset(self) -> float:
        """By how many seconds the second take is moved to later times."""
        return 0.0 if self.second is None else self.second.offset

    def set_speed(self, speed: float) -> None:
        """Play at another speed."""
        if not MIN_SPEED <= speed <= MAX_SPEED:
            raise ValueError(f"speed is {MIN_SPEED} to {MAX_SPEED}, got {speed}")
        self._advance()
        self._speed = speed
        self._notify()

    def pause(self) -> None:
        """Stop."""
        self._advance()
        self._is_paused = True
        self._notify()

    def resume(self) -> None:
        """Play on; from the beginning if it is at the end."""
        self._last = self._clock()
        if self._time >= self.poser.take.end:
            self._time = self.poser.take.start
        self._is_paused = False
        self._notify()

    def step(self, ticks: int = 1) -> None:
        """Go to a later tick, and stop; a negative number goes back."""
        self._is_paused = True
        self.seek(self._time + ticks * self.poser.take.header.dt)

    def seek(self, time: float) -> None:
        """Go to a time, s."""
        if not math.isfinite(time):
            raise ValueError(f"a time must be finite, got {time}")
        take = self.poser.take
        self._last = self._clock()
        self._time = min(max(time, take.start), take.end)
        self._notify()

    def set_offset(self, offset: float) -> None:
        """Move the second take to later times, by s."""
        if not abs(offset) <= MAX_OFFSET:
            raise ValueError(f"an offset is at most {MAX_OFFSET:g} s, got {offset}")
        if self.second is not None:
            with self.lock:
                self.second.offset = offset
        self._notify()

    def report(self) -> LoopReport:
        """Return what the page shows of a loop; nothing is simulated, so there is no load."""
        zero = 0.0
        return LoopReport(
            ticks=self._frames, time=self._time, elapsed=self._clock() - self._started, overruns=0,
            lost=zero, load=zero, mean=zero, median=zero, p99=zero, p999=zero, worst=zero,
            was_stopped=self._is_over,
        )  # fmt: skip

    # -- running ----------------------------------------------------------------------------

    def stop(self) -> None:
        """Make `run` return; safe in signal handlers."""
        self._is_over = True

    def run(self) -> None:
        """Show the scene until `stop`."""
        while not self._is_over:
            self.show()
            with self._wake:
                if not self._is_stale:
                    self._wake.wait(IDLE_INTERVAL if self._is_paused else FRAME_INTERVAL)

    def show(self) -> None:
        """Show the present time, if it is another one than before."""
        self._advance()
        if not self._is_stale and self._is_paused:
            return
        self._is_stale = False
        with self.lock:
            self.pose(self._time)
            self._frames += 1
            for consume in self._on_frame:
                consume(self.poser.scene)

    def pose(self, time: float) -> None:
        """Put the scenes into the state of a time; hold `lock`."""
        self.poser.pose(time)
        if self.second is not None:
            self.second.pose(time)

    def invalidate(self) -> None:
        """Record that somebody has posed the scenes for another time."""
        self._is_stale = True
        with self._wake:
            self._wake.notify_all()

    def _advance(self) -> None:
        now = self._clock()
        if not self._is_paused:
            self._time += (now - self._last) * self._speed
            if self._time >= self.poser.take.end:
                self._time, self._is_paused, self._is_stale = self.poser.take.end, True, True
                self._on_change()
        self._last = now

    def _notify(self) -> None:
        self.invalidate()
        self._on_change()
