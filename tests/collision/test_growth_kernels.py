"""Trees of boxes hold every triangle once, in boxes that enclose it, whatever the mesh is like."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from robotix.collision.growth_kernels import grow_tree
from robotix.collision.tree_kernels import STACK_DEPTH
from robotix.geometry import Array

LEAF = 4
Indices = NDArray[np.int64]


def grown(triangles: Array) -> tuple[Indices, Array, Indices]:
    order, count = np.arange(len(triangles), dtype=np.int64), 2 * len(triangles)
    bounds, links = np.empty((count, 6)), np.empty((count, 2), dtype=np.int64)
    used = grow_tree(triangles, order, bounds, links, LEAF)
    return order, bounds[:used], links[:used]


def depth_of(links: Indices) -> int:
    deepest, todo = 0, [(0, 1)]
    while todo:
        k, depth = todo.pop()
        deepest = max(deepest, depth)
        if links[k, 1] == 0:
            todo += [(int(links[k, 0]), depth + 1), (int(links[k, 0]) + 1, depth + 1)]
    return deepest


def random_mesh(rng: np.random.Generator, count: int, size: float) -> Array:
    middles = rng.normal(size=(count, 1, 3))
    return np.asarray((middles + size * rng.normal(size=(count, 3, 3))).reshape(-1, 9))


MESHES = {
    "one": np.arange(9.0).reshape(1, 9),
    "scattered": random_mesh(np.random.default_rng(1), 3000, 0.02),
    "large and small": np.concatenate(
        [
            random_mesh(np.random.default_rng(2), 500, 0.01),
            random_mesh(np.random.default_rng(3), 9, 2),
        ]
    ),
    "all the same": np.tile(np.arange(9.0), (100, 1)),
    "in a row, ever smaller": np.cumprod(np.full((300, 1), 0.9), axis=0) * np.arange(9.0),
    "huge": 1e300 * random_mesh(np.random.default_rng(4), 50, 0.1),
}  # fmt: skip


@pytest.mark.parametrize("triangles", MESHES.values(), ids=MESHES)
def test_boxes_hold_their_triangles(triangles: Array) -> None:
    order, bounds, links = grown(triangles)
    assert sorted(order.tolist()) == list(range(len(triangles)))
    held = np.zeros(len(triangles), dtype=int)
    for box, (first, count) in zip(bounds, links, strict=True):
        if count:
            assert count <= LEAF
            held[first : first + count] += 1
            corners = triangles[order[first : first + count]].reshape(-1, 3)
            np.testing.assert_array_equal(box, [*corners.min(axis=0), *corners.max(axis=0)])
        else:
            inner = bounds[first : first + 2]
            np.testing.assert_array_equal(box[:3], inner[:, :3].min(axis=0))
            np.testing.assert_array_equal(box[3:], inner[:, 3:].max(axis=0))
    assert (held == 1).all()
    assert depth_of(links) <= 80 and 2 * 80 + 2 < STACK_DEPTH


def test_what_is_not_a_number_harms_nothing_but_itself() -> None:
    triangles = random_mesh(np.random.default_rng(5), 200, 0.1)
    triangles[::7] = math.nan
    order, _, links = grown(triangles)
    assert sorted(order.tolist()) == list(range(200))
    assert links[links[:, 1] > 0, 1].sum() == 200


def test_the_legs_of_a_stool_do_not_share_boxes() -> None:
    legs = [(x, y) for x in (0.0, 1.0) for y in (0.0, 1.0)]
    sides = [
        [x, y, 0, x + 0.1, y, 0, x, y, 1] for x, y in legs
    ] + [[x + 0.1, y, 0, x + 0.1, y, 1, x, y, 1] for x, y in legs]  # fmt: skip
    _, bounds, links = grown(np.array(sides, dtype=float))
    leaves = bounds[links[:, 1] > 0]
    assert len(leaves) == 4
    np.testing.assert_allclose(leaves[:, 3] - leaves[:, 0], 0.1)
