"""Meshes of distance fields, surfaces of revolution and sweeps, with smooth normals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.geometry.arrays import Faces
from robotix.visuals.fields import Field

__all__ = ["Faces", "Surface", "field_surface", "joined", "swept_surface", "turned_surface"]


STRIPS_AROUND_AXIS = 40  # strips around an axis
GRADIENT_STEP = 1e-4  # m, for finite differences of fields


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles, counter-clockwise from outside, in m."""

    vertices: Array  # (n, 3)
    normals: Array  # (n, 3)
    faces: Faces  # (m, 3)


def joined(surfaces: Sequence[Surface]) -> Surface:
    """Return the union of several surfaces."""
    starts = np.cumsum([0, *(len(each.vertices) for each in surfaces)])
    return Surface(
        np.concatenate([each.vertices for each in surfaces]),
        np.concatenate([each.normals for each in surfaces]),
        np.concatenate([each.faces + at for each, at in zip(surfaces, starts, strict=False)]),
    )


# -- fields -----------------------------------------------------------------------------------


def field_surface(field: Field, *, low: Array, high: Array, cell: float) -> Surface:
    """Return the zero level set of a field within a box, by surface nets [Gibson1998].

    Every cell that the surface crosses gets one vertex, which is then projected onto the surface.
    """
    counts = np.ceil((high - low) / cell).astype(int) + 1
    axes = [low[k] + cell * np.arange(counts[k]) for k in range(3)]
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    values = field(grid.reshape(-1, 3)).reshape(tuple(counts))
    inside = values < 0
    corners = _corners(inside)
    mixed = ~(np.all(corners, axis=0) | ~np.any(corners, axis=0))
    number = np.full(mixed.shape, -1, dtype=np.int64)
    number[mixed] = np.arange(np.count_nonzero(mixed))
    vertices = low + cell * (np.argwhere(mixed) + _middles(values, mixed))
    for _ in range(3):
        slope = _slopes(field, vertices, GRADIENT_STEP)
        steep = np.maximum(np.einsum("ij,ij->i", slope, slope), 0.25)
        move = slope * (field(vertices) / steep)[:, None]
        vertices = vertices - np.clip(move, -cell / 2, cell / 2)
    normals = _slopes(field, vertices, 0.4 * cell)  # a large step, so that edges look rounded
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    return Surface(vertices, normals, _net(inside, number))


def _corners(values: NDArray[np.generic]) -> list[NDArray[np.generic]]:
    """Return the eight corners of all cells."""
    pick = (slice(None, -1), slice(1, None))
    return [values[i, j, k] for i in pick for j in pick for k in pick]


def _middles(values: Array, mixed: NDArray[np.bool_]) -> Array:
    """Return the mean of the crossings of the surface with the edges of each mixed cell."""
    corner = np.stack([each[mixed] for each in _corners(values)], axis=1)  # (n, 8), by 4i + 2j + k
    total, count = np.zeros((len(corner), 3)), np.zeros(len(corner))
    for a in range(8):
        for axis, bit in enumerate((4, 2, 1)):
            b = a | bit
            if a & bit:
                continue
            crosses = (corner[:, a] < 0) != (corner[:, b] < 0)
            u, v = corner[:, a], corner[:, b]
            part = np.divide(u, u - v, out=np.zeros_like(u), where=crosses)
            vertex = np.tile([a >> 2 & 1, a >> 1 & 1, a & 1], (len(u), 1)).astype(float)
            vertex[:, axis] += part
            total += np.where(crosses[:, None], vertex, 0.0)
            count += crosses
    return np.asarray(total / count[:, None])


def _net(inside: NDArray[np.bool_], number: Faces) -> Faces:
    """Return two triangles for every edge of the grid that the surface crosses."""
    found = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        near = np.moveaxis(inside, (axis, u, v), (0, 1, 2))
        cells = np.moveaxis(number, (axis, u, v), (0, 1, 2))
        start, end = near[:-1, 1:-1, 1:-1], near[1:, 1:-1, 1:-1]
        square = [cells[:, :-1, :-1], cells[:, 1:, :-1], cells[:, 1:, 1:], cells[:, :-1, 1:]]
        for crossing, order in ((start & ~end, (0, 1, 2, 3)), (~start & end, (3, 2, 1, 0))):
            a, b, c, d = (square[k][crossing] for k in order)
            found += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    return np.concatenate(found)


