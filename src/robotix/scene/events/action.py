"""Actions: generators that do a little every tick, can be stopped at any time, and compose.

An action stops by its own end, or when it is closed: whatever must be put right then stands in a
`finally`. It reads as it plays:

    def knock(scene: Scene) -> Action:
        for _ in range(3):
            scene.say("knock")
            yield from wait(scene, 0.2)
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from robotix.scene.events.isolate import ReportError, call_safely

if TYPE_CHECKING:
    from robotix.scene.scene import Scene

__all__ = ["Action", "ActionRunner", "Running", "repeat", "together", "wait", "wait_until"]

Action: TypeAlias = Generator[None, None, None]
ENDED = object()


@dataclass(eq=False)
class Running:
    """An action under way."""

    name: str
    action: Action = field(repr=False)
    is_done: bool = False
    stepped: int = -1  # tick of the last step

    def step(self) -> None:
        """Let it do what it does in one tick."""
        if next(self.action, ENDED) is ENDED:
            self.is_done = True

    def stop(self) -> None:
        """Stop at once; the action puts right what it must."""
        self.is_done = True
        self.action.close()


class ActionRunner:
    """The actions under way, advanced in the order in which they were started."""

    def __init__(self, now: Callable[[], int], fail: ReportError) -> None:
        """Start empty; `now` tells the tick, `fail` is told of an action that raises and ends."""
        self._now = now
        self._fail = fail
        self._running: list[Running] = []

    def __len__(self) -> int:
        return len(self._running)

    def start(self, action: Action, *, name: str = "") -> Running:
        """Take an action up: its first step is made at once."""
        running = Running(name or getattr(action, "__name__", "action"), action)
        self._running.append(running)
        self._step(running)
        return running

    def advance(self) -> None:
        """Let every action make its step, one a tick; then forget those that ended."""
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
        if running.is_done or running.stepped == self._now():
            return
        running.stepped = self._now()
        if not call_safely(running.name, running.step, self._fail):
            running.is_done = True


def wait(scene: Scene, seconds: float) -> Action:
    """Let so much time pass."""
    for _ in range(round(seconds / scene.dt)):
        yield


def wait_until(is_so: Callable[[], bool]) -> Action:
    """Wait until a condition holds."""
    while not is_so():
        yield


def together(actions: Iterable[Action]) -> Action:
    """Do all at the same time, until the last has ended."""
    going = list(actions)
    try:
        while going:
            still = []
            for action in tuple(going):
                try:
                    next(action)
                    still.append(action)
                except StopIteration:
                    pass
            going = still
            if going:
                yield
    finally:
        for action in going:
            action.close()


def repeat(make: Callable[[], Action], *, times: int | None = None) -> Action:
    """Do it so many times, or for ever; never twice in one tick."""
    done = 0
    while times is None or done < times:
        before = True
        for _ in make():
            before = False
            yield
        done += 1
        if before:
            yield
