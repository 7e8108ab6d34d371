"""An index of the messages of an MCAP file, so that any time of a long recording is found at once.

The whole file is walked record by record, which takes about a second per million messages; contents
are read later, where they are needed. A file that was cut off or damaged is indexed as far as it is
readable.
"""

from __future__ import annotations

import mmap
import struct
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from robotix.errors import BadFile
from robotix.motion.mcap_records import MAGIC

__all__ = ["IndexedChannel", "McapIndex"]

CHANNEL, MESSAGE, CHUNK, DATA_END = 0x04, 0x05, 0x06, 0x0F  # opcodes
_RECORD = struct.Struct("<BQ")
_CHUNK_HEAD = struct.Struct("<QQQII")  # times, size, CRC, length of the name of the compression
_LENGTH, _NUMBER, _LONG = struct.Struct("<I"), struct.Struct("<H"), struct.Struct("<Q")
SEQUENCE_AT, TIME_AT, DATA_AT = 11, 15, 31  # bytes from the start of a message record

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]


@dataclass
class IndexedChannel:
    """A topic, and where its messages are: offsets of their records, in the order of the file."""

    topic: str
    metadata: dict[str, str] = field(default_factory=dict)
    found: array[int] = field(default_factory=lambda: array("q"))

    @property
    def offsets(self) -> Offsets:
        """Offsets of the records, (n,)."""
        return np.frombuffer(self.found, dtype=np.int64) if self.found else np.empty(0, np.int64)


class McapIndex:
    """The messages of a file by topic; the file stays open until `close`."""

    def __init__(self, path: str | Path) -> None:
        """Index a file; raise `BadFile` if it is no MCAP file, or is compressed."""
        self.path = str(path)
        self.channels: dict[int, IndexedChannel] = {}
        self.is_complete = False  # its writer closed it
        self.n_damaged = 0  # chunks that were left out
        with Path(path).open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                raise BadFile(self.path, "a file of another kind", "an MCAP file")
            self._map = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
        self.bytes: Bytes = np.frombuffer(self._map, dtype=np.uint8)
        try:
            self._walk_file()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Release the file; arrays that were read stay valid."""
        self.bytes = np.empty(0, dtype=np.uint8)
        try:
            self._map.close()
        except BufferError:  # somebody still looks at it: it is released with the last of them
            pass

    # -- reading ----------------------------------------------------------------------------

    def of_topic(self, topic: str) -> Offsets:
        """Return the offsets of all messages of a topic, in the order of the file."""
        found = [each.offsets for each in self.channels.values() if each.topic == topic]
        joined = np.concatenate(found) if found else np.empty(0, dtype=np.int64)
        return np.sort(joined) if len(found) > 1 else joined

    def times(self, offsets: Offsets) -> NDArray[np.float64]:
        """Return the times of messages, s, (n,)."""
        return self.gather(offsets + TIME_AT, 8).view("<u8")[:, 0].astype(float) * 1e-9

    def lengths(self, offsets: Offsets) -> Offsets:
        """Return the number of data bytes of messages, (n,)."""
        sizes = self.gather(offsets + 1, 8).view("<u8")[:, 0].astype(np.int64)
        return sizes - (DATA_AT - _RECORD.size)

    def data(self, offset: int) -> bytes:
        """Return the data of a message."""
        length = _LONG.unpack_from(self._map, offset + 1)[0]
        return self._map[offset + DATA_AT : offset + _RECORD.size + length]

    def gather(self, starts: Offsets, count: int) -> Bytes:
        """Return `count` bytes from every start, (n, count), in memory of its own."""
        found: Bytes = self.bytes[starts[:, None] + np.arange(count)]
        return found

    # -- walking ----------------------------------------------------------------------------

    def _walk_file(self) -> None:
        size, at = len(self._map), len(MAGIC)
        while at + _RECORD.size <= size:
            kind, length = _RECORD.unpack_from(self._map, at)
            start, at = at + _RECORD.size, at + _RECORD.size + length
            if kind == DATA_END:
                self.is_complete = True
                return
            if kind == CHUNK:
                self._walk_chunk(start, min(at, size))
            elif at <= size:
                self._take(kind, start - _RECORD.size, start, at)

    def _walk_chunk(self, start: int, end: int) -> None:
        """Index a chunk; the last one of a file may be cut off."""
        records = self._chunk_records(start, end)
        if records is None:
            self.n_damaged += 1
            return
        at, stop = records
        unpack, file = _RECORD.unpack_from, self._map
        while at + _RECORD.size <= stop:
            kind, length = unpack(file, at)
            begin, at = at, at + 9 + length
            if at > stop:
                return
            self._take(kind, begin, begin + 9, at)

    def _chunk_records(self, start: int, end: int) -> tuple[int, int] | None:
        """Return where the records of a chunk begin and end; None if it is damaged."""
        head = start + _CHUNK_HEAD.size
        if head > end:
            return None
        *_, crc, name = _CHUNK_HEAD.unpack_from(self._map, start)
        if name:  # a few bytes can decompress to any size
            expected = "plain ones; run `mcap decompress` on the file"
            raise BadFile(self.path, "compressed chunks", expected)
        if head + 8 > end:
            return None
        begin = head + 8
        stop = begin + _LONG.unpack_from(self._map, head)[0]
        if stop > end:  # cut off: there is no sum of a part
            return begin, end
        if crc and zlib.crc32(memoryview(self._map)[begin:stop]) != crc:
            return None
        return begin, stop

    def _take(self, kind: int, begin: int, start: int, end: int) -> None:
        if kind == MESSAGE and end - begin >= DATA_AT:
            channel = self.channels.get(_NUMBER.unpack_from(self._map, start)[0])
            if channel is not None:
                channel.found.append(begin)
        elif kind == CHANNEL:
            self._add_channel(self._map[start:end])

    def _add_channel(self, data: bytes) -> None:
        try:
            (number,) = _NUMBER.unpack_from(data)
            parts = list(_strings(data, 4, count=2))
            topic, at = parts[0][0], parts[1][1]
            (length,) = _LENGTH.unpack_from(data, at)
            texts = [text for text, _ in _strings(data[: at + 4 + length], at + 4)]
        except (struct.error, UnicodeDecodeError, IndexError):
            self.n_damaged += 1
            return
        if number not in self.channels:
            self.channels[number] = IndexedChannel(
                topic, dict(zip(texts[::2], texts[1::2], strict=False))
            )


def _strings(data: bytes, at: int, *, count: int = -1) -> Iterator[tuple[str, int]]:
    """Yield strings with their length before them, and where each ends."""
    while at < len(data) and count:
        (length,) = _LENGTH.unpack_from(data, at)
        at += 4 + length
        if at > len(data):
            raise struct.error("a string beyond the record")
        yield data[at - length : at].decode(), at
        count -= 1
