"""Motions as MCAP, the container of robot logs: compact, exact, and robust against crashes.

Postures go to the topic `/posture` as ROS 2 messages (CDR) of 64-bit floats with one named field
per joint, which viewers such as Foxglove can plot; markers go to `/marker` as JSON. The file is
written in small chunks, so a killed writer loses only the last one.
"""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadFile
from robotix.files.closing import Closing
from robotix.geometry import Array
from robotix.model import Model
from robotix.motion.coordinates import Dof, check_dofs, model_dofs, posture_of
from robotix.motion.mcap_records import RecordReader
from robotix.motion.motion import Marker, Motion, check_time

if TYPE_CHECKING:
    from mcap.records import Channel, McapRecord, Message

__all__ = ["MotionLog", "dump_mcap", "load_mcap"]

LOG = logging.getLogger(__name__)
FLUSH_INTERVAL = 0.05  # s
FORMAT_VERSION = "1"
CDR_LITTLE_ENDIAN = b"\0\1\0\0"
POSTURE_TOPIC, MARKER_TOPIC = "/posture", "/marker"
MARKER_SCHEMA = {
    "type": "object",
    "properties": {"time": {"type": "number"}, "label": {"type": "string"}},
}
_MALFORMED = (ValueError, TypeError, KeyError, ArithmeticError, RecursionError)  # of untrusted JSON


class MotionLog(Closing):
    """Writes postures to a new MCAP file one by one; use it in a `with` block.

    Postures older than `FLUSH_INTERVAL` are in the file even if the process is killed.
    """

    def __init__(self, path: str | Path, model: Model) -> None:
        self._dofs = model_dofs(model)
        self._file = Path(path).open("xb")  # never overwrites an older recording
        self._writer = _Writer(self._file, self._dofs)
        self._last: float | None = None
        self._flushed: float | None = None

    def add(self, t: float, q: ArrayLike) -> None:
        """Write the posture at time `t`, which must be later than the last one."""
        row = posture_of(self._dofs, q)
        check_time(t, last=self._last)
        self._writer.posture(t, row)
        self._last = t
        if self._flushed is None or t - self._flushed >= FLUSH_INTERVAL:
            self.flush()

    def mark(self, label: str) -> None:
        """Add a marker at the time of the last posture."""
        if self._last is None or not label.isprintable():
            raise ValueError(f"marker {label!r} needs a posture before it and one line of text")
        self._writer.marker(Marker(self._last, label))

    def flush(self) -> None:
        """Write all buffered data to the file."""
        self._writer.flush()
        self._flushed = self._last

    def close(self) -> None:
        """Finish the file."""
        if not self._file.closed:
            with self._file:
                self._writer.finish()


def dump_mcap(motion: Motion) -> bytes:
    """Return the whole file."""
    stream = io.BytesIO()
    writer = _Writer(stream, motion.dofs)
    for time, row in zip(motion.times.tolist(), motion.q, strict=True):
        writer.posture(time, row)
    for marker in motion.markers:
        writer.marker(marker)
    writer.finish()
    return stream.getvalue()


class _Writer:
    """Encodes postures and markers into an MCAP stream."""

    def __init__(self, stream: IO[bytes], dofs: tuple[Dof, ...]) -> None:
        from mcap.writer import CompressionType, Writer

        self._mcap = Writer(stream, chunk_size=1 << 16, compression=CompressionType.NONE)
        self._mcap.start(library="robotix")
        schema = self._mcap.register_schema(
            "robotix_msgs/msg/Posture", "ros2msg", _message_definition(dofs).encode()
        )
        metadata = {"version": FORMAT_VERSION, "dofs": json.dumps(dofs)}
        self._posture = self._mcap.register_channel(POSTURE_TOPIC, "cdr", schema, metadata)
        schema = self._mcap.register_schema(
            "robotix.Marker", "jsonschema", json.dumps(MARKER_SCHEMA).encode()
        )
        self._marker = self._mcap.register_channel(MARKER_TOPIC, "json", schema)

    def posture(self, time: float, q: Array) -> None:
        data = CDR_LITTLE_ENDIAN + np.array([time, *q], dtype="<f8").tobytes()
        self._add(self._posture, time, data)

    def marker(self, marker: Marker) -> None:
        self._add(self._marker, marker.time, json.dumps(marker._asdict()).encode())

    def flush(self) -> None:
        self._mcap.flush()

    def finish(self) -> None:
        self._mcap.finish()

    def _add(self, channel: int, time: float, data: bytes) -> None:
        nanoseconds = round(time * 1e9)
        self._mcap.add_message(channel, nanoseconds, data, nanoseconds)


