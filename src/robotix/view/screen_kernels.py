"""Compiled conversion of linear light to sRGB bytes."""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.geometry.arrays import Float32Array
from robotix.kernels import kernel

__all__ = ["encode"]

Bytes: TypeAlias = NDArray[np.uint8]


@kernel
def encode(linear: Float32Array, out: Bytes) -> None:
    """Write linear light as sRGB bytes, with highlights compressed smoothly."""
    height, width, _ = linear.shape
    for i in range(height):
        for j in range(width):
            for k in range(3):
                x = max(float(linear[i, j, k]), 0.0)
                if x > 0.8:
                    x = 0.8 + 0.2 * (1.0 - math.exp(-(x - 0.8) / 0.2))
                curved = 12.92 * x if x <= 0.0031308 else 1.055 * x ** (1 / 2.4) - 0.055
                out[i, j, k] = np.uint8(min(max(curved, 0.0), 1.0) * 255.0 + 0.5)
