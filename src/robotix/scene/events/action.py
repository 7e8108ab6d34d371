"""Actions: generators that run for one `yield` per tick, can be stopped at any time, and compose.

An action ends by itself or when it is closed; cleanup belongs in a `finally` clause. Example:

    def knock(scene: Scene) -> Action:
        for _ in range(3):
            scene.say("knock")
            yield from wait(scene, 0.2)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Protocol, TypeAlias

from robotix.scene.events.isolate import ReportError, call_safely

__all__ = [
    "Action",
    "ActionRunner",
    "HasTimeStep",
    "Running",
    "repeat",
    "together",
    "wait",
    "wait_until",
]

Action: TypeAlias = Generator[None, None, None]
ENDED = object()


@dataclass(eq=False)
class Running:
    """A running action."""

    name: str
    action: Action = field(repr=False)
    is_done: bool = False
    last_tick: int = -1  # in which it was stepped

    def step(self) -> None:
        """Advance by one tick."""
        if next(self.action, ENDED) is ENDED:
            self.is_done = True

    def stop(self) -> None:
        """Stop at once; the action runs its cleanup."""
        self.is_done = True
        self.action.close()


class ActionRunner:
    """The running actions, advanced in the order in which they were started."""

    def __init__(self, now: Callable[[], int], fail: ReportError) -> None:
        """Start empty; `now` returns the tick, `fail` receives the errors of actions."""
        self._now = now
        self._fail = fail
        self.current: Running | None = None  # the one that is being stepped
        self._running: list[Running] = []

    def __len__(self) -> int:
        return len(self._running)

    def start(self, action: Action, *, name: str = "") -> Running:
        """Start an action; its first step runs at once."""
        running = Running(name or getattr(action, "__name__", "action"), action)
        self._running.append(running)
        self._step(running)
        return running

    def advance(self) -> None:
        """Step every action that was not stepped in this tick; then drop those that ended."""
        for running in tuple(self._running):
            self._step(running)
        self._running = [running for running in self._running if not running.is_done]

    def stop(self, running: Running) -> None:
        """Stop one action."""
        call_safely(running.name, running.stop, self._fail)

    def stop_named(self, name: str) -> None:
        """Stop all actions of this name."""
        for running in tuple(self._running):
            if running.name == name:
                self.stop(running)

    def _step(self, running: Running) -> None:
        if running.is_done or running.last_tick == self._now():
            return
        running.last_tick = self._now()
        outer, self.current = self.current, running  # an action may start another one
        try:
            if not call_safely(running.name, running.step, self._fail):
                running.is_done = True
        finally:
            self.current = outer


class HasTimeStep(Protocol):
    """Something that advances in steps of `dt` seconds, such as a scene."""

    @property
    def dt(self) -> float:
        """Seconds per tick."""


def wait(scene: HasTimeStep, seconds: float) -> Action:
    """Wait for a number of seconds, rounded to ticks."""
    for _ in range(round(seconds / scene.dt)):
        yield


def wait_until(condition: Callable[[], bool]) -> Action:
    """Wait until a condition holds."""
    while not condition():
        yield


def together(actions: Iterable[Action]) -> Action:
    """Run actions in parallel until the last one has ended."""
    running = list(actions)
    try:
        while running:
            running = [action for action in running if next(action, ENDED) is not ENDED]
            if running:
                yield
    finally:
        for action in running:
            action.close()


def repeat(make: Callable[[], Action], *, times: int | None = None) -> Action:
    """Run an action a number of times, or without end (None); at most one repetition per tick."""
    done = 0
    while times is None or done < times:
        is_instant = True
        for _ in make():
            is_instant = False
            yield
        done += 1
        if is_instant:
            yield
