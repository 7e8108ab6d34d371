"""Compiled: trees of boxes about the triangles of a mesh are built; pieces of a mesh are found.

Boxes are cut by the surface area heuristic, which computer graphics uses for rays: a search meets a
box about as often as its surface is large.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from robotix.geometry.rotation import Array
from robotix.kernels import kernel, part

__all__ = ["find_pieces", "grow_tree"]

BINS = 16  # in which cuts of a box are looked for
MARGIN = 0.02  # of the size of a mesh: how near searches come to its boxes, about
BOX_COST = 0.5  # of opening a box, in triangles
MAX_CUT_DEPTH = 60  # below which boxes are halved, so that a tree has at most 80 levels


@part
def _select(order: NDArray[np.int64], keys: Array, low: int, high: int, middle: int) -> None:
    """Reorder so that no key before `middle` is larger than any after it [Hoare1961]."""
    while low < high:
        pivot = keys[order[(low + high) // 2]]
        i, j = low, high
        while i <= j:
            while keys[order[i]] < pivot:
                i += 1
            while keys[order[j]] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@part
def _enclose(triangles: Array, order: NDArray[np.int64], low: int, high: int, box: Array) -> None:
    box[:3], box[3:] = math.inf, -math.inf
    for k in range(low, high):
        for i in range(9):
            value = triangles[order[k], i]
            box[i % 3] = min(box[i % 3], value)
            box[3 + i % 3] = max(box[3 + i % 3], value)


@part
def _area(box: Array, margin: float) -> float:
    """Half the surface of a box that is enlarged by a margin: how often a search meets it."""
    x, y, z = box[3] - box[0] + margin, box[4] - box[1] + margin, box[5] - box[2] + margin
    return float(x * y + y * z + z * x)


@part
def _widen(box: Array, other: Array) -> None:
    for i in range(3):
        box[i] = min(box[i], other[i])
        box[3 + i] = max(box[3 + i], other[3 + i])


@part
def _fill_bins(
    spans: Array, order: NDArray[np.int64], low: int, high: int, axis: int,
    edges: tuple[float, float], bins: Array, counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Enclose what falls between the edges, in bins of equal width by the middles of triangles."""
    bins[:, :3], bins[:, 3:] = math.inf, -math.inf
    counts[:] = 0
    for k in range(low, high):
        t = order[k]
        which = _bin_of(spans[t], axis, edges)
        _widen(bins[which], spans[t])
        counts[which] += 1


@part
def _bin_of(span: Array, axis: int, edges: tuple[float, float]) -> int:
    share = (0.5 * (span[axis] + span[axis + 3]) - edges[0]) / (edges[1] - edges[0])
    return max(0, min(int(share * BINS), BINS - 1))  # also where the share is not a number


@part
def _edges(
    spans: Array, order: NDArray[np.int64], low: int, high: int, axis: int
) -> tuple[float, float]:
    """Lowest and highest middle of triangles along an axis."""
    least, most = math.inf, -math.inf
    for k in range(low, high):
        middle = 0.5 * (spans[order[k], axis] + spans[order[k], axis + 3])
        least, most = min(least, middle), max(most, middle)
    return least, most


@part
def _find_cut(
    spans: Array, order: NDArray[np.int64], low: int, high: int, margin: float, bins: Array,
    counts: NDArray[np.int64],
) -> tuple[float, int, int]:  # fmt: skip
    """Cost, axis and bin of the cut into two boxes that searches meet least.

    The cost is the number of triangles times the surface of their box, of both together.
    """
    best = (math.inf, 0, 0)
    after, grown = np.empty(BINS), np.empty(6)
    for axis in range(3):
        edges = _edges(spans, order, low, high, axis)
        if not edges[1] > edges[0]:
            continue
        _fill_bins(spans, order, low, high, axis, edges, bins, counts)
        grown[:3], grown[3:], total = math.inf, -math.inf, 0
        for k in range(BINS - 1, 0, -1):
            _widen(grown, bins[k])
            total += counts[k]
            after[k] = total * _area(grown, margin) if total else math.inf
        grown[:3], grown[3:], total = math.inf, -math.inf, 0
        for k in range(1, BINS):
            _widen(grown, bins[k - 1])
            total += counts[k - 1]
            cost = total * _area(grown, margin) + after[k] if total else math.inf
            if cost < best[0]:
                best = (cost, axis, k)
    return best


