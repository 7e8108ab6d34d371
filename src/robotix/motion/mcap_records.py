"""Reading MCAP files record by record, also truncated ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from robotix.errors import BadFile

if TYPE_CHECKING:
    from mcap.records import Chunk, McapRecord

__all__ = ["RecordReader"]

MAGIC = b"\x89MCAP0\r\n"
MAX_RECORD_BYTES = 1 << 26  # bytes


class RecordReader:
    """Yields schemas, channels and messages; a truncated file ends with its last complete chunk.

    Afterwards `is_complete` is True if the file was closed by its writer.
    """

    def __init__(self, path: str, stream: IO[bytes]) -> None:
        """Read from a stream; `path` is used in errors only."""
        self.is_complete = False
        self._path = path
        self._stream = stream

    def __iter__(self) -> Iterator[McapRecord]:
        from mcap.records import Chunk, DataEnd
        from mcap.stream_reader import StreamReader

        if self._stream.read(len(MAGIC)) != MAGIC:
            raise BadFile(self._path, "a file of another kind", "an MCAP file")
        reader = StreamReader(
            self._stream, skip_magic=True, emit_chunks=True, record_size_limit=MAX_RECORD_BYTES
        )
        records = reader.records
        while True:
            try:
                record = next(records)
            except Exception as error:  # the library has no one error for broken input
                if self._stream.read(1):
                    raise self._broken(error) from None
                return
            if isinstance(record, DataEnd):
                self.is_complete = True
                return
            if isinstance(record, Chunk):
                yield from self._inside(record)
            else:
                yield record

    def _inside(self, chunk: Chunk) -> list[McapRecord]:
        from mcap.stream_reader import breakup_chunk

        if chunk.compression:  # a few bytes can decompress to any size
            expected = "plain ones; run `mcap decompress` on the file"
            raise BadFile(self._path, "compressed chunks", expected)
        try:
            return breakup_chunk(chunk, validate_crc=True)
        except Exception as error:
            raise self._broken(error) from None

    def _broken(self, error: Exception) -> BadFile:
        found = f"{type(error).__name__}: {error}".rstrip(": ")
        return BadFile(self._path, found, "an intact MCAP file")
