"""Distances between solids of any kind, meshes included.

Meshes are measured triangle by triangle, so concave ones are what they look like. Distances are
signed where that is exact: between primitive solids, between a mesh and a half-space, and where
only the rounding of a sphere or capsule enters a mesh. Where a mesh and another solid overlap more
deeply, depth and direction are estimates from the centre of one of the two: good enough to part
them, and never smaller than nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance import RESULT_SIZE, ROW_SIZE, distance_pair, pack_shapes, pack_size
from robotix.collision.distance_kernels import (
    BALL,
    DISK,
    HALF,
    HALFSPACE,
    KIND,
    ROTATION,
    SPHERE,
    TRANSLATION,
)
from robotix.collision.mesh_kernels import (
    Hint,
    mesh_to_floor,
    mesh_to_mesh,
    mesh_to_solid,
    no_hint,
)
from robotix.collision.tree_kernels import Tree, is_within
from robotix.geometry import Array, Mesh, Shape
from robotix.meshes.asset import load_mesh
from robotix.meshes.tree import make_sides, make_tree

__all__ = ["MESH", "GeometryCache", "PackedSolids", "is_same_solid", "solid_distance"]

MESH = 5.0  # the kind of a mesh's row
UNIT = 1.0  # scale of trees, which are made to size
NEAR_ZERO = 1e-9  # m


# Trees of meshes and of their sides, by path and scale
GeometryCache: TypeAlias = dict[
    tuple[str, tuple[float, float, float]], tuple[Tree, tuple[Tree, ...]]
]


@dataclass(frozen=True, eq=False)
class PackedSolids:
    """Solids in flat arrays; a mesh has a tree, and half the size of its box in its row."""

    rows: Array  # (n, ROW_SIZE), in the frames that the solids were given in
    middles: Array  # (n, 3), m, centres of the balls around them, in their own frames
    radii: Array  # (n,), m, of those balls; infinite for half-spaces
    trees: tuple[Tree | None, ...]
    sides: tuple[tuple[Tree, ...], ...]  # of meshes, when asked for

    @staticmethod
    def of(
        shapes: Iterable[Shape], *, with_sides: bool = False, cache: GeometryCache | None = None
    ) -> PackedSolids:
        """Pack solids; read the files of meshes, or raise `BadFile`.

        Meshes in the cache are not read again, even if their files have changed.
        """
        solids, cache = list(shapes), {} if cache is None else cache
        rows, middles = np.empty((len(solids), ROW_SIZE)), np.zeros((len(solids), 3))
        trees: list[Tree | None] = []
        sides: list[tuple[Tree, ...]] = []
        for k, shape in enumerate(solids):
            if not isinstance(shape, Mesh):
                rows[k] = pack_shapes([shape])[0]
                trees.append(None)
                sides.append(())
                continue
            tree, faces = _geometry(shape, with_sides, cache)
            rows[k, KIND], rows[k, BALL : HALF + 3] = MESH, 0.0
            rows[k, HALF:ROTATION], middles[k] = _box(tree)
            rows[k, ROTATION:] = *shape.pose.rotation.flat, *shape.pose.translation
            trees.append(tree)
            sides.append(faces)
        return PackedSolids(rows, middles, _radii(rows), tuple(trees), tuple(sides))

    @property
    def is_mesh(self) -> NDArray[np.bool_]:
        """Which of them are meshes, (n,)."""
        return np.array([tree is not None for tree in self.trees], dtype=bool)

    def with_sides(self) -> tuple[PackedSolids, NDArray[np.int64]]:
        """Return the solids, then all sides of meshes, and the solid that each belongs to."""
        owners = [k for k, trees in enumerate(self.sides) for _ in trees]
        trees = [tree for trees in self.sides for tree in trees]
        rows = self.rows[owners]
        boxes = [_box(tree) for tree in trees]
        rows[:, HALF:ROTATION] = np.array([half for half, _ in boxes]).reshape(-1, 3)
        middles = np.array([middle for _, middle in boxes]).reshape(-1, 3)
        joined = PackedSolids(
            np.concatenate([self.rows, rows]), np.concatenate([self.middles, middles]),
            np.concatenate([self.radii, _radii(rows)]), (*self.trees, *trees),
            ((),) * (len(self.rows) + len(rows)),
        )  # fmt: skip
        return joined, np.array([*range(len(self.rows)), *owners], dtype=np.int64)

    def centres(self, placed: Array) -> Array:
        """Return the centres of the balls around placed solids, (n, 3)."""
        turned = np.einsum(
            "nij,nj->ni", placed[:, ROTATION:TRANSLATION].reshape(-1, 3, 3), self.middles
        )
        return np.asarray(placed[:, TRANSLATION:] + turned)

    def centre(self, index: int, row: Array) -> Array:
        """Return the centre of the ball around one placed solid, (3,)."""
        R = row[ROTATION:TRANSLATION].reshape(3, 3)
        return np.asarray(row[TRANSLATION:] + R @ self.middles[index])


def _geometry(mesh: Mesh, with_sides: bool, cache: GeometryCache) -> tuple[Tree, tuple[Tree, ...]]:
    key = mesh.path, mesh.scale
    if key not in cache:
        asset = load_mesh(mesh.path)
        sides = make_sides(asset, mesh.scale) if with_sides else ()
        cache[key] = make_tree(asset, mesh.scale), sides
    return cache[key]


def _box(tree: Tree) -> tuple[Array, Array]:
    """Return half the size of the box about a mesh, and its middle."""
    low, high = tree.bounds[0, :3], tree.bounds[0, 3:]
    return (high - low) / 2, (high + low) / 2


def _radii(rows: Array) -> Array:
    """Return the radii of balls around solids, infinite for half-spaces."""
    radii = np.linalg.norm(rows[:, HALF:ROTATION], axis=1) + rows[:, BALL]
    radii = np.where(rows[:, DISK] > 0, np.hypot(radii, rows[:, DISK]), radii)
    radii[rows[:, KIND] == HALFSPACE] = math.inf
    return np.asarray(radii)


def is_same_solid(a: Shape, b: Shape) -> bool:
    """Return whether two solids are the same but for their poses."""
    if isinstance(a, Mesh) or isinstance(b, Mesh):
        return type(a) is type(b) and (a.path, a.scale) == (b.path, b.scale)  # type: ignore[union-attr]
    return pack_size(a) == pack_size(b)


def solid_distance(
    a: PackedSolids, i: int, row_a: Array, b: PackedSolids, k: int, row_b: Array, *,
    limit: float, out: Array, hint: Hint | None = None,
) -> float:  # fmt: skip
    """Return the distance between solid `i` of `a` and solid `k` of `b`, at their placed rows.

    It is infinite beyond `limit`. `out` (RESULT_SIZE) takes the distance, the nearest points on
    both and the normal from the second to the first, as by `distance_pair`. A `hint`, kept by the
    caller for this pair, makes the next call faster.
    """
    tree_a, tree_b = a.trees[i], b.trees[k]
    limits, hint = np.array([limit, 0.0]), no_hint() if hint is None else hint
    if tree_a is None and tree_b is None:
        return distance_pair(row_a, row_b, out)
    if tree_a is None:
        distance = solid_distance(b, k, row_b, a, i, row_a, limit=limit, out=out, hint=hint)
        _swap(out)
        return distance
    if tree_b is not None and a.radii[i] < b.radii[k]:  # fast in the frame of the larger one
        distance = mesh_to_mesh(tree_b, row_b, UNIT, tree_a, row_a, UNIT, limits, hint, out)
        _swap(out)
    elif tree_b is not None:
        distance = mesh_to_mesh(tree_a, row_a, UNIT, tree_b, row_b, UNIT, limits, hint, out)
    elif row_b[KIND] == HALFSPACE:
        return mesh_to_floor(tree_a, row_a, UNIT, row_b, out)
    else:
        distance = _to_rounded(tree_a, row_a, row_b, limit, hint, out)
    if distance == 0.0:  # measured from the smaller one
        if tree_b is not None and a.radii[i] < b.radii[k]:
            distance = _depth(tree_b, row_b, a.centre(i, row_a), row_a, out)
            _swap(out)
        else:
            distance = _depth(tree_a, row_a, b.centre(k, row_b), row_b, out)
    return float(distance)


def _swap(out: Array) -> None:
    out[1:7] = [*out[4:7], *out[1:4]]
    out[7:] = -out[7:]


def _to_rounded(
    tree: Tree, row: Array, solid: Array, limit: float, hint: Hint, out: Array
) -> float:
    """Distance between a mesh and a solid, negative while only the solid's rounding is inside."""
    core, ball = solid.copy(), float(solid[BALL])
    core[BALL] = 0.0
    apart = mesh_to_solid(tree, row, UNIT, core, np.array([limit + ball, 0.0]), hint, out)
    if not 0.0 < apart < math.inf:
        return float(apart)
    out[0] = apart - ball
    out[4:7] += ball * out[7:10]
    return float(out[0])


