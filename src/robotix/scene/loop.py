"""The loop that runs a scene: one tick after the other, at the pace of a clock.

After a slow tick the next ones catch up, but by no more than one tick: beyond that the time of the
scene falls behind the clock, which is counted and reported, and pacing restarts. A slow machine
therefore gives a slow scene, not one that jumps or hurries.
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
from robotix.scene.scene import Scene
from robotix.scene.timing import SPIN_TIME, Clock, Durations, SystemClock

__all__ = ["Consumer", "InputSource", "Loop", "LoopReport"]

LOG = logging.getLogger(__name__)
MIN_SPEED, MAX_SPEED = 0.1, 10.0  # times real time
POLL_TIME = 0.02  # s between checks whether to stop, pause or resume
SPIN_PERIOD = 2e-3  # s; a loop with shorter ticks never sleeps
REPORT_INTERVAL = 1.0  # s between two problems of the same kind
FIRST_REST, LONGEST_REST = 0.5, 60.0  # s without a consumer that failed; doubled every time
MAX_TICK_TIME = 1.0  # s; in a longer tick something blocks
SLOW_MESSAGE = "slower than real time"

InputSource: TypeAlias = Callable[[float], Inputs]
Consumer: TypeAlias = Callable[[Scene], None]


@dataclass(frozen=True)
class LoopReport:
    """Statistics of a loop; times in s of the clock, except `time`, which is that of the scene."""

    ticks: int
    time: float
    elapsed: float  # without pauses
    overruns: int  # ticks that ended after the next one was due
    lost: float  # by which the scene fell behind the clock
    load: float  # fraction of `elapsed` spent in ticks
    mean: float
    median: float
    p99: float
    p999: float
    worst: float
    was_stopped: bool  # whether the last run ended by `stop`


@dataclass(frozen=True)
class _Rest:
    """For how long a consumer is left out."""

    seconds: float
    until: float  # s of the clock

    def again(self, now: float) -> _Rest:
        seconds = min(2 * self.seconds, LONGEST_REST)
        return _Rest(seconds, now + seconds)


class Loop:
    """Steps a scene, in real time or as fast as possible.

    `source` is called with the clock's time before every tick and returns its inputs; `on_tick` are
    called after it. They must not block: a consumer that waits for a disk or a network needs a
    thread of its own, and reads the newest state when it is ready again. One that raises is left
    out for half a second, and for twice as long each time that it raises again.

    While the scene is paused, console lines still run when `has_lines` returns True: they belong to
    the next tick, whose inputs are those of this moment. `on_still` are called after that, and once
    when the scene is paused. `on_end` is called at the end of `run`, and may block.

    `run` must be called from one thread; all other methods are thread-safe.
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
        on_end: Consumer = lambda scene: None,
        speed: float = 1.0,
    ) -> None:
        """Make a loop; see `set_speed` for `speed`."""
        self.scene = scene
        self._source = source
        self._clock = clock if clock is not None else _system_clock(scene.dt)
        self._on_tick = list(on_tick)
        self._has_lines = has_lines
        self._on_still = list(on_still)
        self._on_end = on_end
        self._is_still = False  # and `on_still` were called
        self._problems: list[Problem] = []  # to be sent with the next tick
        self._rests: dict[int, _Rest] = {}  # consumers that failed, by identity
        self._reported: dict[str, float] = {}  # time of the last report, by message
        self._durations = Durations()
        self._elapsed = 0.0
        self._overruns = 0
        self._lost = 0.0
        self._lock = threading.Lock()
        self._stops = self._stops_handled = 0  # counted, so that none is lost between two runs
        self._was_stopped = self._has_blocked = False
        self._is_paused = False
        self._steps_requested = self._steps_done = 0
        self.set_speed(speed)

    # -- control ----------------------------------------------------------------------------

    @property
    def is_paused(self) -> bool:
        """Whether the scene is paused."""
        return self._is_paused

    @property
    def speed(self) -> float:
        """Scene time per clock time."""
        return self._speed

    def set_speed(self, speed: float) -> None:
        """Run at 0.1 to 10 times real time; `math.inf` is as fast as possible."""
        if not (MIN_SPEED <= speed <= MAX_SPEED or speed == math.inf):
            raise ValueError(
                f"speed is {MIN_SPEED} to {MAX_SPEED}, or inf for no pacing; got {speed}"
            )
        self._speed = speed

    def pause(self) -> None:
        """Pause after this tick."""
        self._is_paused = True

    def resume(self) -> None:
        """Resume; pending single steps are dropped."""
        with self._lock:
            self._is_paused = False
            self._steps_requested = self._steps_done

    def step(self, ticks: int = 1) -> None:
        """Run a number of ticks, then pause."""
        if ticks < 1:
            raise ValueError(f"a step is one tick or more, got {ticks}")
        with self._lock:
            self._is_paused = True
            self._steps_requested += ticks

    def stop(self) -> None:
        """Make `run` return after this tick, or the next `run` at once; safe in signal handlers."""
        self._stops += 1

    def report(self) -> LoopReport:
        """Return the statistics so far."""
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
        """Run for a number of ticks, or until `stop`."""
        last = math.inf if ticks is None else self._durations.count + ticks
        with _frozen_garbage():
            due = before = self._clock.now()
            while self._stops == self._stops_handled and self._durations.count < last:
                was_paused = self._is_paused
                if was_paused and self._steps_done >= self._steps_requested:
                    self._run_paused(before)
                    self._clock.sleep_until(before + POLL_TIME)
                    due = before = self._clock.now()
                elif self._is_due(due):
                    started = self._clock.now()
                    self._tick(started)
                    ended = self._clock.now()
                    self._elapsed += ended - before
                    before = ended
                    self._record_duration(ended - started)
                    due = self._next_due(due, now=ended)
                    self._count_step(was_paused)
            if self.scene.is_in_tick:  # its lines were run already
                self._tick(self._clock.now())
            self._notify([self._on_end], self._clock.now())
        stops = self._stops
        self._was_stopped, self._stops_handled = stops != self._stops_handled, stops
        return self.report()

    def _count_step(self, was_paused: bool) -> None:
        """Count a tick as a single step, if the loop was paused when it waited for it."""
        with self._lock:
            if was_paused and self._steps_done < self._steps_requested:
                self._steps_done += 1

    def _is_due(self, due: float) -> bool:
        """Wait, but no longer than `POLL_TIME`; return whether the time has come."""
        now = self._clock.now()
        if due > now:
            self._clock.sleep_until(min(due, now + POLL_TIME))
        return due <= now + POLL_TIME

    def _record_duration(self, seconds: float) -> None:
        self._durations.add(seconds)
        if seconds > MAX_TICK_TIME and not self._has_blocked:
            self._has_blocked = True
            what = (
                f"tick {self.scene.tick} took {seconds:.1f} s: "
                "a plug-in or a command waits there, or kernels compile"
            )
            self._problems.append(Problem("loop", what))

    def _tick(self, now: float) -> None:
        self._is_still = False
        try:
            if self.scene.is_in_tick:
                self.scene.finish_tick()
            else:
                self.scene.step(self._inputs(now))
        except Exception as error:  # the scene isolates its parts; this is the last resort
            self._report_error("a tick was not finished", error, now=now)
        for problem in self._problems:
            self.scene.send(problem)
        self._problems.clear()
        self._notify(self._on_tick, now)

    def _run_paused(self, now: float) -> None:
        """Run console lines while the scene is paused."""
        has_lines = self._has_lines()
        if has_lines:
            self.scene.begin_tick(self._inputs(now))
        if has_lines or not self._is_still:
            self._is_still = True
            self._notify(self._on_still, now)

    def _notify(self, consumers: list[Consumer], now: float) -> None:
        for consume in consumers:
            rest = self._rests.get(id(consume))
            if rest is not None and now < rest.until:
                continue
            try:
                consume(self.scene)
            except Exception as error:  # an error in a consumer must not stop the scene
                again = _Rest(FIRST_REST, now + FIRST_REST) if rest is None else rest.again(now)
                self._rests[id(consume)] = again
                what = f"{_name(consume)} failed and is left out for {again.seconds:g} s"
                self._report_error(what, error, now=now)
            else:
                self._rests.pop(id(consume), None)

    def _inputs(self, now: float) -> Inputs:
        if self._source is None:
            return Inputs()
        try:
            return self._source(now)
        except Exception as error:  # without inputs, devices count as lost
            self._report_error("inputs cannot be read", error, now=now)
            return Inputs()

    def _next_due(self, due: float, *, now: float) -> float:
        """Return when the next tick is due; pacing restarts if it is late by more than a tick."""
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
        if self._may_report(SLOW_MESSAGE, now):
            self._problems.append(Problem("loop", SLOW_MESSAGE))
        return now

    def _may_report(self, what: str, now: float) -> bool:
        if now - self._reported.get(what, -math.inf) < REPORT_INTERVAL:
            return False
        self._reported[what] = now
        return True

    def _report_error(self, what: str, error: Exception, *, now: float) -> None:
        if not self._may_report(what, now):
            return
        LOG.warning("%s", what, exc_info=error)
        self._problems.append(Problem("loop", f"{what}: {type(error).__name__}: {error}"))


def _system_clock(dt: float) -> Clock:
    """Return a clock that spins in fast loops, since a tick takes longer after a sleep."""
    return SystemClock(spin=dt if dt <= SPIN_PERIOD else SPIN_TIME)


def _name(consume: Consumer) -> str:
    return getattr(consume, "__name__", type(consume).__name__)


@contextmanager
def _frozen_garbage() -> Iterator[None]:
    """Exclude existing objects from garbage collection.

    A full collection including the objects of all libraries takes about 0.1 s; one of the objects
    made while the scene runs takes microseconds.
    """
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
