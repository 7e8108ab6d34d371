"""Signed distance between solids, with nearest points and the direction in which it grows.

Not re-exported by `robotix.geometry`: it needs Numba, which takes a second to import.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from robotix.collision.distance_kernels import (
    BOX,
    CAPSULE,
    CYLINDER,
    HALFSPACE,
    RESULT_SIZE,
    ROW_SIZE,
    SPHERE,
    distance_pair,
    distance_rows,
    place_shapes,
)
from robotix.errors import BadModel
from robotix.geometry.pose import Pose
from robotix.geometry.rotation import Array
from robotix.geometry.shape import Box, Capsule, Cylinder, Halfspace, Mesh, Shape, Sphere

__all__ = [
    "RESULT_SIZE",
    "ROW_SIZE",
    "Nearest",
    "distance_pair",
    "distance_rows",
    "nearest",
    "pack_shapes",
    "pack_size",
    "place_shapes",
]


@dataclass(frozen=True, eq=False)
class Nearest:
    """How two solids stand to each other.

    Apart, the points are the nearest ones; overlapping, the deepest ones. Always
    `point_a - point_b == distance * normal`.
    """

    distance: float  # m; negative: how far they overlap
    point_a: Array  # (3,), m, on the surface of a
    point_b: Array  # (3,), m, on the surface of b
    normal: Array  # (3,), unit, from b to a


def pack_size(shape: Shape) -> tuple[float, float, float, tuple[float, float, float]]:
    """Return kind, ball radius, disk radius and half sizes; `BadModel` for a mesh."""
    match shape:
        case Sphere():
            return SPHERE, shape.radius, 0.0, (0.0, 0.0, 0.0)
        case Capsule():
            return CAPSULE, shape.radius, 0.0, (0.0, 0.0, shape.length / 2)
        case Cylinder():
            return CYLINDER, 0.0, shape.radius, (0.0, 0.0, shape.length / 2)
        case Box():
            x, y, z = shape.size / 2
            return BOX, 0.0, 0.0, (float(x), float(y), float(z))
        case Halfspace():
            return HALFSPACE, 0.0, 0.0, (0.0, 0.0, 0.0)
        case Mesh():
            raise BadModel(
                f"mesh {shape.uri!r}",
                "has no exact distance; give the body a sphere, capsule, cylinder or box to "
                "collide with, or ask the scene, whose collision library reads meshes",
            )


def pack_shapes(shapes: Iterable[Shape]) -> Array:
    """Return one row per solid, (n, ROW_SIZE), as the distance kernels read them."""
    rows = [
        [kind, ball, disk, *half, *shape.pose.rotation.flat, *shape.pose.translation]
        for shape in shapes
        for kind, ball, disk, half in [pack_size(shape)]
    ]
    return np.array(rows, dtype=float).reshape(-1, ROW_SIZE)


def nearest(
    shape_a: Shape,
    shape_b: Shape,
    *,
    world_from_a: Pose | None = None,
    world_from_b: Pose | None = None,
) -> Nearest:
    """Signed distance and nearest points of two solids, in the world.

    The poses are those of the frames the solids are given in; the world's own by default.
    """
    frames = [pose if pose is not None else Pose() for pose in (world_from_a, world_from_b)]
    bodies = np.array([[*frame.rotation.flat, *frame.translation] for frame in frames])
    rows = pack_shapes([shape_a, shape_b])
    placed, out = np.empty_like(rows), np.empty(RESULT_SIZE)
    place_shapes(rows, np.arange(2), bodies, placed)
    distance = distance_pair(placed[0], placed[1], out)
    out.flags.writeable = False
    return Nearest(float(distance), out[1:4], out[4:7], out[7:10])
