"""Types of arrays and of short tuples of numbers that many packages share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Array",
    "Faces",
    "Float32Array",
    "Int32Array",
    "Quaternion",
    "Rgb",
    "Rgba",
    "Vector",
]

Array: TypeAlias = NDArray[np.float64]
Float32Array: TypeAlias = NDArray[np.float32]
Int32Array: TypeAlias = NDArray[np.int32]
Faces: TypeAlias = NDArray[np.int64]  # (n, 3), corners of triangles, counter-clockwise from outside
Vector: TypeAlias = tuple[float, float, float]
Quaternion: TypeAlias = tuple[float, float, float, float]  # w, x, y, z
Rgb: TypeAlias = tuple[float, float, float]  # red, green, blue in 0..1
Rgba: TypeAlias = tuple[float, float, float, float]  # with opacity