def _depth(tree: Tree, row: Array, centre: Array, solid: Array, out: Array) -> float:
    """Estimate how deep a mesh and a solid overlap, from the solid's centre."""
    probe = np.zeros(ROW_SIZE)
    probe[KIND], probe[ROTATION:TRANSLATION] = SPHERE, np.eye(3).ravel()
    probe[TRANSLATION:] = centre
    surface = tree._replace(solid=False)
    found = np.empty(RESULT_SIZE)
    mesh_to_solid(surface, row, UNIT, probe, np.array([math.inf, 0.0]), no_hint(), found)
    point = found[1:4].copy()
    way = centre - point
    length = float(np.linalg.norm(way))
    is_inside = tree.solid and is_within(tree, row, UNIT, centre)
    # The mesh moves along the normal: away from a centre outside, past one inside.
    normal = (way if is_inside else -way) / length if length > NEAR_ZERO else np.array([0, 0, 1.0])
    half = _extent(solid, normal)
    depth = max(half + length if is_inside else half - length, NEAR_ZERO)
    out[0], out[1:4], out[4:7], out[7:10] = -depth, point, point + depth * normal, normal
    return -depth


def _extent(row: Array, direction: Array) -> float:
    """Return how far a solid reaches from its centre in a direction, at most."""
    turned = np.abs(row[ROTATION:TRANSLATION].reshape(3, 3).T @ direction)
    return float(turned @ row[HALF:ROTATION] + row[BALL] + row[DISK])
