"""Compiled rasterisation: the visible triangle of every sample.

A buffer has one sample per cell, at its centre; `values` is the nearness of the visible surface
(larger is nearer) and `ids` the index of its triangle. Triangles are filled by their edge functions
in homogeneous form [Olano1997]: corners behind the eye need no clipping.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import numpy as np

from robotix.geometry.arrays import Float32Array, Int32Array
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, cross, dot
from robotix.kernels import kernel, part

__all__ = ["FLOOR_ID", "SKY_ID", "clear", "fill_from_above", "fill_from_eye"]

PixelSpan: TypeAlias = tuple[
    float, float, float, float
]  # first and last column, first and last row

FLOOR_ID, SKY_ID = -1, -2  # in `ids` and `View.ids`, where no triangle is visible


@kernel
def clear(plane: Array, values: Float32Array, ids: Int32Array) -> None:
    """Fill the buffers with floor and sky; `plane @ (column, row, 1)` is the floor's nearness."""
    height, width = values.shape
    for i in range(height):
        start = plane[1] * (i + 0.5) + plane[2]
        for j in range(width):
            nearness = plane[0] * (j + 0.5) + start
            values[i, j] = max(nearness, 0.0)
            ids[i, j] = FLOOR_ID if nearness > 0 else SKY_ID


@part
def _corner(points: Array, index: int) -> Vector:
    return (points[index, 0], points[index, 1], points[index, 2])


@part
def _line(normal: Vector, divisor: float, lens: Array) -> Vector:
    """Convert a linear function of the direction of a ray to one of column and row."""
    x, y = normal[0] / (divisor * lens[0]), normal[1] / (divisor * lens[0])
    return (x, y, normal[2] / divisor - x * lens[1] - y * lens[2])


@part
def _sum(a: Vector, b: Vector, c: Vector) -> Vector:
    return (a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2])


@part
def _fill(
    lines: tuple[Vector, Vector, Vector],
    value: Vector,
    span: PixelSpan,
    ident: int,
    opacity: float,
    pattern: Array,
    values: Float32Array,
    ids: Int32Array,
) -> None:
    """Fill the cells where all three lines are positive and the value is the largest so far.

    Transparent triangles cover a fraction of every block of cells, by a fixed pattern.
    """
    block = pattern.shape[0]
    for i in range(int(span[2]), int(span[3]) + 1):
        low, high = span[0], span[1]
        for line in lines:
            at_row = line[1] * (i + 0.5) + line[2]
            if line[0] > 0:
                low = max(low, math.ceil(-at_row / line[0] - 0.5))
            elif line[0] < 0:
                high = min(high, math.floor(-at_row / line[0] - 0.5))
            elif at_row < 0:
                high = -1.0
        if low > high:
            continue
        start = value[1] * (i + 0.5) + value[2]
        for j in range(int(low), int(high) + 1):
            v = np.float32(value[0] * (j + 0.5) + start)
            if v > values[i, j] and (opacity >= 1 or pattern[i % block, j % block] < opacity):
                values[i, j] = v
                ids[i, j] = ident


@part
def _seen_span(a: Vector, b: Vector, c: Vector, lens: Array, shape: tuple[int, int]) -> PixelSpan:
    """Return the range of cells that a triangle may cover; all if it is partly behind the eye."""
    last_column, last_row = shape[1] - 1.0, shape[0] - 1.0
    if min(a[2], b[2], c[2]) < NEAR_PLANE:
        return (0.0, last_column, 0.0, last_row)
    xa, xb, xc = a[0] / a[2], b[0] / b[2], c[0] / c[2]
    ya, yb, yc = a[1] / a[2], b[1] / b[2], c[1] / c[2]
    return (
        max(math.floor(lens[0] * min(xa, xb, xc) + lens[1]), 0.0),
        min(math.ceil(lens[0] * max(xa, xb, xc) + lens[1]), last_column),
        max(math.floor(lens[0] * min(ya, yb, yc) + lens[2]), 0.0),
        min(math.ceil(lens[0] * max(ya, yb, yc) + lens[2]), last_row),
    )


NEAR_PLANE = 1e-3  # m before the eye


@kernel
def fill_from_eye(
    points: Array,
    faces: Int32Array,
    opacities: Array,
    lens: Array,
    pattern: Array,
    values: Float32Array,
    ids: Int32Array,
) -> None:
    """Fill triangles as seen from the origin; values are inverse depths, 1/m.

    Points are in the camera's frame (x right, y down, z forward); `lens` is the focal length and
    the middle's column and row, in cells.
    """
    for face in range(faces.shape[0]):
        a, b, c = (
            _corner(points, faces[face, 0]),
            _corner(points, faces[face, 1]),
            _corner(points, faces[face, 2]),
        )
        across = cross(b, c)
        volume = dot(a, across)
        if max(a[2], b[2], c[2]) < NEAR_PLANE or volume == 0:
            continue
        span = _seen_span(a, b, c, lens, values.shape)
        if span[0] > span[1] or span[2] > span[3]:
            continue
        lines = (
            _line(across, volume, lens),
            _line(cross(c, a), volume, lens),
            _line(cross(a, b), volume, lens),
        )
        nearness = _sum(lines[0], lines[1], lines[2])
        _fill(lines, nearness, span, face, opacities[face], pattern, values, ids)


@part
def _edge(a: Vector, b: Vector, area: float) -> Vector:
    """Return the barycentric coordinate of the third corner, as a function of column and row."""
    return (
        (a[1] - b[1]) / area,
        (b[0] - a[0]) / area,
        (a[0] * b[1] - b[0] * a[1]) / area,
    )


@kernel
def fill_from_above(
    points: Array, faces: Int32Array, opacities: Array, values: Float32Array, ids: Int32Array
) -> None:
    """Fill triangles in parallel projection along the third axis; points: column, row, height."""
    whole = np.zeros((1, 1))
    rows, columns = values.shape
    for face in range(faces.shape[0]):
        a, b, c = (
            _corner(points, faces[face, 0]),
            _corner(points, faces[face, 1]),
            _corner(points, faces[face, 2]),
        )
        area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])
        if area == 0:
            continue
        lines = (_edge(b, c, area), _edge(c, a, area), _edge(a, b, area))
        height = (
            lines[0][0] * a[2] + lines[1][0] * b[2] + lines[2][0] * c[2],
            lines[0][1] * a[2] + lines[1][1] * b[2] + lines[2][1] * c[2],
            lines[0][2] * a[2] + lines[1][2] * b[2] + lines[2][2] * c[2],
        )
        span = (
            max(math.floor(min(a[0], b[0], c[0])), 0.0),
            min(math.ceil(max(a[0], b[0], c[0])), columns - 1.0),
            max(math.floor(min(a[1], b[1], c[1])), 0.0),
            min(math.ceil(max(a[1], b[1], c[1])), rows - 1.0),
        )
        _fill(lines, height, span, face, opacities[face], whole, values, ids)
