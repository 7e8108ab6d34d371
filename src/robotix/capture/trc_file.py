"""Reading TRC files (Motion Analysis, OpenSim): five lines of header, then one line per frame.

Cells are separated by tabs; a marker that was not measured has empty cells. The file contains its
unit but not its axes; by convention y is up, which becomes z here.
"""

from __future__ import annotations

import math
import os
from typing import NamedTuple

import numpy as np

from robotix.capture.marker_text import TextLine, parse_number, read_lines
from robotix.capture.markers import (
    UNITS,
    AxisName,
    MarkerSet,
    make_markers,
    metres_per,
    numbered,
    z_up,
)
from robotix.errors import BadFile
from robotix.geometry import Array

__all__ = ["dump_trc", "load_trc"]

MAX_MARKERS = 2000
MAX_FRAMES = 1_000_000
MAX_ROUNDING = 6e-4  # s; Cortex writes times in whole milliseconds
_COLUMNS = ("DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units")
_ORIGINAL = ("OrigDataRate", "OrigDataStartFrame", "OrigNumFrames")
_MISSING = ("", "nan", "NaN", "NAN")


class _Header(NamedTuple):
    frames: int
    measured: int  # number of markers, as the header says
    unit: float  # m
    names: tuple[str, ...]


def load_trc(
    path: str | os.PathLike[str], *, unit: str | float | None = None, up: AxisName = "y"
) -> MarkerSet:
    """Read a TRC file; `unit` overrides that of the file."""
    lines = read_lines(path, what="a TRC file")
    header = _read_header(os.fspath(path), lines)
    if len(lines) > 5:
        header = header._replace(names=_measured_names(header.names, lines[5:], header.measured))
    times, rows = list[float](), list[list[float]]()
    for line in lines[5:]:
        if line.words:
            _read_row(line, header, times=times, rows=rows)
    if len(times) != header.frames:
        found, expected = f"{len(times)} lines of numbers", f"{header.frames}, as NumFrames says"
        raise BadFile(
            os.fspath(path), found, f"{expected}; is it cut short?", line=lines[-1].line_number
        )
    scale = header.unit if unit is None else metres_per(unit)
    positions = scale * np.reshape(rows, (len(times), len(header.names), 3))
    return make_markers(
        path, header.names, times=_even(np.array(times)), positions=z_up(positions, up)
    )


def _even(times: Array) -> Array:
    """Return times at equal distances, if they are so but for their rounding to milliseconds."""
    if len(times) < 3:
        return times
    even = np.linspace(times[0], times[-1], len(times))
    return even if abs(times - even).max() <= MAX_ROUNDING else times


def dump_trc(markers: MarkerSet, *, name: str = "markers.trc") -> str:
    """Return the text of a TRC file, in mm and with y up."""
    count, rate = len(markers.names), f"{markers.rate or 1.0:.6g}"
    for marker in markers.names:
        if not marker or marker != marker.strip() or not marker.isprintable():
            raise ValueError(f"{marker!r} cannot be the name of a marker in a TRC file")
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "\t".join((*_COLUMNS, *_ORIGINAL)),
        "\t".join([rate, rate, str(len(markers)), str(count), "mm", rate, "1", str(len(markers))]),
        "Frame#\tTime\t" + "\t\t\t".join(markers.names),
        "\t\t" + "\t".join(f"{axis}{i + 1}" for i in range(count) for axis in "XYZ"),
    ]
    y_up = 1000 * markers.positions[..., [1, 2, 0]]
    for i, (time, row) in enumerate(zip(markers.times, y_up, strict=True), start=1):
        cells = ["" if math.isnan(value) else f"{value:.2f}" for value in row.ravel()]
        lines.append("\t".join([str(i), f"{time:.6g}", *cells]))
    return "\n".join(lines) + "\n"


def _read_header(path: str, lines: list[TextLine]) -> _Header:
    if not lines[0].text.startswith("PathFileType"):
        lines[0].refuse(lines[0].excerpt, "PathFileType, the first word of a TRC file")
    if len(lines) < 6:
        raise BadFile(path, f"{len(lines)} lines", "five lines of header, then numbers", line=1)
    keys, values = lines[1], lines[2]
    if tuple(keys.words[:5]) != _COLUMNS:
        keys.refuse(keys.excerpt, " ".join(_COLUMNS))
    frames = values.whole_number(2, low=1, high=MAX_FRAMES)
    count = values.whole_number(3, low=1, high=MAX_MARKERS)
    if len(values.words) < 5:
        values.refuse(values.excerpt, "numbers, and a unit as fifth word")
    try:
        unit = metres_per(values.words[4])
    except LookupError:
        values.refuse(f"unit {values.words[4]!r}", f"one of {', '.join(UNITS)}", word=4)
    return _Header(frames, count, unit, _read_names(lines[3], count))


def _read_names(line: TextLine, count: int) -> tuple[str, ...]:
    if line.words[:2] != ["Frame#", "Time"]:
        line.refuse(line.excerpt, "Frame# Time and the names of the markers")
    names = tuple(cell for cell in line.cells[2:] if cell)
    if len(names) < count:
        line.refuse(f"{len(names)} names", f"{count}, as NumMarkers says", word=2)
    for name in names:
        if len(name) > 200 or not name.isprintable():
            line.refuse(f"the name {name[:40]!r}", "a short name of printable characters")
    return tuple(numbered(names))


def _measured_names(names: tuple[str, ...], rows: list[TextLine], count: int) -> tuple[str, ...]:
    """Return the names that have columns.

    Cortex names computed markers beside the measured ones, which NumMarkers does not count: they
    are kept if the rows are wide enough.
    """
    widest = max((len(row.cells) for row in rows[:1] if row.words), default=0)
    return names if widest >= 2 + 3 * len(names) else names[:count]


def _read_row(
    line: TextLine, header: _Header, *, times: list[float], rows: list[list[float]]
) -> None:
    width = 2 + 3 * len(header.names)
    cells = line.cells
    while len(cells) > width and not cells[-1]:  # many writers end a line with tabs
        cells = cells[:-1]
    cells = cells + [""] * (width - len(cells))  # and some leave them out
    if len(cells) != width:
        line.refuse(f"{len(cells)} cells", f"{width}: frame, time, and x y z of every marker")
    time = parse_number(cells[1])
    if math.isnan(time) or (times and time <= times[-1]):
        line.refuse(f"the time {cells[1][:40]!r}", "seconds, later than those before", word=1)
    row = [math.nan if cell in _MISSING else parse_number(cell) for cell in cells[2:]]
    for i, value in enumerate(row):
        if math.isnan(value) and cells[i + 2] not in _MISSING:
            line.refuse_cell(i + 2, "a number, or nothing for a marker that was not seen")
    times.append(time)
    rows.append(row)
