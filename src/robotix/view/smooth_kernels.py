"""Compiled smoothing of light: noise of the sampling pattern is averaged within a surface."""

from __future__ import annotations

from robotix.geometry.arrays import Float32Array
from robotix.kernels import kernel, part

__all__ = ["smooth_light"]

CREASE_COSINE = 0.85  # surfaces at a larger angle are not smoothed into each other


@part
def _alike(depths: Float32Array, light: Float32Array, i: int, j: int, y: int, x: int) -> bool:
    """Return whether two pixels show the same smooth surface."""
    near, far = depths[i, j], depths[y, x]
    if abs(near - far) > 0.02 * near:
        return False
    facing = (
        light[i, j, 2] * light[y, x, 2]
        + light[i, j, 3] * light[y, x, 3]
        + light[i, j, 4] * light[y, x, 4]
    )
    return bool(facing > CREASE_COSINE)


@kernel
def smooth_light(depths: Float32Array, light: Float32Array, out: Float32Array) -> None:
    """Average light over one period of the sampling pattern, within the same surface."""
    height, width = depths.shape
    for i in range(height):
        for j in range(width):
            if depths[i, j] <= 0:
                out[i, j, 0] = out[i, j, 1] = 1.0
                continue
            sky, sun, count = 0.0, 0.0, 0
            for y in range(max(i - 2, 0), min(i + 2, height)):
                for x in range(max(j - 2, 0), min(j + 2, width)):
                    if _alike(depths, light, i, j, y, x):
                        sky += light[y, x, 0]
                        sun += light[y, x, 1]
                        count += 1
            own = count == 0
            out[i, j, 0] = light[i, j, 0] if own else sky / count
            out[i, j, 1] = light[i, j, 1] if own else sun / count
