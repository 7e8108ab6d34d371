"""Reading motion capture: `.c3d`, `.bvh` and `.trc`."""

from __future__ import annotations

import os
from pathlib import PurePath

from robotix.capture.markers import AxisName, MarkerSet
from robotix.errors import BadFile

__all__ = ["load_markers"]


def load_markers(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: AxisName | None = None,
    usual: str | float = "cm",
) -> MarkerSet:
    """Read markers, or the joints of a BVH skeleton, in m and with z up.

    Args:
        path: The file; its suffix selects the format.
        unit: Of the file: `"mm"`, `"cm"`, `"cmu"`, … or a number of metres. BVH files have none;
            for the others it overrides the file.
        up: Upward axis of the file. BVH and TRC files do not contain it; y is assumed.
        usual: The unit of a BVH file when none is given.
    """
    match PurePath(os.fspath(path)).suffix.lower():
        case ".bvh":
            from robotix.capture.bvh_file import load_bvh

            return load_bvh(path, unit=usual if unit is None else unit, up=up or "y")
        case ".trc":
            from robotix.capture.trc_file import load_trc

            return load_trc(path, unit=unit, up=up or "y")
        case ".c3d":
            from robotix.capture.c3d_file import load_c3d

            return load_c3d(path, unit=unit, up=up)
        case ending:
            found = f"the ending {ending!r}" if ending else "no ending"
            raise BadFile(os.fspath(path), found, "a motion capture file: .c3d, .bvh or .trc")
