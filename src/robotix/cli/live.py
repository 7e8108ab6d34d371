"""Terminal output and input of a running scene: messages, status line, console lines."""

from __future__ import annotations

import os
import signal
import stat
import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from contextlib import suppress
from queue import Queue
from select import select
from typing import TYPE_CHECKING

import typer

from robotix.inputs.problem import Problem
from robotix.scene.events.messages import Announcement

if TYPE_CHECKING:
    from robotix.scene.loop import Loop
    from robotix.scene.scene import Scene

__all__ = ["LineReader", "RunSummary", "StatusPrinter", "console_file", "status"]

MAX_KINDS = 100  # of problems, and announcements, in the summary
MAX_PRINT_QUEUE = 1000  # lines
PRINT_INTERVAL = 0.25  # s
MAX_TYPED_LINES = 1000  # that the scene has not processed yet
MAX_LINE_BYTES = 40_000  # bytes
STOP = "stop"  # the command that waits for nothing
HINT = "type help for a list of commands, Enter for the status, quit to end"


class RunSummary:
    """Counts events and problems; a consumer for a loop's `on_tick`."""

    def __init__(self) -> None:
        self.events: Counter[str] = Counter()
        self.problems: Counter[str] = Counter()
        self.said: list[str] = []
        self.lines: deque[str] = deque(maxlen=MAX_PRINT_QUEUE)  # to be printed

    def __call__(self, scene: Scene) -> None:
        """Count the events and messages of this tick."""
        for event in scene.events:
            self.events[type(event.source).__name__] += 1
        self.count_messages(scene)

    def count_messages(self, scene: Scene) -> None:
        """Count the messages alone."""
        for message in scene.messages:
            if isinstance(message, Announcement):
                self._record_announcement(message.text)
            elif isinstance(message, Problem):
                self._record_problem(f"{message.who}: {message.what}")

    def _record_announcement(self, text: str) -> None:
        self.lines.append(text)
        if len(self.said) < MAX_KINDS:
            self.said.append(text)

    def add_problem(self, problem: str) -> None:
        """Count a problem from outside the scene, unless it has been reported."""
        if problem not in self.problems:
            self._record_problem(problem)

    def _record_problem(self, problem: str) -> None:
        if problem not in self.problems:
            if len(self.problems) >= MAX_KINDS:
                problem = "other problems"
            self.lines.append(f"problem: {problem}")
        self.problems[problem] += 1


class StatusPrinter:
    """Prints in a separate thread, so that a slow terminal does not delay the scene."""

    def __init__(self, loop: Loop, summary: RunSummary, *, has_line: bool = True) -> None:
        self._loop, self._summary = loop, summary
        self._is_over = threading.Event()
        self._has_line = has_line and sys.stderr.isatty()  # not in pipes and files
        self._thread = threading.Thread(target=self._run, name="status printer", daemon=True)

    def __enter__(self) -> StatusPrinter:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(timeout=1.0)

    def _run(self) -> None:
        try:
            while not self._is_over.wait(PRINT_INTERVAL):
                self._print_lines()
                self._print_status(status(self._loop, self._summary))
            self._print_status("")
            self._print_lines()
        except (OSError, ValueError):  # nobody reads any more; the scene goes on
            _silence_output()

    def _print_lines(self) -> None:
        while self._summary.lines:
            self._print_status("")
            typer.echo(self._summary.lines.popleft())

    def _print_status(self, text: str) -> None:
        if self._has_line:
            sys.stderr.write(f"\r{text}\x1b[K")
            sys.stderr.flush()


def _silence_output() -> None:
    """Discard what is printed from now on, so that Python does not fail at the end either."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    with suppress(OSError, ValueError):
        os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def status(loop: Loop, summary: RunSummary) -> str:
    """Return time, load and number of events as one line."""
    now = loop.report()
    return (
        f"{now.time:8.1f} s   load {now.load:4.0%}   overruns {now.overruns}   "
        f"events {summary.events.total()}   Ctrl-C to end"
    )


def console_file() -> int | None:
    """Return the file descriptor of stdin if it is a terminal, pipe or file; otherwise None."""
    try:
        file = sys.stdin.fileno()
        mode = os.fstat(file).st_mode
    except (AttributeError, OSError, ValueError):  # closed, or replaced by another object
        return None
    return file if os.isatty(file) or not stat.S_ISCHR(mode) else None


class LineReader:
    """Reads lines in a separate thread until the end of the file.

    It uses the file descriptor: a pending read of `sys.stdin` would block the exit of Python.
    `preparation` returns what has to be read before a line is queued, if anything: no tick waits
    for it, nor does a stop.
    """

    def __init__(
        self,
        file: int,
        lines: deque[str],
        *,
        on_blank: Callable[[], None] = lambda: None,
        preparation: Callable[[str], Callable[[], object] | None] = lambda line: None,
    ) -> None:
        self._file, self._lines, self._on_blank = file, lines, on_blank
        self._preparation = preparation
        self._waiting: Queue[tuple[str, Callable[[], object] | None]] = Queue()
        self._worker: threading.Thread | None = None
        self._is_over = False
        self._thread = threading.Thread(target=self._run, name="console", daemon=True)

    def __enter__(self) -> LineReader:
        self._background = signal.signal(
            signal.SIGTTIN, signal.SIG_IGN
        )  # otherwise a background process is stopped
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        signal.signal(signal.SIGTTIN, self._background)

    def _run(self) -> None:
        rest = b""
        while data := self._read():
            *whole, rest = (rest + data).split(b"\n")
            self._put(whole)
            rest = rest[:MAX_LINE_BYTES]
        self._put([rest] if rest else [])

    def _read(self) -> bytes:
        """Wait for data; return empty bytes at the end of the file or after `__exit__`."""
        try:
            while not self._is_over:
                if len(self._lines) + self._waiting.qsize() > MAX_TYPED_LINES:
                    time.sleep(PRINT_INTERVAL)
                elif select([self._file], [], [], PRINT_INTERVAL)[0]:
                    return os.read(self._file, 4096)
        except (OSError, ValueError):  # closed, or owned by another program
            pass
        return b""

    def _put(self, lines: list[bytes]) -> None:
        for line in lines:
            text = line.decode(errors="replace").strip()
            if text:
                self._add(text)
            else:
                self._on_blank()

    def _add(self, line: str) -> None:
        prepare = self._preparation(line)
        if (prepare is None and not self._waiting.unfinished_tasks) or line.split()[
            0
        ].lower() == STOP:
            self._lines.append(line)
            return
        self._waiting.put((line, prepare))
        if self._worker is None:
            self._worker = threading.Thread(target=self._prepare, name="typed files", daemon=True)
            self._worker.start()

    def _prepare(self) -> None:
        while True:
            line, prepare = self._waiting.get()
            if prepare is not None:
                with suppress(Exception):  # the line itself will say what is wrong
                    prepare()
            self._lines.append(line)
            self._waiting.task_done()
