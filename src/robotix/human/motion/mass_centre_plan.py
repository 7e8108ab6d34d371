"""Plans of the mass centre with which the zero-moment point stays inside the support.

The body is taken as a cart on a table: a displacement d of its mass centre moves the
zero-moment point by d - (h / g) d'', where h is its height above the support. The displacement over
the whole motion is found at once, as a smooth curve of least cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.geometry import Array
from robotix.human.motion.mass_centre_kernels import BAND, keep_in_polygons

__all__ = ["CartTable", "PlanCosts", "displaced", "inset"]

KNOT_SPACING = 0.04  # s between the knots of the displacement
ROUNDS, TOLERANCE = 1500, 3e-4  # of the solution; the last in m


@dataclass(frozen=True, eq=False)
class CartTable:
    """A motion as cart and table, one row per tick."""

    dt: float  # s
    com: Array  # (N, 2), m, of the mass that is displaced
    zmp: Array  # (N, 2), m, of everything
    lag: Array  # (N,), s²: height over gravity plus vertical acceleration
    share: Array  # (N,), mass that is displaced, of all
    polygons: Sequence[Array]  # the supports of the motion, (k, 2) each
    polygon: NDArray[np.int64]  # (N,), which of them; -1 without one


@dataclass(frozen=True)
class PlanCosts:
    """Weights of squares: of displacement (m), acceleration (m/s²), distance of the ZMP (m)."""

    displacement: float = 1e-2
    acceleration: float = 1e-4
    zmp: float = 1e-3
    penalty: float = 1.0  # of the zero-moment point outside, in the course of the solution


def displaced(
    motion: CartTable,
    *,
    margin: float,
    zmp: Array | None = None,
    costs: PlanCosts = PlanCosts(),
) -> tuple[Array, float]:
    """Return the mass centre of the motion displaced, (N, 2), and the excess of its ZMP, m.

    The zero-moment point stays inside its polygons by a margin. With `zmp` (N, 2) it is also near
    that, and the mass centre accelerates little; without, the motion changes as little as possible.
    Both ends of the motion stay as they are.
    """
    count = len(motion.com)
    values, bends, first, size = _basis(count, motion.dt)
    shift = motion.share[:, None] * (values - motion.lag[:, None] * bends)
    rows = np.stack([values, bends, shift])
    offsets = np.zeros((3, count, 2))
    if zmp is not None:
        speed = np.gradient(motion.com, motion.dt, axis=0)
        offsets[1] = np.gradient(speed, motion.dt, axis=0)
        offsets[2] = motion.zmp - zmp
    inner = [inset(polygon, margin) for polygon in motion.polygons]
    start = np.concatenate([[0], np.cumsum([len(each) for each in inner])]).astype(np.int64)
    corners = np.concatenate(inner) if inner else np.zeros((1, 2))
    weights = np.array([costs.displacement, costs.acceleration, costs.zmp])
    x = np.zeros((size, 2))
    excess = keep_in_polygons(
        rows, first, offsets, weights, np.ascontiguousarray(motion.zmp), corners, start,
        motion.polygon, costs.penalty, ROUNDS, TOLERANCE, x,
    )  # fmt: skip
    change = (values[:, :, None] * x[first[:, None] + np.arange(BAND)]).sum(axis=1)
    return motion.com + change, float(excess)


def _basis(count: int, dt: float) -> tuple[Array, Array, NDArray[np.int64], int]:
    """Return values and second derivatives of the B-splines at every row, (N, 4) each.

    Also the first of the four at every row, and the number of all.
    """
    spans = max(round((count - 1) * dt / KNOT_SPACING), 1)
    width = (count - 1) * dt / spans if count > 1 else KNOT_SPACING
    at = np.arange(count) * dt / width
    first = np.clip(np.floor(at).astype(np.int64), 0, spans - 1)
    w = at - first
    values = np.stack(
        [(1 - w) ** 3, 3 * w**3 - 6 * w**2 + 4, -3 * w**3 + 3 * w**2 + 3 * w + 1, w**3], axis=1
    )
    bends = np.stack([1 - w, 3 * w - 2, 1 - 3 * w, w], axis=1)
    return values / 6, bends / width**2, first, spans + BAND - 1


def inset(polygon: Array, margin: float) -> Array:
    """Return the part of a convex polygon (k, 2) that is inside by a margin, m.

    Where there is none, the margin is halved until there is.
    """
    if len(polygon) < 3:
        return polygon
    while margin > 1e-4:
        found = _clipped(polygon, margin)
        if len(found) > 2:
            return found
        margin /= 2
    return polygon


def _clipped(polygon: Array, margin: float) -> Array:
    """Clip a polygon by its own edges moved inwards."""
    found = list(polygon)
    for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        along = (b - a) / np.linalg.norm(b - a)
        inward = np.array([-along[1], along[0]])
        depths = [float((p - a) @ inward) - margin for p in found]
        clipped = []
        for i, (p, depth) in enumerate(zip(found, depths, strict=True)):
            before, other = found[i - 1], depths[i - 1]
            if (depth > 0) != (other > 0):
                clipped.append(before + (p - before) * (other / (other - depth)))
            if depth > 0:
                clipped.append(p)
        found = clipped
    return np.array(found).reshape(-1, 2)
