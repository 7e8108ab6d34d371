"""Distribution of a moment over the muscles of a cross-section of the trunk.

Muscles with intensities from 0 to 1 produce the moments of a zonotope, the sum of one segment per
muscle. The least highest intensity for a moment is therefore the factor by which the zonotope must
grow to contain it: the maximum over its facets. On that facet all muscles but those parallel to it
are fully active or passive; the rest is a linear programme of two equations, solved over its
vertices. These functions run as they are, and compiled for many moments (`trunk_kernels`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array

__all__ = ["FREE", "share_moments", "spread_on_facet", "vertex"]

FREE = 2.0  # state of a muscle whose moment is parallel to a facet; 0 is passive, 1 fully active
SLACK = 1e-6  # intensities may leave [0, 1] by rounding


def share_moments(
    moments: Array,
    generators: Array,
    normals: Array,
    extents: Array,
    states: Array,
    cost: Array,
    intensities: Array,
) -> None:
    """Write the intensities of all muscles, (N, n), Pa, for moments (N, 3), N m.

    `generators` (n, 3) are the moments of the muscles per intensity, m³; `normals` (m, 3) and
    `extents` (m,) the facets of their zonotope; `states` (m, n) the muscles on each facet; `cost`
    (n,) is minimised among solutions of equal highest intensity.
    """
    count = len(generators)
    active = np.zeros(count)
    rest = np.zeros(3)
    for row in range(len(moments)):
        highest, facet = 0.0, -1
        for k in range(len(normals)):
            reached = 0.0
            for d in range(3):
                reached += normals[k, d] * moments[row, d]
            reached /= extents[k]
            if reached > highest:
                highest, facet = reached, k
        intensities[row] = 0.0
        if facet < 0:
            continue
        for d in range(3):
            rest[d] = moments[row, d] / highest
        spread_on_facet(rest, generators, states[facet], cost, active)
        for i in range(count):
            intensities[row, i] = highest * active[i]


def spread_on_facet(
    rest: Array, generators: Array, states: Array, cost: Array, active: Array
) -> None:
    """Write the cheapest intensities in [0, 1] that produce a moment on a facet."""
    count = len(generators)
    free = np.zeros(count, np.int64)
    n_free = 0
    for i in range(count):
        active[i] = 1.0 if states[i] == 1.0 else 0.0
        if states[i] == FREE:
            free[n_free] = i
            n_free += 1
        elif states[i] == 1.0:
            for d in range(3):
                rest[d] -= generators[i, d]
    best = np.inf
    chosen = (0, 0, 0, 0.0, 0.0)
    for a in range(n_free):
        for b in range(a + 1, n_free):
            for pattern in range(1 << (n_free - 2)):
                x, y, price = vertex(
                    rest, generators, cost, free[:n_free], (free[a], free[b]), pattern
                )
                if price < best:
                    best = price
                    chosen = (a, b, pattern, x, y)
    a, b, pattern, x, y = chosen
    bit = 0
    for k in range(n_free):
        if k not in (a, b):
            active[free[k]] = 1.0 if pattern >> bit & 1 else 0.0
            bit += 1
    active[free[a]], active[free[b]] = min(max(x, 0.0), 1.0), min(max(y, 0.0), 1.0)


def vertex(
    rest: Array,
    generators: Array,
    cost: Array,
    free: NDArray[np.int64],
    basis: tuple[int, int],
    pattern: int,
) -> tuple[float, float, float]:
    """Return the intensities of two muscles and the cost; infinite if the vertex is infeasible.

    The other free muscles are passive or fully active as the bits of `pattern` say.
    """
    first, second = basis
    wanted = rest.copy()
    price = 0.0
    bit = 0
    for i in free:
        if i not in (first, second):
            if pattern >> bit & 1:
                price += cost[i]
                for d in range(3):
                    wanted[d] -= generators[i, d]
            bit += 1
    aa = ab = bb = wa = wb = 0.0
    for d in range(3):
        u, v = generators[first, d], generators[second, d]
        aa, ab, bb = aa + u * u, ab + u * v, bb + v * v
        wa, wb = wa + u * wanted[d], wb + v * wanted[d]
    det = aa * bb - ab * ab
    if det <= 1e-12 * aa * bb:
        return 0.0, 0.0, np.inf
    x, y = (wa * bb - wb * ab) / det, (wb * aa - wa * ab) / det
    if min(x, y) < -SLACK or max(x, y) > 1 + SLACK:
        return x, y, np.inf
    return x, y, price + x * cost[first] + y * cost[second]
