"""The process that reads C3D files: a path and bounds come in as arguments, markers go out.

Kept apart, and run by path rather than imported, because the reader is a C++ library that damaged
files can crash or keep busy for ever. Memory and processor time are bounded here, waiting time by
whoever started the process. The answer is a line of JSON and, after it, the bytes of the positions.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

MEMORY = 8 * 2**30  # bytes of address space
SECONDS = 60  # of processor time


def main() -> None:
    """Answer one request: path, most markers, most frames."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # whatever the reader prints is not an answer
    _bound()
    try:
        import ezc3d
    except ImportError as error:
        answer, body = {"missing": str(error)}, b""
    else:
        answer, body = _answer(ezc3d, sys.argv[1], most=[int(word) for word in sys.argv[2:4]])
    answers.write(json.dumps(answer).encode() + b"\n" + body)
    answers.flush()


def _answer(ezc3d: Any, path: str, *, most: list[int]) -> tuple[dict[str, Any], bytes]:
    try:
        file = ezc3d.c3d(path)
        points = file["data"]["points"]
        _, markers, frames = points.shape
        if markers > most[0] or frames > most[1]:
            return {"error": f"{markers} markers in {frames} frames"}, b""
        answer = {
            "names": [str(name) for name in _parameter(file, "LABELS")],
            "rate": float(file["header"]["points"]["frame_rate"]),
            "units": [str(unit) for unit in _parameter(file, "UNITS")],
            "up": [str(axis) for axis in _parameter(file, "Y_SCREEN")],
            "shape": [frames, markers, 3],
        }
        return answer, points[:3].transpose(2, 1, 0).astype("<f8").tobytes()
    except Exception as error:  # the caller turns every failure into one kind of error
        return {"error": str(error) or type(error).__name__}, b""


def _parameter(file: Any, name: str) -> list[Any]:
    """Return a parameter of the group POINT; long lists of labels go on in LABELS2, LABELS3, …."""
    group = file["parameters"]["POINT"]
    values = list(group[name]["value"]) if name in group else []
    if name == "LABELS":
        for i in range(2, 10):
            values += list(group[f"LABELS{i}"]["value"]) if f"LABELS{i}" in group else []
    return values


def _bound() -> None:
    import resource

    limits = (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_CORE, 0),
    )
    for what, limit in limits:
        try:
            resource.setrlimit(what, (limit, limit))
        except (OSError, ValueError):  # a system that does not bound this
            continue


if __name__ == "__main__":
    main()
