"""The sandboxed process that reads C3D files.

The reader is a C++ library that damaged files can crash or keep busy without end. The answer's body
holds the positions, frame by frame; or, for a request with `plates`, the channels of force plates,
sample by sample.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from robotix.files.sandbox import serve_requests


def load() -> Callable[[dict[str, Any]], tuple[dict[str, Any], bytes]]:
    """Import the library and return the function that reads the file of a request."""
    import ezc3d

    return lambda request: _answer(ezc3d, request)


def _answer(ezc3d: Any, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    try:
        file = ezc3d.c3d(request["path"])
        if request.get("plates"):
            return _plates(file, request)
        points = file["data"]["points"]
        _, markers, frames = points.shape
        if markers > request["max_markers"] or frames > request["max_frames"]:
            return {"error": f"{markers} markers in {frames} frames"}, b""
        answer = {
            **_axes(file),
            "names": [str(name) for name in _parameter(file, "LABELS")],
            "rate": float(file["header"]["points"]["frame_rate"]),
            "shape": [frames, markers, 3],
        }
        return answer, points[:3].transpose(2, 1, 0).astype("<f8").tobytes()
    except Exception as error:  # the caller turns every failure into one kind of error
        return {"error": str(error) or type(error).__name__}, b""


def _axes(file: Any) -> dict[str, list[str]]:
    return {
        "units": [str(unit) for unit in _parameter(file, "UNITS")],
        "up": [str(axis) for axis in _parameter(file, "Y_SCREEN")],
    }


def _plates(file: Any, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Answer with the group FORCE_PLATFORM and the channels that it names, in its order."""
    group = file["parameters"].get("FORCE_PLATFORM", {})
    values = {
        name.lower(): np.asarray(group[name]["value"], float)
        for name in ("TYPE", "CORNERS", "ORIGIN", "CHANNEL", "CAL_MATRIX", "ZERO")
        if name in group
    }
    used = group["USED"]["value"] if "USED" in group else []
    count = int(used[0]) if len(used) else 0
    samples = file["data"]["analogs"][0]
    channels = values.get("channel", np.zeros((0, 0)))
    wanted = channels[np.isfinite(channels) & (channels >= 1) & (channels <= len(samples))]
    rows = sorted({int(each) - 1 for each in wanted})
    if len(rows) > request["max_markers"] or samples.shape[1] > request["max_samples"]:
        return {"error": f"{len(rows)} channels of {samples.shape[1]} samples"}, b""
    analog = file["parameters"].get("ANALOG", {})
    units = [str(unit) for unit in analog["UNITS"]["value"]] if "UNITS" in analog else []
    points = file["header"]["points"]
    per_frame = samples.shape[1] / max(points["last_frame"] - points["first_frame"] + 1, 1)
    answer = {
        **_axes(file),
        "count": count,
        "plates": {name: value.tolist() for name, value in values.items()},
        "channels": [row + 1 for row in rows],
        "channel_units": [units[row].strip() if row < len(units) else "" for row in rows],
        "rate": float(file["header"]["analogs"]["frame_rate"]),
        "samples_per_frame": per_frame,
        "shape": [samples.shape[1], len(rows)],
    }
    return answer, samples[rows].T.astype("<f8").tobytes()


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
