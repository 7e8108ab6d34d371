"""Lets a scene that runs in real time write its files in another thread, and report it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from robotix.scene.writes import WriteQueue

if TYPE_CHECKING:
    from robotix.scene.loop import Consumer
    from robotix.scene.scene import Scene

__all__ = ["FileWrites", "writing_aside"]


class FileWrites:
    """What a scene writes while it runs; all methods are for the thread of its loop."""

    def __init__(self, queue: WriteQueue) -> None:
        self._queue = queue

    def has_done(self) -> bool:
        """Return whether something was written and waits to be reported."""
        return self._queue.has_done()

    def report(self, scene: Scene) -> None:
        """Report what was written, or why not; a consumer that comes before all others."""
        for write in self._queue.pop_done():
            before = len(scene.messages)
            if write.error is not None:
                scene.fail(write.who, write.error)
            elif write.text:
                scene.say(write.text)
            write.messages += scene.messages[before:]
            write.is_reported = True

    def finish(self, scene: Scene, consumers: Sequence[Consumer]) -> None:
        """Wait for what is not written yet, and let consumers know how that went."""
        if self._queue.is_idle:
            return
        self._queue.wait()
        scene.messages.clear()  # those of the last tick were sent
        self.report(scene)
        for consume in consumers:
            consume(scene)


@contextmanager
def writing_aside(scene: Scene) -> Iterator[FileWrites]:
    """Let the files of a scene be written in another thread; at the end, wait for it."""
    queue = scene.files.writes = WriteQueue()
    try:
        yield FileWrites(queue)
    finally:
        scene.files.writes = None
        queue.close()
