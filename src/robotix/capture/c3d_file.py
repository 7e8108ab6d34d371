"""Reading C3D files, the binary format of camera systems, through the library ezc3d.

The library runs in a sandboxed process: damaged files can crash it. It comes with
`pip install "robotix[mocap]"`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

import numpy as np

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
from robotix.files.sandbox import WorkerCrashed, WorkerTimeout, run_isolated
from robotix.files.source_file import read_source
from robotix.geometry import Array

__all__ = ["axis_up", "load_c3d", "read_isolated", "unit_of"]

MAX_BYTES = 512 * 2**20
MAX_MARKERS, MAX_FRAMES = 2000, 1_000_000
MAX_RATE = 100_000.0  # Hz
MAX_COORDINATE = 1e6  # m
MAX_MEMORY = 8 * 2**30  # bytes of address space of the reader
_WORKER = Path(__file__).with_name("c3d_worker.py")


def load_c3d(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: AxisName | None = None,
    timeout: float = 20.0,
) -> MarkerSet:
    """Read the markers of a C3D file.

    `unit` and `up` override the file's own POINT:UNITS and POINT:Y_SCREEN; without the latter, z
    is up. A marker at exactly (0, 0, 0) was not visible: some systems write gaps like that.
    """
    name = os.fspath(path)
    data = read_source(path, what="a C3D file", limit=MAX_BYTES)
    if len(data) < 512 or data[1] != 0x50:
        raise BadFile(name, "no C3D header", "a C3D file, whose second byte is 0x50")
    answer, body = read_isolated(name, timeout=timeout)
    points = _positions(name, answer, body)
    rate = answer["rate"]
    if not 0 < rate <= MAX_RATE:
        raise BadFile(name, f"a rate of {rate:g} Hz", f"more than 0, at most {MAX_RATE:g}")
    names = _names(name, answer["names"], points.shape[1])
    points[(points == 0).all(axis=2)] = np.nan
    scale = unit_of(name, answer["units"]) if unit is None else metres_per(unit)
    points[~(abs(scale * points) < MAX_COORDINATE).all(axis=2)] = np.nan
    positions = z_up(scale * points, axis_up(answer["up"]) if up is None else up)
    return make_markers(name, names, times=np.arange(len(points)) / rate, positions=positions)


def read_isolated(
    name: str, *, timeout: float, plates: bool = False, max_samples: int = 0
) -> tuple[dict[str, Any], bytes]:
    """Return the worker's answer to a file: its description, and the bytes of the positions.

    With `plates`, the bytes are those of the channels of force plates instead.
    """
    request = {
        "plates": plates,
        "max_samples": max_samples,
        "path": os.path.abspath(name),
        "max_markers": MAX_MARKERS,
        "max_frames": MAX_FRAMES,
    }
    try:
        answer, body = run_isolated(_WORKER, request, timeout=timeout, memory=MAX_MEMORY)
    except WorkerTimeout:
        found = f"not read after {timeout:g} s"
        raise BadFile(name, found, "a sound C3D file; it is damaged or very large") from None
    except WorkerCrashed:
        found, expected = "the reader crashed on it", "a sound C3D file; this one is damaged"
        raise BadFile(name, found, expected) from None
    except ImportError as error:
        hint = 'install it with pip install "robotix[mocap]"'
        raise ImportError(f"C3D files need the package ezc3d ({error}); {hint}") from None
    if "error" in answer:
        found = " ".join(str(answer["error"]).split())[:200]
        expected = f"a C3D file of at most {MAX_MARKERS} markers in {MAX_FRAMES} frames"
        raise BadFile(name, found, expected)
    return answer, body


def _positions(name: str, answer: dict[str, Any], body: bytes) -> Array:
    shape = answer["shape"]
    if len(body) != 8 * int(np.prod(shape)):
        raise BadFile(name, "an answer cut short", "a sound C3D file; this one is damaged")
    if 0 in shape:
        raise BadFile(name, f"{shape[1]} markers in {shape[0]} frames", "at least one of both")
    return np.frombuffer(body, dtype="<f8").reshape(shape).copy()


def _names(name: str, labels: list[str], count: int) -> list[str]:
    """Return the names of the markers; unnamed ones are called by their index.

    Of markers with one name, the first keeps it; the others get a number: `RKNE (2)`.
    """
    names = [label.strip() for label in labels[:count]]
    names += [""] * (count - len(names))
    names = [label or f"*{i}" for i, label in enumerate(names)]
    bad = next((label for label in names if not label.isprintable()), None)
    if bad is not None:
        raise BadFile(name, f"the marker name {bad[:40]!r}", "printable characters")
    return numbered(names)


def unit_of(name: str, units: list[str]) -> float:
    """Return the metres of POINT:UNITS; mm when it is missing."""
    unit = units[0].strip() if units and units[0].strip() else "mm"
    try:
        return metres_per(unit)
    except LookupError:
        raise BadFile(name, f"POINT:UNITS {unit[:40]!r}", f"one of {', '.join(UNITS)}") from None


def axis_up(screen: list[str]) -> AxisName:
    """Return the upward axis of the file's screen; z when it is missing or unknown."""
    letter = screen[0].strip().lower().lstrip("+") if screen else "z"
    return cast(AxisName, letter) if letter in ("x", "y", "z") else "z"