def _slopes(field: Field, points: Array, step: float) -> Array:
    shifts = step * np.eye(3)
    ahead = np.stack([field(points + shift) - field(points - shift) for shift in shifts], axis=1)
    return np.asarray(ahead / (2 * step))


# -- outlines ---------------------------------------------------------------------------------


def turned_surface(
    outline: Sequence[tuple[float, float]],
    *,
    foot: Array,
    axis: Array,
    around: int = STRIPS_AROUND_AXIS,
) -> Surface:
    """Return the surface of revolution of an outline of (radius, height), with sharp edges.

    The outline goes upwards on the outside, so that normals point outwards.
    """
    points = np.array(outline, dtype=float)
    steps = np.diff(points, axis=0)
    flat = np.stack([steps[:, 1], -steps[:, 0]], axis=1)
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    r = np.stack([points[:-1, 0], points[1:, 0]], axis=1).ravel()
    z = np.stack([points[:-1, 1], points[1:, 1]], axis=1).ravel()
    out = np.repeat(flat, 2, axis=0)
    angle = np.linspace(0.0, 2 * np.pi, around + 1)[:, None]
    side, other = _across(axis)
    ring = np.cos(angle)[..., None] * side + np.sin(angle)[..., None] * other
    vertices = foot + ring * r[:, None] + z[:, None] * axis
    normals = ring * out[:, :1] + out[:, 1:] * axis
    first = np.arange((around + 1) * len(r)).reshape(around + 1, len(r))
    a, b, c, d = first[:-1, :-1:2], first[1:, :-1:2], first[1:, 1::2], first[:-1, 1::2]
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    return Surface(vertices.reshape(-1, 3), normals.reshape(-1, 3), faces)


def swept_surface(centres: Array, sides: Array, *, section: Array, normals: Array) -> Surface:
    """Return a closed section (k, 2) moved along centres (n, 3), its x along `sides` and y up.

    `normals` (k, 2) are those of the section; both ends are closed.
    """
    up = np.array([0.0, 0.0, 1.0])
    rings = centres[:, None] + section[:, :1] * sides[:, None] + section[:, 1:] * up
    out = normals[:, :1] * sides[:, None] + normals[:, 1:] * up
    n, k = rings.shape[:2]
    first = np.arange(n * k).reshape(n, k)
    a, b = first[:-1], first[1:]
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    faces = np.concatenate([np.stack([a, b, c], -1), np.stack([a, c, d], -1)]).reshape(-1, 3)
    tube = Surface(rings.reshape(-1, 3), out.reshape(-1, 3), faces)
    ends = [_lid(rings[0], centres[0] - centres[1]), _lid(rings[-1], centres[-1] - centres[-2])]
    return joined([tube, *ends])


def _lid(ring: Array, towards: Array) -> Surface:
    """Return a flat end cap."""
    normal = towards / np.linalg.norm(towards)
    k = len(ring)
    after = (np.arange(k) + 1) % k
    faces = np.stack([np.arange(k), after, np.full(k, k)], axis=1)
    middle = ring.mean(axis=0)
    turned = np.cross(ring[0] - middle, ring[1] - middle) @ normal
    vertices = np.concatenate([ring, [middle]])
    return Surface(
        vertices, np.tile(normal, (k + 1, 1)), faces if turned > 0 else faces[:, ::-1].copy()
    )


def _across(axis: Array) -> tuple[Array, Array]:
    """Return two unit vectors that make a right-handed frame with an axis."""
    helper = np.eye(3)[int(np.argmin(abs(axis)))]
    side = np.cross(helper, axis)
    side /= np.linalg.norm(side)
    return side, np.cross(axis, side)
