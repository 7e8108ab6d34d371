"""An MCAP file that grows while it is written, and loses no more than a moment when killed.

Messages are gathered into chunks in the caller's thread, which takes microseconds. Handing them to
the disk, which may take any time, is the business of a thread of its own.
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

__all__ = ["FLUSH_EVERY", "LogFile"]

FLUSH_EVERY = 0.04  # s of the computer's time
LATEST = 0.06  # s; when by then nothing was flushed, the room stands still or a tick takes long
MOST_WAITING = 1200  # chunks, a minute of them: a disk that is further behind is a broken one
CHUNK_SIZE = 1 << 20  # bytes; chunks are smaller, unless a lot happens within FLUSH_EVERY


class LogFile:
    """Writes messages to a new file; those older than `LATEST` have left the process.

    When the disk is full or fails, `error` says so, and all that follows is dropped: what was
    written until then can be read.
    """

    def __init__(self, path: Path, *, clock: Callable[[], float] = time.monotonic) -> None:
        """Make the file; refuse to write over one that is there."""
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
        self._is_fresh = True  # nothing has come since the last flush
        self._lock = threading.Lock()
        self._spool = _Spool()
        self._mcap = Writer(self._spool, chunk_size=CHUNK_SIZE, compression=CompressionType.NONE)
        self._mcap.start(library="robotix")
        self._waiting: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_on, name="recording", daemon=True)

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
        """Add the messages of a tick, with their channels; they come into one chunk together."""
        nanoseconds, sequence = round(time * 1e9), tick & 0xFFFFFFFF
        with self._lock:
            for channel, data in messages:
                self._mcap.add_message(channel, nanoseconds, data, nanoseconds, sequence)
            self._is_fresh = False

    def begin(self) -> None:
        """Write what has come, now and here; from now on it is done in the other thread."""
        self._mcap.flush()
        self._is_fresh = True
        self._write(self._spool.take())
        if self.error is not None:
            self._file.close()
            raise self.error
        self._thread.start()

    def flush_if_due(self) -> None:
        """Hand over what has come when it is time; called after every tick."""
        if self._clock() - self._flushed >= FLUSH_EVERY:
            self.flush()

    def flush(self) -> None:
        """Hand over what has come."""
        with self._lock:
            self._flushed = self._clock()
            if self._is_fresh:
                return
            self._is_fresh = True
            self._mcap.flush()
            self._hand_over()

    def close(self) -> None:
        """Finish the file; one whose disk has failed is left as it is."""
        if self._is_closed:
            return
        self._is_closed = True
        if self.error is None:
            with self._lock:
                self._mcap.finish()
                self._hand_over()
        self._waiting.put(None)
        if self.error is None:  # else the disk may keep the other thread for any time
            self._thread.join()

    def _hand_over(self) -> None:
        data = self._spool.take()
        if self._waiting.qsize() < MOST_WAITING:
            self._waiting.put(data)
        elif self.error is None:
            self.error = OSError(errno.EIO, "the disk does not keep up")

    # -- in the other thread ----------------------------------------------------------------

    def _write_on(self) -> None:
        with self._file:
            while True:
                try:
                    data = self._waiting.get(timeout=LATEST)
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
    """What is still to be handed over; it counts on from what was taken away."""

    def __init__(self) -> None:
        super().__init__()
        self._taken = 0

    def tell(self) -> int:
        return self._taken + super().tell()

    def take(self) -> bytes:
        data = self.getvalue()
        self._taken += len(data)
        self.seek(0)
        self.truncate()
        return data
