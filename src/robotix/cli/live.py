"""What people see of a room that runs without a window: what it says, and how it is doing."""

from __future__ import annotations

import sys
import threading
from collections import Counter, deque
from types import TracebackType
from typing import TYPE_CHECKING

import typer

from robotix.scene.messages import Problem, Said

if TYPE_CHECKING:
    from robotix.scene.loop import Loop
    from robotix.scene.scene import Scene

__all__ = ["Tally", "Teller"]

MOST_KINDS = 100  # of problems, or lines that are kept for the summary
MOST_LINES = 1000  # that wait to be printed
EVERY = 0.25  # s


class Tally:
    """Counts what happened; one of a loop's `on_tick`."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.said: list[str] = []
        self.lines: deque[str] = deque(maxlen=MOST_LINES)  # to be printed

    def __call__(self, scene: Scene) -> None:
        """Count this tick."""
        for event in scene.events:
            self.events[type(event.source).__name__] += 1
        for message in scene.messages:
            if isinstance(message, Said):
                self._hear(message.text)
            elif isinstance(message, Problem):
                self._note(f"{message.who}: {message.what}")

    def _hear(self, text: str) -> None:
        self.lines.append(text)
        if len(self.said) < MOST_KINDS:
            self.said.append(text)

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            if len(self.problems) >= MOST_KINDS:
                problem = "more kinds of problems"
            self.lines.append(f"problem: {problem}")
        self.problems[problem] += 1


class Teller:
    """Prints in a thread of its own, so that a terminal that stalls does not stall the room."""

    def __init__(self, loop: Loop, tally: Tally) -> None:
        self._loop, self._tally = loop, tally
        self._is_over = threading.Event()
        self._has_line = sys.stderr.isatty()  # no line that changes in pipes and files
        self._thread = threading.Thread(target=self._go_on, name="teller", daemon=True)

    def __enter__(self) -> Teller:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_over.set()
        self._thread.join(timeout=1.0)

    def _go_on(self) -> None:
        while not self._is_over.wait(EVERY):
            self._tell()
            self._show(self._status())
        self._show("")
        self._tell()

    def _tell(self) -> None:
        while self._tally.lines:
            self._show("")
            typer.echo(self._tally.lines.popleft())

    def _status(self) -> str:
        now = self._loop.report()
        return (
            f"{now.time:8.1f} s   load {now.load:4.0%}   overruns {now.overruns}   "
            f"events {self._tally.events.total()}   Ctrl-C ends"
        )

    def _show(self, text: str) -> None:
        if self._has_line:
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()
