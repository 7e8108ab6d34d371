"""The loop that lets a room live: one tick after the other, at the pace of a clock.

When a tick takes too long the next ones catch up, but never by more than one tick: beyond that the
room's time falls behind the clock's, which is counted and told, and the pace starts anew. So a slow
machine gives a slow room, not one that jumps, and never one that hurries for ever.
"""

from __future__ import annotations

import gc
import logging
import math
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from robotix.inputs.problem import Problem
from robotix.inputs.readings import Inputs
from robotix.scene.clock import SPIN, Clock, SystemClock
from robotix.scene.durations import Durations
from robotix.scene.scene import Scene

__all__ = ["Consumer", "InputSource", "Loop", "LoopReport"]

LOG = logging.getLogger(__name__)
SLOWEST, FASTEST = 0.1, 10.0  # times real time
NAP = 0.02  # s; so long at most nobody looks whether to stop, pause or go on
QUICK = 2e-3  # s; a loop that ticks so often never sleeps
TELL_EVERY = 1.0  # s between two complaints of the same kind
HANGING = 1.0  # s; a tick that takes longer is one in which something waits
SLOW = "slower than real time"  # how much, the report says

InputSource: TypeAlias = Callable[[float], Inputs]
Consumer: TypeAlias = Callable[[Scene], None]


@dataclass(frozen=True)
class LoopReport:
    """What a loop has done so far; all times in s of the clock, except `time`, the room's own."""

    ticks: int
    time: float
    elapsed: float  # without pauses
    overruns: int  # ticks that ended after the next one was due
    lost: float  # how far the room fell behind the clock
    load: float  # share of `elapsed` spent in ticks
    mean: float
    median: float
    p99: float
    p999: float
    worst: float
    was_stopped: bool  # the last run ended because it was told to


