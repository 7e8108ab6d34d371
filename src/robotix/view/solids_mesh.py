"""Solids as triangle meshes with smooth or sharp normals."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere
from robotix.view.things import GREY, Faces, Mesh3, Rgb

__all__ = ["solid_mesh"]

STRIPS_AROUND_AXIS = 48  # strips around an axis
HALFSPACE_SIZE = 40.0  # m; a half-space is drawn as a square of this size


def solid_mesh(
    shape: Shape,
    *,
    pose: Pose | None = None,
    colour: Rgb = GREY,
    opacity: float = 1.0,
    gloss: float = 0.05,
    casts: bool = True,
    around: int = STRIPS_AROUND_AXIS,
) -> Mesh3:
    """Return the surface of a solid, with `around` strips; a half-space casts no shadow.

    `pose` is world_from_frame of the frame of the solid; the identity when None.
    """
    match shape:
        case Box():
            vertices, normals, faces = _box(shape.size)
        case Sphere():
            vertices, normals, faces = _ball(shape.radius, 0.0, around)
        case Capsule():
            vertices, normals, faces = _ball(shape.radius, shape.length / 2, around)
        case Cylinder():
            vertices, normals, faces = _cylinder(shape.radius, shape.length / 2, around)
        case Halfspace():
            vertices, normals, faces = _square(HALFSPACE_SIZE)
        case _:
            raise ValueError("a mesh in a file must be loaded before it can be drawn")
    world_from_solid = shape.pose if pose is None else pose @ shape.pose
    casts = casts and not isinstance(shape, Halfspace)
    return Mesh3(
        world_from_solid.apply(vertices),
        faces,
        normals @ world_from_solid.rotation.T,
        colour,
        opacity,
        gloss,
        casts,
    )


def _grid_faces(rows: int, columns: int) -> Faces:
    """Return two triangles for every cell between rows × columns of vertices."""
    first = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = first[:-1, :-1], first[1:, :-1], first[1:, 1:], first[:-1, 1:]
    pairs = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], axis=2)
    return np.asarray(pairs.reshape(-1, 3))


def _turned(r: Array, z: Array, slopes: Array, around: int) -> tuple[Array, Array, Faces]:
    """Return the surface of revolution of an outline (radii, heights, normal angles) about z."""
    angle = np.linspace(0.0, 2 * np.pi, around + 1)[:, None]
    along = np.stack([np.cos(angle) * r, np.sin(angle) * r, np.ones_like(angle) * z], axis=-1)
    out = np.stack(
        [
            np.cos(angle) * np.cos(slopes),
            np.sin(angle) * np.cos(slopes),
            np.ones_like(angle) * np.sin(slopes),
        ],
        axis=-1,
    )
    return along.reshape(-1, 3), out.reshape(-1, 3), _grid_faces(around + 1, len(r))


def _ball(radius: float, half: float, around: int) -> tuple[Array, Array, Faces]:
    """Return a sphere whose hemispheres are moved apart by `half` each: a capsule."""
    over = max(around // 4, 2)
    upper = np.linspace(0.0, np.pi / 2, over + 1)
    slopes = np.concatenate([-upper[::-1], upper])
    z = radius * np.sin(slopes) + np.repeat([-half, half], over + 1)
    return _turned(radius * np.cos(slopes), z, slopes, around)


def _cylinder(radius: float, half: float, around: int) -> tuple[Array, Array, Faces]:
    quarter = np.pi / 2
    return _turned(
        np.array([0.0, radius, radius, radius, radius, 0.0]),
        np.array([-half, -half, -half, half, half, half]),
        np.array([-quarter, -quarter, 0.0, 0.0, quarter, quarter]),
        around,
    )


def _square(size: float) -> tuple[Array, Array, Faces]:
    x, y = np.meshgrid([-size / 2, size / 2], [-size / 2, size / 2], indexing="ij")
    flat = np.stack([x.ravel(), y.ravel(), np.zeros(4)], axis=1)
    return flat, np.tile([0.0, 0.0, 1.0], (4, 1)), np.array([[0, 2, 3], [0, 3, 1]])


def _box(size: Array) -> tuple[Array, Array, Faces]:
    """Return the six sides, each with its own vertices."""
    square, up, faces = _square(1.0)
    square = square + np.array([0.0, 0.0, 0.5])
    vertices, normals = [], []
    for axis in range(3):
        for sign in (1.0, -1.0):
            rotation = np.roll(np.eye(3), axis + 1, axis=0) * 1.0  # z of the side along this axis
            if sign < 0:
                rotation = rotation @ np.diag([-1.0, 1.0, -1.0])
            vertices.append(square @ rotation.T * size)
            normals.append(up @ rotation.T)
    all_faces = np.concatenate([faces + 4 * k for k in range(6)])
    return np.concatenate(vertices), np.concatenate(normals), all_faces
