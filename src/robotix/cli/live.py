"""What people see of a room that runs without a window: what it says, and how it is doing."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from select import select
from typing import TYPE_CHECKING

import typer

from robotix.inputs.problem import Problem
from robotix.scene.events.messages import Announcement

if TYPE_CHECKING:
    from robotix.scene.loop import Loop
    from robotix.scene.scene import Scene

__all__ = ["LineReader", "RunSummary", "StatusPrinter", "status", "typed_file"]

MOST_KINDS = 100  # of problems, or lines that are kept for the summary
MOST_LINES = 1000  # that wait to be printed
EVERY = 0.25  # s
MOST_WAITING = 1000  # lines that are typed ahead of the room
LONGEST_LINE = 40_000  # bytes
HINT = "type help for the commands, just Enter to see how it is doing, quit to end"


class RunSummary:
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
            if isinstance(message, Announcement):
                self._hear(message.text)
            elif isinstance(message, Problem):
                self._note(f"{message.who}: {message.what}")

    def _hear(self, text: str) -> None:
        self.lines.append(text)
        if len(self.said) < MOST_KINDS:
            self.said.append(text)

    def add_problem(self, problem: str) -> None:
        """Count a problem that no tick reported, unless it is known."""
        if problem not in self.problems:
            self._note(problem)

    def _note(self, problem: str) -> None:
        if problem not in self.problems:
            if len(self.problems) >= MOST_KINDS:
                problem = "more kinds of problems"
            self.lines.append(f"problem: {problem}")
        self.problems[problem] += 1


class StatusPrinter:
    """Prints in a thread of its own, so that a terminal that stalls does not stall the room."""

    def __init__(self, loop: Loop, tally: RunSummary, *, has_line: bool = True) -> None:
        self._loop, self._tally = loop, tally
        self._is_over = threading.Event()
        self._has_line = has_line and sys.stderr.isatty()  # not in pipes and files
        self._thread = threading.Thread(target=self._go_on, name="teller", daemon=True)

    def __enter__(self) -> StatusPrinter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(timeout=1.0)

    def _go_on(self) -> None:
        while not self._is_over.wait(EVERY):
            self._tell()
            self._show(status(self._loop, self._tally))
        self._show("")
        self._tell()

    def _tell(self) -> None:
        while self._tally.lines:
            self._show("")
            typer.echo(self._tally.lines.popleft())

    def _show(self, text: str) -> None:
        if self._has_line:
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()


def status(loop: Loop, tally: RunSummary) -> str:
    """Return how a room is doing, in one line."""
    now = loop.report()
    return (
        f"{now.time:8.1f} s   load {now.load:4.0%}   overruns {now.overruns}   "
        f"events {tally.events.total()}   Ctrl-C ends"
    )


def typed_file() -> int | None:
    """Return the standard input if it is a terminal, a pipe or a file; None if there is none."""
    try:
        file = sys.stdin.fileno()
        mode = os.fstat(file).st_mode
    except (AttributeError, OSError, ValueError):  # closed, or something that only looks like one
        return None
    return file if os.isatty(file) or not stat.S_ISCHR(mode) else None


class LineReader:
    """Reads lines in a thread of its own until there are no more; what is left out stays unread.

    It reads the file itself: Python's own standard input must not be waited on when all ends.
    """

    def __init__(
        self, file: int, lines: deque[str], *, on_blank: Callable[[], None] = lambda: None
    ) -> None:
        self._file, self._lines, self._on_blank = file, lines, on_blank
        self._is_over = False
        self._thread = threading.Thread(target=self._go_on, name="console", daemon=True)

    def __enter__(self) -> LineReader:
        self._background = signal.signal(signal.SIGTTIN, signal.SIG_IGN)  # else it would freeze
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        signal.signal(signal.SIGTTIN, self._background)

    def _go_on(self) -> None:
        rest = b""
        while data := self._read():
            *whole, rest = (rest + data).split(b"\n")
            self._put(whole)
            rest = rest[:LONGEST_LINE]
        self._put([rest] if rest else [])

    def _read(self) -> bytes:
        """Wait for some bytes; none when there are no more, or nobody wants them."""
        try:
            while not self._is_over:
                if len(self._lines) > MOST_WAITING:
                    time.sleep(EVERY)
                elif select([self._file], [], [], EVERY)[0]:
                    return os.read(self._file, 4096)
        except (OSError, ValueError):  # it is gone, or belongs to another program now
            pass
        return b""

    def _put(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line.decode(errors="replace").strip()
            if text:
                self._lines.append(text)
            else:
                self._on_blank()
