"""The sandboxed process that reads C3D files.

The reader is a C++ library that damaged files can crash or keep busy without end. The answer's body
holds the positions, frame by frame.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from robotix.files.sandbox import serve_requests


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import the library and return the function that reads the file of a request."""
    import ezc3d

    return lambda request: _answer(ezc3d, request)


def _answer(ezc3d: Any, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    try:
        file = ezc3d.c3d(request["path"])
        points = file["data"]["points"]
        _, markers, frames = points.shape
        if markers > request["max_markers"] or frames > request["max_frames"]:
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


if __name__ == "__main__":
    serve_requests(load)
