"""An MCAP file that is written continuously, and loses only its last moment if killed.

Messages are collected into chunks in the caller's thread, which takes microseconds. Writing to the
disk, which may block, is done in a separate thread.
"""

from __future__ import annotations

import errno
import io
import os
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from queue import Empty, SimpleQueue

__all__ = ["FLUSH_INTERVAL", "LogFile"]

FLUSH_INTERVAL = 0.04  # s of real time
MAX_DELAY = 0.06  # s; after it the writer flushes, as the scene is paused or a tick takes long
MAX_QUEUE = 1200  # chunks, about a minute; beyond that the disk has failed
CHUNK_SIZE = 1 << 20  # bytes; usually chunks are flushed before


class LogFile:
    """Writes messages to a new file; those older than `MAX_DELAY` have left the process.

    If the disk is full or fails, `error` is set and later messages are dropped; the file stays
    readable.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Create the file; raise FileExistsError if it exists."""
        from mcap.writer import CompressionType, Writer

        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            why = "is there already; a recording never replaces another, choose a new name"
            raise FileExistsError(errno.EEXIST, why, str(path)) from None
        self.error: OSError | None = None
        self._clock = clock
        self._flushed = clock()
        self._is_closed = False
        self._is_empty = True  # since the last flush
        self._lock = threading.Lock()
        self._spool = _Spool()
        self._mcap = Writer(self._spool, chunk_size=CHUNK_SIZE, compression=CompressionType.NONE)
        self._mcap.start(library="robotix")
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_queue, name="recording", daemon=True)

    def add_channel(
        self, topic: str, *, schema: tuple[str, str, str], metadata: dict[str, str] | None = None
    ) -> int:
        """Add a topic; `schema` is its name, its kind (`ros2msg` or `jsonschema`) and its text."""
        name, kind, text = schema
        encoding = {"ros2msg": "cdr", "jsonschema": "json"}[kind]
        with self._lock:
            number = self._mcap.register_schema(name, kind, text.encode())
            return self._mcap.register_channel(topic, encoding, number, metadata or {})

    def add(self, messages: Iterable[tuple[int, bytes]], *, time: float, tick: int) -> None:
        """Add the messages of a tick with their channels, all to the same chunk."""
        nanoseconds, sequence = round(time * 1e9), tick & 0xFFFFFFFF
        with self._lock:
            for channel, data in messages:
                self._mcap.add_message(channel, nanoseconds, data, nanoseconds, sequence)
            self._is_empty = False

    def begin(self) -> None:
        """Write what was added so far, in this thread; then start the writer thread."""
        self._mcap.flush()
        self._is_empty = True
        self._write(self._spool.pop())
        if self.error is not None:
            self._file.close()
            raise self.error
        self._thread.start()

    def flush_if_due(self) -> None:
        """Flush if `FLUSH_INTERVAL` has passed; called after every tick."""
        if self._clock() - self._flushed >= FLUSH_INTERVAL:
            self.flush()

    def flush(self) -> None:
        """Pass what was added to the writer thread."""
        with self._lock:
            self._flushed = self._clock()
            if self._is_empty:
                return
            self._is_empty = True
            self._mcap.flush()
            self._enqueue()

    def abandon(self) -> None:
        """Write what was added, and leave the file unfinished; `close` waits until it is on disk.

        Does not wait itself, so a loop may call it.
        """
        if self._is_closed:
            return
        self._is_closed = True
        self.flush()
        self._waiting.put(None)

    def close(self) -> None:
        """Finish the file, unless it was abandoned or could not be written; wait for the writer."""
        if not self._is_closed:
            self._is_closed = True
            if self.error is None:
                with self._lock:
                    self._mcap.finish()
                    self._enqueue()
            self._waiting.put(None)
        if self.error is None:  # otherwise the writer may be blocked
            self._thread.join()

    def _enqueue(self) -> None:
        data = self._spool.pop()
        if self._waiting.qsize() < MAX_QUEUE:
            self._waiting.put(data)
        elif self.error is None:
            self.error = OSError(errno.EIO, "the disk does not keep up")

    # -- in the writer thread ---------------------------------------------------------------

    def _write_queue(self) -> None:
        with self._file:
            while True:
                try:
                    data = self._waiting.get(timeout=MAX_DELAY)
                except Empty:
                    self.flush()
                    continue
                if data is None:
                    return
                self._write(data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest and self.error is None:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError as error:
            self.error = error


class _Spool(io.BytesIO):
    """A buffer that can be emptied; its position counts all bytes ever written."""

    def __init__(self) -> None:
        super().__init__()
        self._taken = 0

    def tell(self) -> int:
        return self._taken + super().tell()

    def pop(self) -> bytes:
        data = self.getvalue()
        self._taken += len(data)
        self.seek(0)
        self.truncate()
        return data