@part
def _cut(spans: Array, order: NDArray[np.int64], low: int, high: int, axis: int, at: int) -> int:
    """Reorder so that what falls into bins before `at` comes first; return how many do."""
    edges = _edges(spans, order, low, high, axis)
    middle = low
    for k in range(low, high):
        t = order[k]
        if _bin_of(spans[t], axis, edges) < at:
            order[k], order[middle] = order[middle], t
            middle += 1
    return middle


@part
def _halve(
    spans: Array, order: NDArray[np.int64], low: int, high: int, keys: Array, box: Array
) -> int:
    """Reorder into two halves along the longest axis; return where the second one begins."""
    axis = int(np.argmax(box[3:] - box[:3]))
    for k in range(low, high):
        keys[order[k]] = spans[order[k], axis] + spans[order[k], axis + 3]
    middle = (low + high) // 2
    _select(order, keys, low, high - 1, middle)
    return middle


@kernel
def grow_tree(
    triangles: Array, order: NDArray[np.int64], bounds: Array, links: NDArray[np.int64], leaf: int
) -> int:
    """Sort `order` into leaves of at most `leaf` triangles; return how many boxes there are.

    Triangles that fill their box together share a leaf; large ones apart get boxes of their own.
    """
    spans, keys = np.empty((len(order), 6)), np.empty(len(order))
    for t in range(len(order)):
        _enclose(triangles, order, t, t + 1, spans[order[t]])
    jobs = np.empty((len(links), 3), dtype=np.int64)  # first, last, depth
    jobs[0, 0], jobs[0, 1], jobs[0, 2] = 0, len(order), 0
    bins, counts = np.empty((BINS, 6)), np.empty(BINS, dtype=np.int64)
    count, at, margin = 1, 0, 0.0
    while at < count:
        low, high, depth = jobs[at, 0], jobs[at, 1], jobs[at, 2]
        box = bounds[at]
        _enclose(triangles, order, low, high, box)
        if at == 0:
            margin = MARGIN * max(box[3] - box[0], box[4] - box[1], box[5] - box[2])
        cost, axis, where = math.inf, 0, 0
        if high - low > 1 and depth < MAX_CUT_DEPTH:
            cost, axis, where = _find_cut(spans, order, low, high, margin, bins, counts)
        whole = (high - low - BOX_COST) * _area(box, margin)
        if high - low <= leaf and not cost < whole:
            links[at, 0], links[at, 1] = low, high - low
        else:
            middle = low
            if cost < math.inf:
                middle = _cut(spans, order, low, high, axis, where)
            if not low < middle < high:
                middle = _halve(spans, order, low, high, keys, box)
            links[at, 0], links[at, 1] = count, 0
            jobs[count, 0], jobs[count, 1], jobs[count, 2] = low, middle, depth + 1
            jobs[count + 1, 0], jobs[count + 1, 1], jobs[count + 1, 2] = middle, high, depth + 1
            count += 2
        at += 1
    return count


@kernel
def find_pieces(faces: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """Return, for each of `count` vertices, the lowest one that hangs together with it."""
    above = np.arange(count)
    for k in range(len(faces)):
        for i in range(2):
            a, b = faces[k, 0], faces[k, 1 + i]
            while above[a] != a:
                above[a] = above[above[a]]
                a = above[a]
            while above[b] != b:
                above[b] = above[above[b]]
                b = above[b]
            above[max(a, b)] = min(a, b)
    for k in range(count):  # the lowest come first, so each finds its own in one step
        above[k] = above[above[k]]
    return above
