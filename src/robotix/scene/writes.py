"""Files that a running scene writes: in a thread of their own, so that no tick waits for a disk."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from queue import Queue

__all__ = ["Write", "WriteQueue"]


@dataclass(eq=False)
class Write:
    """Something that is to be written; `text` or `error` say how it went."""

    number: int
    who: str  # asked for it
    run: Callable[[], str] = field(repr=False)  # writes it, and returns what to say then
    text: str = ""
    error: Exception | None = None
    messages: list[object] = field(default_factory=list)  # by which the scene has reported it
    is_reported: bool = False


class WriteQueue:
    """Writes one file after the other, in the order in which a scene asks for them.

    All methods but the writing itself are for the thread of the scene.
    """

    def __init__(self) -> None:
        self.count = 0  # of all so far
        self._open: list[Write] = []  # not yet reported
        self._waiting: Queue[Write | None] = Queue()
        self._done: Queue[Write] = Queue()
        self._thread: threading.Thread | None = None

    def add(self, who: str, run: Callable[[], str]) -> None:
        """Write something later, in its turn; `run` returns what to say then, or raises."""
        write = Write(self.count, who, run)
        self.count += 1
        self._open.append(write)
        self._waiting.put(write)
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="writing", daemon=True)
            self._thread.start()

    def since(self, number: int) -> list[Write]:
        """Return those that are not reported yet, from a number on."""
        return [write for write in self._open if write.number >= number]

    @property
    def is_idle(self) -> bool:
        """Whether nothing waits to be written or reported."""
        return not self._open

    def has_done(self) -> bool:
        """Return whether something was written and waits to be reported."""
        return not self._done.empty()

    def pop_done(self) -> list[Write]:
        """Return what was written since the last call; the caller reports it."""
        done = [self._done.get() for _ in range(self._done.qsize())]
        self._open = [write for write in self._open if write not in done]
        return done

    def wait(self) -> None:
        """Wait until everything is written."""
        self._waiting.join()

    def close(self) -> None:
        """Wait until everything is written, and end the thread."""
        if self._thread is not None:
            self._waiting.put(None)
            self._thread.join()
            self._thread = None

    def _work(self) -> None:
        while (write := self._waiting.get()) is not None:
            try:
                write.text = write.run()
            except Exception as error:  # is reported by the scene, which goes on
                write.error = error
            self._done.put(write)
            self._waiting.task_done()
        self._waiting.task_done()
