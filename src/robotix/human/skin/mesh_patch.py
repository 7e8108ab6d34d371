"""A piece of a triangle mesh with values at its vertices: clipping, subdivision, offset."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.skin.body_template import Faces

__all__ = ["MeshPatch", "join_patches"]


@dataclass(frozen=True, eq=False)
class MeshPatch:
    """Triangles with any number of values per vertex; the first three are its position.

    Interpolation applies to all values, so that new vertices have weights, too.
    """

    values: Array  # (n, k)
    faces: Faces  # (m, 3)

    @property
    def positions(self) -> Array:
        """Positions of the vertices, (n, 3), m."""
        return self.values[:, :3]

    def only(self, faces: Faces) -> MeshPatch:
        """Return some of the triangles with the vertices they need."""
        rows, renamed = np.unique(faces, return_inverse=True)
        return MeshPatch(self.values[rows], renamed.reshape(-1, 3))

    @cached_property
    def _edges(self) -> tuple[Faces, Faces]:
        """Edges (e, 2), lower vertex first, and which of them the sides of the faces are, (3, m).

        Side k of a face goes from its corner k to the next.
        """
        sides = np.concatenate([self.faces[:, [k, (k + 1) % 3]] for k in range(3)])
        count = len(self.values)
        keys = sides.min(axis=1) * count + sides.max(axis=1)
        unique, which = np.unique(keys, return_inverse=True)
        return np.stack([unique // count, unique % count], axis=1), which.reshape(3, -1)

    # -- cutting ----------------------------------------------------------------------------

    def clipped(self, field: Array) -> MeshPatch:
        """Return the part where a field at the vertices is positive, clipped at zero."""
        inside = field > 0
        start, end = self._edges[0].T
        cut = np.flatnonzero(inside[start] != inside[end])
        a, b = start[cut], end[cut]
        fraction = (field[a] / (field[a] - field[b]))[:, None]
        fresh = self.values[a] + fraction * (self.values[b] - self.values[a])
        on_edge = np.full(len(start), -1)
        on_edge[cut] = len(self.values) + np.arange(len(cut))
        count = inside[self.faces].sum(axis=1)
        one, two = count == 1, count == 2
        tip, left, right = self._turned(one, inside)[0], *self._crossings(one, inside, on_edge)
        _, b, c = self._turned(two, ~inside)
        near, far = self._crossings(two, ~inside, on_edge)
        faces = [
            self.faces[count == 3],
            np.stack([tip, left, right], axis=1),
            np.stack([near, b, c], axis=1),
            np.stack([near, c, far], axis=1),
        ]
        whole = MeshPatch(np.concatenate([self.values, fresh]), self.faces)
        return whole.only(np.concatenate(faces))

    def _odd(self, chosen: NDArray[np.bool_], odd: NDArray[np.bool_]) -> tuple[Faces, Faces]:
        """Return the rows of faces with one corner on the other side, and which corner that is."""
        rows = np.flatnonzero(chosen)
        return rows, odd[self.faces[rows]].argmax(axis=1)

    def _turned(self, chosen: NDArray[np.bool_], odd: NDArray[np.bool_]) -> list[Faces]:
        """Return the corners of faces, rotated to begin with the odd one."""
        rows, first = self._odd(chosen, odd)
        return [self.faces[rows, (first + k) % 3] for k in range(3)]

    def _crossings(
        self, chosen: NDArray[np.bool_], odd: NDArray[np.bool_], on_edge: Faces
    ) -> tuple[Faces, Faces]:
        """Return the new vertices on the sides after and before the odd corner."""
        rows, first = self._odd(chosen, odd)
        sides = self._edges[1]
        return on_edge[sides[first, rows]], on_edge[sides[(first + 2) % 3, rows]]

    # -- rounding ---------------------------------------------------------------------------

    def subdivided(self) -> MeshPatch:
        """Return one step of Loop subdivision [Loop1987]: four triangles for each."""
        pairs, sides = self._edges
        uses = np.bincount(sides.ravel(), minlength=len(pairs))
        ends = self.values[pairs[:, 0]] + self.values[pairs[:, 1]]
        opposite = np.concatenate([self.faces[:, (k + 2) % 3] for k in range(3)])
        beside = _sums(sides.ravel(), self.values[opposite], len(pairs))
        rim = uses == 1
        middles = np.where(rim[:, None], ends / 2, 3 / 8 * ends + beside / 8)
        ab, bc, ca = len(self.values) + sides
        a, b, c = self.faces.T
        quarters = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        return MeshPatch(
            np.concatenate([self._rounded(pairs, rim), middles]),
            np.concatenate([np.stack(corners, axis=1) for corners in quarters]),
        )

    def _rounded(self, pairs: Faces, rim: NDArray[np.bool_]) -> Array:
        """Return old vertices moved towards their neighbours; those on the rim only along it."""
        around, degree = self._neighbours(pairs)
        along, _ = self._neighbours(pairs[rim])
        fraction = np.where(degree == 3, 3 / 16, 3 / (8 * np.maximum(degree, 1)))[:, None]
        smooth = (1 - degree[:, None] * fraction) * self.values + fraction * around
        on_rim = np.zeros(len(self.values), dtype=bool)
        on_rim[pairs[rim]] = True
        return np.where(on_rim[:, None], 3 / 4 * self.values + along / 8, smooth)

    def _neighbours(self, pairs: Faces) -> tuple[Array, NDArray[np.intp]]:
        """Return the sum over neighbours, and how many there are."""
        here, there = np.concatenate([pairs, pairs[:, ::-1]]).T
        count = len(self.values)
        return _sums(here, self.values[there], count), np.bincount(here, minlength=count)

    def smoothed(self, fraction: Array, *, times: int) -> MeshPatch:
        """Return Laplacian smoothing: vertices move towards the mean of their neighbours."""
        pairs, patch = self._edges[0], self
        for _ in range(times):
            total, degree = patch._neighbours(pairs)
            values = patch.values.copy()
            middle = total[:, :3] / np.maximum(degree, 1)[:, None]
            values[:, :3] += fraction[:, None] * (middle - values[:, :3])
            patch = replace(patch, values=values)
        return patch

    def offset(self, height: Array | float) -> MeshPatch:
        """Return the patch offset along its normals, by one height or one per vertex, m."""
        a, b, c = (self.positions[self.faces[:, k]] for k in range(3))
        flat = np.repeat(np.cross(b - a, c - a), 3, axis=0)
        normals = _sums(self.faces.ravel(), flat, len(self.values))
        normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-12)[:, None]
        values = self.values.copy()
        values[:, :3] += np.reshape(height, (-1, 1)) * normals
        return replace(self, values=values)


def join_patches(first: MeshPatch, second: MeshPatch) -> MeshPatch:
    """Return the union of two patches."""
    return MeshPatch(
        np.concatenate([first.values, second.values]),
        np.concatenate([first.faces, second.faces + len(first.values)]),
    )


def _sums(rows: Faces, values: Array, count: int) -> Array:
    """Return sums of values by row, (count, k)."""
    return np.stack([np.bincount(rows, column, minlength=count) for column in values.T], axis=1)