class Loop:
    """Steps a scene, in real time or as fast as it goes.

    `source` is asked at every tick, with the clock's time, for what has reached the room; `on_tick`
    are called after it. They share the loop's time and must not block: whoever waits for a disk or
    a network does so in a thread of its own, and takes the newest state when it is ready again.

    While the room stands still, lines for which `has_lines` says that they wait are run all the
    same: they belong to the tick that comes next, whose inputs are those of this moment. `on_still`
    are called after that, and once when the room comes to stand still.

    `run` belongs to one thread; all other methods may be called from any.
    """

    def __init__(
        self,
        scene: Scene,
        *,
        source: InputSource | None = None,
        clock: Clock | None = None,
        on_tick: Sequence[Consumer] = (),
        has_lines: Callable[[], bool] = lambda: False,
        on_still: Sequence[Consumer] = (),
        speed: float = 1.0,
    ) -> None:
        """Make a loop; see `set_speed` for `speed`."""
        self.scene = scene
        self._source = source
        self._clock = clock if clock is not None else _system_clock(scene.dt)
        self._on_tick = list(on_tick)
        self._has_lines = has_lines
        self._on_still = list(on_still)
        self._is_still = False  # and they were told
        self._problems: list[Problem] = []  # to be told with the next tick
        self._told: dict[str, float] = {}  # when what was complained of last
        self._durations = Durations()
        self._elapsed = 0.0
        self._overruns = 0
        self._lost = 0.0
        self._lock = threading.Lock()
        self._stops = self._stops_heard = 0  # counted, so that none is lost between two runs
        self._was_stopped = self._has_hung = False
        self._is_paused = False
        self._asked = self._made = 0  # single steps
        self.set_speed(speed)

    # -- steering ---------------------------------------------------------------------------

    @property
    def is_paused(self) -> bool:
        """Whether the room stands still."""
        return self._is_paused

    @property
    def speed(self) -> float:
        """Room time per clock time."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Run at 0.1 to 10 times real time; `math.inf` is as fast as it goes."""
        if not (SLOWEST <= speed <= FASTEST or speed == math.inf):
            raise ValueError(f"speed is {SLOWEST} to {FASTEST}, or inf for no pacing; got {speed}")
        self._speed = speed

    def pause(self) -> None:
        """Let the room stand still after this tick."""
        self._is_paused = True

    def resume(self) -> None:
        """Go on; steps that were not made yet are not made any more."""
        with self._lock:
            self._is_paused = False
            self._asked = self._made

    def step(self, ticks: int = 1) -> None:
        """Make so many ticks, then stand still."""
        if ticks < 1:
            raise ValueError(f"a step is one tick or more, got {ticks}")
        with self._lock:
            self._is_paused = True
            self._asked += ticks

    def stop(self) -> None:
        """Let `run` return after this tick, or the next one at once; safe in a signal handler."""
        self._stops += 1

    def report(self) -> LoopReport:
        """Return what was done so far."""
        durations = self._durations
        return LoopReport(
            ticks=durations.count,
            time=self.scene.time,
            elapsed=self._elapsed,
            overruns=self._overruns,
            lost=self._lost,
            load=durations.total / self._elapsed if self._elapsed else 0.0,
            mean=durations.mean,
            median=durations.quantile(0.5),
            p99=durations.quantile(0.99),
            p999=durations.quantile(0.999),
            worst=durations.worst,
            was_stopped=self._was_stopped,
        )

    # -- running ----------------------------------------------------------------------------

    def run(self, *, ticks: int | None = None) -> LoopReport:
        """Run until so many ticks are made, or until `stop`."""
        last = math.inf if ticks is None else self._durations.count + ticks
        with _old_objects_left_alone():
            due = before = self._clock.now()
            while self._stops == self._stops_heard and self._durations.count < last:
                was_paused = self._is_paused
                if was_paused and self._made >= self._asked:
                    self._stand_still(before)
                    self._clock.sleep_until(before + NAP)
                    due = before = self._clock.now()
                elif self._has_come(due):
                    started = self._clock.now()
                    self._tick(started)
                    ended = self._clock.now()
                    self._elapsed += ended - before
                    before = ended
                    self._note_duration(ended - started)
                    due = self._next_due(due, now=ended)
                    self._count_step(was_paused)
            if self.scene.is_begun:  # who was answered was not fooled
                self._tick(self._clock.now())
        heard = self._stops
        self._was_stopped, self._stops_heard = heard != self._stops_heard, heard
        return self.report()

    def _count_step(self, was_paused: bool) -> None:
        """Count a tick as a step, unless the loop was running when it began to wait for it."""
        with self._lock:
            if was_paused and self._made < self._asked:
                self._made += 1

    def _has_come(self, due: float) -> bool:
        """Wait, but no longer than a nap; return whether it is time."""
        now = self._clock.now()
        if due > now:
            self._clock.sleep_until(min(due, now + NAP))
        return due <= now + NAP

    def _note_duration(self, seconds: float) -> None:
        self._durations.add(seconds)
        if seconds > HANGING and not self._has_hung:
            self._has_hung = True
            what = (
                f"tick {self.scene.tick} took {seconds:.1f} s; a plug-in or a command waits there"
            )
            self._problems.append(Problem("loop", what))

    def _tick(self, now: float) -> None:
        self._is_still = False
        try:
            if self.scene.is_begun:
                self.scene.finish()
            else:
                self.scene.step(self._inputs(now))
        except Exception as error:  # the room guards all its parts; this is for what it forgot
            self._complain("a tick was not finished", error, now=now)
        for problem in self._problems:
            self.scene.tell(problem)
        self._problems.clear()
        self._tell(self._on_tick, now)

    def _stand_still(self, now: float) -> None:
        """Do between two ticks what need not wait for time to go on."""
        has_lines = self._has_lines()
        if has_lines:
            self.scene.begin(self._inputs(now))
        if has_lines or not self._is_still:
            self._is_still = True
            self._tell(self._on_still, now)

    def _tell(self, consumers: list[Consumer], now: float) -> None:
        for consume in tuple(consumers):
            try:
                consume(self.scene)
            except Exception as error:  # whatever a consumer does wrong, the room goes on
                consumers.remove(consume)
                what = f"{_name(consume)} failed and is left out from now on"
                self._complain(what, error, now=now)

    def _inputs(self, now: float) -> Inputs:
        if self._source is None:
            return Inputs()
        try:
            return self._source(now)
        except Exception as error:  # no inputs: whoever follows a device lets go
            self._complain("inputs cannot be read", error, now=now)
            return Inputs()

    def _next_due(self, due: float, *, now: float) -> float:
        """Return when the next tick is due; a loop that is late by more than a tick starts anew."""
        if self._speed == math.inf:
            return now
        period = self.scene.dt / self._speed
        late = now - (due + period)
        if late <= 0:
            return due + period
        self._overruns += 1
        if late <= period:
            return due + period
        self._lost += late
        if self._may_tell(SLOW, now):
            self._problems.append(Problem("loop", SLOW))
        return now

    def _may_tell(self, what: str, now: float) -> bool:
        if now - self._told.get(what, -math.inf) < TELL_EVERY:
            return False
        self._told[what] = now
        return True

    def _complain(self, what: str, error: Exception, *, now: float) -> None:
        if not self._may_tell(what, now):
            return
        LOG.warning("%s", what, exc_info=error)
        self._problems.append(Problem("loop", f"{what}: {type(error).__name__}: {error}"))


def _system_clock(dt: float) -> Clock:
    """Return a clock that lets a quick loop stay awake: after a sleep, a tick takes longer."""
    return SystemClock(spin=dt if dt <= QUICK else SPIN)


def _name(consume: Consumer) -> str:
    return getattr(consume, "__name__", type(consume).__name__)


@contextmanager
def _old_objects_left_alone() -> Iterator[None]:
    """Keep the garbage collector from going through everything that was there before.

    A full collection of all that the libraries hold takes about 0.1 s; one of what the room makes
    while it runs takes microseconds.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
