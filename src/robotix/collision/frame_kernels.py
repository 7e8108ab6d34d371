"""Compiled: what stands beside a mesh, seen from it, and how far away it is at least.

A pair of boxes is farther apart than the best points so far if that is so along the axes of the
mesh, or along the line between those points. Where two bodies bulge towards each other, a plane
across that line parts them, and little of the trees is searched.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.collision.core_kernels import Core
from robotix.collision.distance_kernels import TRANSLATION
from robotix.collision.tree_kernels import axis_of, point_in, turn_in, unit
from robotix.collision.triangle_kernels import Points
from robotix.geometry.rotation import Array
from robotix.geometry.vector_kernels import Vector, along, dot, scaled, subtract
from robotix.kernels import part

__all__ = [
    "ROUNDING",
    "Frame",
    "Hint",
    "box_in",
    "box_reach",
    "core_height",
    "core_reach",
    "from_frame",
    "into_frame",
    "is_beyond",
    "line",
    "lowest",
    "make_frame",
    "middle_of",
    "turn_into",
]

Hint: TypeAlias = NDArray[np.int64]  # (2,), triangles of the two meshes
ROUNDING = 1.0 - 1e-10  # of squared distances that count as equal


class Frame(NamedTuple):
    """Where something is, seen from a mesh, in the mesh's units."""

    origin: Vector
    x: Vector
    y: Vector
    z: Vector
    scale: float


@part
def make_frame(mesh_row: Array, mesh_scale: float, row: Array, scale: float) -> Frame:
    """Return the frame of a row, seen from the row of a mesh."""
    at = (row[TRANSLATION], row[TRANSLATION + 1], row[TRANSLATION + 2])
    x, y, z = axis_of(row, 0), axis_of(row, 1), axis_of(row, 2)
    return Frame(
        point_in(mesh_row, mesh_scale, at),
        turn_in(mesh_row, x),
        turn_in(mesh_row, y),
        turn_in(mesh_row, z),
        scale / mesh_scale,
    )


@part
def from_frame(frame: Frame, p: Vector) -> Vector:
    """Place a point of the frame beside the mesh."""
    p = scaled(frame.scale, p)
    return along(along(along(frame.origin, p[0], frame.x), p[1], frame.y), p[2], frame.z)


@part
def into_frame(frame: Frame, p: Vector) -> Vector:
    """Seen from the frame, still in the mesh's units."""
    away = subtract(p, frame.origin)
    return (dot(frame.x, away), dot(frame.y, away), dot(frame.z, away))


# -- bounds -----------------------------------------------------------------------------------


@part
def line(best: Points, a: Vector, b: Vector) -> Vector:
    """Unit vector to the first of the best points, or to `a` from `b` as long as there are none."""
    away = subtract(best[1], best[2])
    return unit(away) if dot(away, away) > 0.0 else unit(subtract(a, b))


@part
def middle_of(box: Array) -> Vector:
    """Centre of a box."""
    return (0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]))


@part
def lowest(box: Array, n: Vector) -> float:
    """How far a box reaches against a direction."""
    total = 0.0
    for i in range(3):
        total += n[i] * (box[i] if n[i] > 0.0 else box[3 + i])
    return total


@part
def core_height(core: Core, n: Vector) -> float:
    """How far a core reaches in a direction of its own frame, from its centre."""
    flat = math.sqrt(max(1.0 - n[2] * n[2], 0.0))
    return abs(n[0]) * core[0] + abs(n[1]) * core[1] + abs(n[2]) * core[2] + flat * core[3]


@part
def turn_into(frame: Frame, n: Vector) -> Vector:
    """Turn a vector of the mesh into a frame."""
    return (dot(frame.x, n), dot(frame.y, n), dot(frame.z, n))


@part
def is_beyond(gap: float, best: float) -> bool:
    """Whether a distance between bounds is no less than the best one, which is squared."""
    return gap > 0.0 and gap * gap >= ROUNDING * best


@part
def _extent(frame: Frame, core: Core, i: int) -> float:
    flat = math.sqrt(max(1.0 - frame.z[i] * frame.z[i], 0.0))
    box = core[0] * abs(frame.x[i]) + core[1] * abs(frame.y[i]) + core[2] * abs(frame.z[i])
    return box + core[3] * flat


@part
def core_reach(frame: Frame, core: Core) -> Vector:
    """Half size of the box along the mesh's axes about a core."""
    return (_extent(frame, core, 0), _extent(frame, core, 1), _extent(frame, core, 2))


@part
def box_reach(frame: Frame, box: Array) -> tuple[Vector, Vector, Core]:
    """Centre and half size, along the mesh's axes, of a box in a frame; and the box as a core."""
    half = (0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2]))
    core = (frame.scale * half[0], frame.scale * half[1], frame.scale * half[2], 0.0)
    return from_frame(frame, middle_of(box)), core_reach(frame, core), core


@part
def box_in(frame: Frame, box: Array) -> tuple[Vector, Vector]:
    """Centre and half size, along the axes of a frame, of a box of the mesh, in its units."""
    x, y, z = 0.5 * (box[3] - box[0]), 0.5 * (box[4] - box[1]), 0.5 * (box[5] - box[2])
    reach = (
        abs(frame.x[0]) * x + abs(frame.x[1]) * y + abs(frame.x[2]) * z,
        abs(frame.y[0]) * x + abs(frame.y[1]) * y + abs(frame.y[2]) * z,
        abs(frame.z[0]) * x + abs(frame.z[1]) * y + abs(frame.z[2]) * z,
    )
    return into_frame(frame, middle_of(box)), reach
