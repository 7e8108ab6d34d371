"""Compiled: which solids come near each other, and which pairs of groups touch.

Solids are rows as in `robotix.collision.distance_kernels`, and meshes too (kind `MESH`, half sizes
those of the box about them), with which this file only says who is near enough to be looked at.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.collision.distance_kernels import (
    BALL,
    DISK,
    HALF,
    HALFSPACE,
    KIND,
    RESULT_SIZE,
    ROTATION,
    TRANSLATION,
    distance_pair,
    place_shapes,
)
from robotix.geometry.rotation import Array
from robotix.kernels import kernel, part

__all__ = [
    "MESH",
    "TOUCH_TOLERANCE",
    "find_near",
    "find_nearest",
    "find_touching",
    "holds",
    "place_solids",
    "under",
]

MESH = 5.0
TOUCH_TOLERANCE = 1e-9  # m; so that what lies on something touches it in spite of rounding

Index = NDArray[np.int64]


@kernel
def place_solids(
    rows: Array, centres: Array, node_of: Index, scales: Array, world: Array, out: Array, box: Array
) -> bool:
    """Place all solids and the boxes about them; False, at once, if a scale is another now."""
    for k in range(len(rows)):
        if world[node_of[k], 12] != scales[k]:
            return False
    place_shapes(rows, node_of, world, out)
    for k in range(len(rows)):
        row = out[k]
        for i in range(3):
            if row[KIND] == HALFSPACE:
                box[k, i], box[k, 3 + i] = -math.inf, math.inf
                continue
            at = ROTATION + 3 * i
            x, y, z = row[at], row[at + 1], row[at + 2]
            centre = row[TRANSLATION + i]
            centre += x * centres[k, 0] + y * centres[k, 1] + z * centres[k, 2]
            reach = row[HALF] * abs(x) + row[HALF + 1] * abs(y) + row[HALF + 2] * abs(z)
            reach += row[DISK] * math.sqrt(max(1.0 - z * z, 0.0)) + row[BALL] + TOUCH_TOLERANCE
            box[k, i], box[k, 3 + i] = centre - reach, centre + reach
    return True


@kernel
def under(parents: Index, top: int) -> NDArray[np.bool_]:
    """Which nodes are in the branch of the node `top`; parents come first."""
    inside = np.zeros(len(parents), dtype=np.bool_)
    inside[top] = True
    for i in range(top + 1, len(parents)):
        inside[i] = inside[parents[i]]
    return inside


@kernel
def holds(row: Array, point: Array) -> bool:
    """Whether a point of the world is in a solid that is no mesh."""
    local = np.zeros(3)
    for j in range(3):
        for i in range(3):
            local[j] += row[ROTATION + 3 * i + j] * (point[i] - row[TRANSLATION + i])
    if row[KIND] == HALFSPACE:
        return bool(local[2] <= 0.0)
    x, y, z = abs(local[0]), abs(local[1]), abs(local[2])
    if row[DISK] > 0.0:
        return bool(x * x + y * y <= row[DISK] ** 2 and z <= row[HALF + 2])
    dx, dy, dz = x - row[HALF], y - row[HALF + 1], z - row[HALF + 2]
    away = max(dx, 0.0) ** 2 + max(dy, 0.0) ** 2 + max(dz, 0.0) ** 2
    return bool(away <= row[BALL] ** 2)


@part
def _meet(a: Array, b: Array) -> bool:
    for i in range(3):
        if a[i] > b[3 + i] or b[i] > a[3 + i]:
            return False
    return True


@part
def _gap(a: Array, b: Array) -> float:
    """Least distance between what two boxes hold."""
    total = 0.0
    for i in range(3):
        away = max(a[i] - b[3 + i], b[i] - a[3 + i], 0.0)
        total += away * away
    return math.sqrt(total)


@part
def _mounted(mount: Index, node_of: Index, i: int, j: int, named: Index) -> bool:
    """Whether one stands on the other, and is not asked for by name."""
    a, b = node_of[i], node_of[j]
    if mount[i] != b and mount[j] != a:
        return False
    return not ((a == named[0] and b == named[1]) or (a == named[1] and b == named[0]))


@part
def _hull(boxes: Array, members: Index, low: int, high: int, hull: Array) -> None:
    hull[:3], hull[3:] = math.inf, -math.inf
    for k in range(low, high):
        for i in range(3):
            hull[i] = min(hull[i], boxes[members[k], i])
            hull[3 + i] = max(hull[3 + i], boxes[members[k], 3 + i])


@kernel
def find_touching(
    placed: Array,
    boxes: Array,
    node_of: Index,
    mount: Index,
    members: Index,
    spans: Index,
    named: Index,
    touching: NDArray[np.bool_],
    left: Index,
) -> int:
    """Tell for every pair of groups whether primitive solids of it touch.

    Pair `p` has the solids `members[spans[p, 0]:spans[p, 1]]` and those up to `spans[p, 2]`. Rows
    `(p, i, j)` of `left` take what is near and needs a mesh; returned is how many there are, which
    may be more than there was room for.
    """
    hull, out = np.empty(6), np.empty(RESULT_SIZE)
    count = 0
    for p in range(len(spans)):
        touching[p] = False
        start, middle, end = spans[p, 0], spans[p, 1], spans[p, 2]
        _hull(boxes, members, start, middle, hull)
        for m in range(middle, end):
            j = members[m]
            if touching[p] or not _meet(hull, boxes[j]):
                continue
            for k in range(start, middle):
                i = members[k]
                if not _meet(boxes[i], boxes[j]) or _mounted(mount, node_of, i, j, named[p]):
                    continue
                if placed[i, KIND] == MESH or placed[j, KIND] == MESH:
                    if count < len(left):
                        left[count, 0], left[count, 1], left[count, 2] = p, i, j
                    count += 1
                elif distance_pair(placed[i], placed[j], out) <= TOUCH_TOLERANCE:
                    touching[p] = True
                    break
    return count


@kernel
def find_near(
    boxes: Array, node_of: Index, mount: Index, owner: Index, chosen: Index, left: Index
) -> int:
    """Write all pairs of chosen solids whose boxes meet and that may collide into `left`."""
    count, nobody = 0, np.full(2, -1)
    for k in range(len(chosen)):
        i = chosen[k]
        for m in range(k + 1, len(chosen)):
            j = chosen[m]
            if owner[i] == owner[j] or not _meet(boxes[i], boxes[j]):
                continue
            if _mounted(mount, node_of, i, j, nobody):
                continue
            if count < len(left):
                left[count, 0], left[count, 1] = i, j
            count += 1
    return count


@kernel
def find_nearest(
    placed: Array,
    boxes: Array,
    node_of: Index,
    mount: Index,
    first: Index,
    second: Index,
    named: Index,
    out: Array,
    gaps: Array,
) -> float:
    """Signed distance between two groups of solids, their nearest points into `out`.

    `gaps` (len(first), len(second)) takes, for pairs with a mesh, how far apart they are at least,
    and infinity for all others, since they are done.
    """
    trial = np.empty(RESULT_SIZE)
    best = math.inf
    gaps[:] = math.inf
    for k in range(len(first)):
        for m in range(len(second)):
            i, j = first[k], second[m]
            if _mounted(mount, node_of, i, j, named):
                continue
            gap = _gap(boxes[i], boxes[j])
            if placed[i, KIND] == MESH or placed[j, KIND] == MESH:
                gaps[k, m] = gap
            elif gap < best or gap == 0.0:
                if distance_pair(placed[i], placed[j], trial) < best:
                    best = trial[0]
                    out[:] = trial
    return best