def _message_definition(dofs: Sequence[Dof]) -> str:
    """Return the fields of a posture; ROS allows small letters, digits and single underscores."""
    fields = [f"q{i}_{dof.name.lower()}" for i, dof in enumerate(dofs)]
    names = [re.sub("[^a-z0-9]+", "_", field).strip("_") for field in fields]
    return "".join(f"float64 {name}\n" for name in ("time", *names))


def load_mcap(path: str, data: bytes) -> Motion:
    """Parse the bytes of a file, up to its last complete chunk; `path` is used in errors only."""
    from mcap.records import Channel, Message

    channels: dict[int, Channel] = {}
    dofs: tuple[Dof, ...] = ()
    rows, markers = bytearray(), list[Marker]()
    for record in _records(path, data):
        if isinstance(record, Channel):
            channels[record.id] = record
            if record.topic == POSTURE_TOPIC:
                dofs = _read_dofs(path, record, known=dofs)
        elif isinstance(record, Message):
            topic = channels[record.channel_id].topic if record.channel_id in channels else ""
            if topic == POSTURE_TOPIC:
                rows += _read_posture(path, record, n_dof=len(dofs))
            elif topic == MARKER_TOPIC:
                markers.append(_read_marker(path, record))
    if not rows:
        raise BadFile(path, f"no postures on topic {POSTURE_TOPIC!r}", "a motion saved by robotix")
    table = np.frombuffer(rows, dtype="<f8").reshape(-1, len(dofs) + 1)
    try:
        return Motion(dofs, table[:, 0], table[:, 1:], tuple(markers))
    except ValueError as error:
        raise BadFile(path, str(error), "finite numbers at increasing times") from None


def _records(path: str, data: bytes) -> Iterator[McapRecord]:
    """Yield channels and messages; log a warning if the file is truncated."""
    reader = RecordReader(path, io.BytesIO(data))
    yield from reader
    if not reader.is_complete:
        LOG.warning("%s: cut short; recovered what comes before byte %d", path, len(data))


def _read_dofs(path: str, channel: Channel, *, known: tuple[Dof, ...]) -> tuple[Dof, ...]:
    version = channel.metadata.get("version")
    if channel.message_encoding != "cdr" or version != FORMAT_VERSION:
        found = f"postures as {channel.message_encoding!r}, version {version!r}"
        raise BadFile(path, found, f"'cdr', version {FORMAT_VERSION!r}")
    try:
        dofs = tuple(Dof(str(name), unit) for name, unit in json.loads(channel.metadata["dofs"]))
        check_dofs(dofs)
    except _MALFORMED as error:
        raise BadFile(path, f"joints {error}", "a list of [name, unit]") from None
    if known and known != dofs:
        raise BadFile(path, "postures of different joints", "one set of joints throughout")
    return dofs


def _read_posture(path: str, message: Message, *, n_dof: int) -> bytes:
    size = len(CDR_LITTLE_ENDIAN) + 8 * (n_dof + 1)
    if len(message.data) != size or not message.data.startswith(CDR_LITTLE_ENDIAN):
        found = f"a posture of {len(message.data)} bytes"
        raise BadFile(path, found, f"{size} bytes, little-endian CDR, for {n_dof} joints")
    return message.data[len(CDR_LITTLE_ENDIAN) :]


def _read_marker(path: str, message: Message) -> Marker:
    try:
        fields = json.loads(message.data)
        return Marker(float(fields["time"]), str(fields["label"]))
    except _MALFORMED:
        found = f"marker {message.data[:40]!r}"
        raise BadFile(path, found, "JSON with a time and a label") from None
