"""Reading C3D files, the binary format of camera systems, through the library ezc3d.

The library runs in a process of its own: damaged files can crash it. It comes with
`pip install "robotix[mocap]"`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import numpy as np

from robotix.capture.markers import UNITS, AxisName, MarkerSet, make_markers, metres_per, z_up
from robotix.errors import BadFile
from robotix.files.source_file import read_source
from robotix.geometry import Array

__all__ = ["load_c3d"]

MAX_BYTES = 512 * 2**20
MAX_MARKERS, MAX_FRAMES = 2000, 1_000_000
MAX_RATE = 100_000.0  # Hz
FARTHEST = 1e6  # m
_FRUGAL = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}  # fit many cores in the bounds
_WORKER = Path(__file__).with_name("c3d_worker.py")


def load_c3d(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: AxisName | None = None,
    timeout: float = 20.0,
) -> MarkerSet:
    """Read the markers of a C3D file.

    `unit` and `up` only to overrule the file's own POINT:UNITS and POINT:Y_SCREEN; without the
    latter, z is up. A marker at exactly (0, 0, 0) was not seen: so some systems write it.
    """
    name = os.fspath(path)
    data = read_source(path, what="a C3D file", limit=MAX_BYTES)
    if len(data) < 512 or data[1] != 0x50:
        raise BadFile(name, "no C3D header", "a C3D file, whose second byte is 0x50")
    answer, body = _ask(name, timeout=timeout)
    points = _positions(name, answer, body)
    rate = answer["rate"]
    if not 0 < rate <= MAX_RATE:
        raise BadFile(name, f"a rate of {rate:g} Hz", f"more than 0, at most {MAX_RATE:g}")
    names = _names(name, answer["names"], points.shape[1])
    points[(points == 0).all(axis=2)] = np.nan
    scale = _unit(name, answer["units"]) if unit is None else metres_per(unit)
    points[~(abs(scale * points) < FARTHEST).all(axis=2)] = np.nan
    places = z_up(scale * points, _up(answer["up"]) if up is None else up)
    return make_markers(name, names, times=np.arange(len(points)) / rate, positions=places)


def _ask(name: str, *, timeout: float) -> tuple[dict[str, Any], bytes]:
    """Let the worker read the file."""
    environment = {**os.environ, **_FRUGAL, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-P", str(_WORKER), os.path.abspath(name)]
    try:
        done = subprocess.run(
            [*command, str(MAX_MARKERS), str(MAX_FRAMES)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        found = f"not read after {timeout:g} s"
        raise BadFile(name, found, "a sound C3D file; it is damaged or very large") from None
    line, _, body = done.stdout.partition(b"\n")
    if not line:
        raise BadFile(name, "the reader crashed on it", "a sound C3D file; this one is damaged")
    answer: dict[str, Any] = json.loads(line)
    if "missing" in answer:
        hint = 'install it with pip install "robotix[mocap]"'
        raise ImportError(f"C3D files need the package ezc3d ({answer['missing']}); {hint}")
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
    """Return the names of the markers; those that the file does not name get a number."""
    names = [label.strip() for label in labels[:count]]
    names += [""] * (count - len(names))
    names = [label or f"*{i}" for i, label in enumerate(names)]
    bad = next((label for label in names if not label.isprintable()), None)
    if bad is not None:
        raise BadFile(name, f"the marker name {bad[:40]!r}", "printable characters")
    return names


def _unit(name: str, units: list[str]) -> float:
    said = units[0].strip() if units and units[0].strip() else "mm"
    try:
        return metres_per(said)
    except LookupError:
        raise BadFile(name, f"POINT:UNITS {said[:40]!r}", f"one of {', '.join(UNITS)}") from None


def _up(screen: list[str]) -> AxisName:
    """Return the upward axis of the file's screen; z when it does not say, or says nonsense."""
    letter = screen[0].strip().lower().lstrip("+") if screen else "z"
    return cast(AxisName, letter) if letter in ("x", "y", "z") else "z"
