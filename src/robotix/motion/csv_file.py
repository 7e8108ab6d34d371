"""Motions as CSV, for people and spreadsheets.

The first line names the columns with their units, `time [s],shoulder [rad],rail [m]`; each other
line is a posture. A marker is a comment: `# marker,1.25,grasped`. Numbers are written in full, so
that reading returns the same bits. A last line without a newline is truncated.
"""

from __future__ import annotations

import csv
import io
import os
import re
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import cast, get_args

import numpy as np

from robotix.errors import BadFile
from robotix.motion.coordinates import Dof, Unit, check_dofs
from robotix.motion.motion import Marker, Motion, check_time

__all__ = ["TIME_COLUMN", "append_csv", "dump_csv", "load_csv", "read_column"]

TIME_COLUMN = "time [s]"
MARKER_PREFIX = "# marker"
_COLUMN = re.compile(rf"(.+) \[({'|'.join(get_args(Unit))})\]")
_NUMBER = re.compile(r"\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*", re.ASCII)


def dump_csv(motion: Motion) -> bytes:
    """Return the whole file."""
    header = _line([TIME_COLUMN, *(f"{name} [{unit}]" for name, unit in motion.dofs)])
    return (header + _body(motion)).encode()


def append_csv(path: Path, motion: Motion) -> None:
    """Append rows to a compatible file; if writing fails, the file stays unchanged."""
    rest = memoryview(_body(motion).encode())
    with path.open("r+b", buffering=0) as file:  # a buffer would be written even after a failure
        size = file.seek(0, os.SEEK_END)
        try:
            while rest:
                rest = rest[file.write(rest) :]
            os.fsync(file.fileno())
        except BaseException:
            file.truncate(size)
            raise


def load_csv(path: str, data: bytes) -> Motion:
    """Parse the bytes of a file; `path` is used in errors only."""
    reader = _Reader(path)
    lines = reader.lines(data)
    dofs = reader.header(lines[0])
    times, q, markers = array("d"), array("d"), list[Marker]()
    for number, line in enumerate(lines[1:], start=2):
        if line.startswith(MARKER_PREFIX):
            markers.append(reader.marker(line, number))
        elif line.strip() and not line.startswith("#"):
            time, *row = reader.row(line, number, width=len(dofs) + 1)
            reader.check_time(time, number, last=times[-1] if times else None)
            times.append(time)
            q.extend(row)
    if not times:
        raise BadFile(path, "no postures", "at least one line of numbers", line=len(lines))
    return Motion(dofs, np.array(times), np.reshape(q, (len(times), -1)), tuple(markers))


def read_column(path: str, cell: str) -> Dof:
    """Return the coordinate of a column's name; `path` is used in errors only."""
    match = _COLUMN.fullmatch(cell)
    if not match:
        expected = f"a name with its unit, such as 'elbow [rad]'; units: {get_args(Unit)}"
        raise BadFile(path, f"column {cell!r}", expected, line=1)
    return Dof(match[1], cast(Unit, match[2]))


class _Reader:
    """Parses the three kinds of lines; errors have line numbers."""

    def __init__(self, path: str) -> None:
        self.path = path

    def lines(self, data: bytes) -> list[str]:
        """Split into lines; raise BadFile if the last one is truncated."""
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise BadFile(self.path, f"byte {data[error.start]:#04x}", "UTF-8", line=line) from None
        lines = text.replace("\r\n", "\n").split("\n")
        if lines[-1]:
            expected = (
                "a newline after it; if it was cut short delete it, otherwise add the newline"
            )
            raise BadFile(self.path, "an unfinished last line", expected, line=len(lines))
        return lines[:-1] or [""]

    def header(self, line: str) -> tuple[Dof, ...]:
        """Read the column names."""
        cells = self.cells(line, 1)
        if cells[:1] != [TIME_COLUMN]:
            found = f"first column {cells[0]!r}" if cells else "an empty first line"
            raise BadFile(self.path, found, f"column names, the first {TIME_COLUMN!r}", line=1)
        dofs = [read_column(self.path, cell) for cell in cells[1:]]
        try:
            check_dofs(dofs)
        except ValueError as error:
            raise BadFile(self.path, str(error), "joint names, each once", line=1) from None
        return tuple(dofs)

    def row(self, line: str, number: int, *, width: int) -> list[float]:
        """Read a line of numbers."""
        cells = line.split(",")
        if len(cells) != width:
            raise BadFile(
                self.path, f"{len(cells)} columns", f"{width}, as in the first line", line=number
            )
        values = []
        for i, cell in enumerate(cells):
            value = float(cell) if _NUMBER.fullmatch(cell) else np.nan
            if not np.isfinite(value):
                column = sum(len(before) + 1 for before in cells[:i]) + 1
                raise BadFile(
                    self.path, repr(cell[:40]), "a finite number", line=number, column=column
                )
            values.append(value)
        return values

    def check_time(self, time: float, number: int, *, last: float | None = None) -> None:
        """Raise BadFile unless a time is later than the last one."""
        try:
            check_time(time, last=last)
        except ValueError as error:
            raise BadFile(self.path, str(error), "increasing times", line=number) from None

    def marker(self, line: str, number: int) -> Marker:
        """Read a marker."""
        cells = self.cells(line, number)
        if len(cells) == 3 and cells[0] == MARKER_PREFIX and cells[2].isprintable():
            (time,) = self.row(cells[1], number, width=1)
            self.check_time(time, number)
            return Marker(time, cells[2])
        raise BadFile(self.path, repr(line[:40]), f"'{MARKER_PREFIX},time,label'", line=number)

    def cells(self, line: str, number: int) -> list[str]:
        """Split a line with optionally quoted cells."""
        try:
            return next(csv.reader([line], strict=True), [])
        except csv.Error as error:
            raise BadFile(self.path, str(error), "comma-separated text", line=number) from None


def _body(motion: Motion) -> str:
    lines = [
        ",".join(map(repr, (time, *row)))
        for time, row in zip(motion.times.tolist(), motion.q.tolist(), strict=True)
    ]
    markers = [_line([MARKER_PREFIX, repr(time), label]) for time, label in motion.markers]
    return "".join(f"{line}\n" for line in lines) + "".join(markers)


def _line(cells: Iterable[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
