"""The support polygon: the convex hull of the contacts, seen from above."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array

__all__ = ["level_support", "support_margins", "support_polygon"]


def support_polygon(points: ArrayLike) -> Array:
    """Return the corners of the hull of points (n, 2 or 3), counter-clockwise from above, (k, 2).

    Fewer than three corners remain when all points lie on a line.
    """
    rounded = np.round(np.asarray(points, dtype=float)[:, :2], 9)  # merges duplicates
    plan = np.unique(rounded, axis=0)  # sorted by x, then y
    if len(plan) < 3:
        return plan
    lower, upper = _half_hull(plan), _half_hull(plan[::-1])
    return np.array(lower[:-1] + upper[:-1])


def _half_hull(plan: Array) -> list[Array]:
    """Return one side of the hull, always turning left (monotone chain, [Andrew1979])."""
    hull: list[Array] = []
    for point in plan:
        while len(hull) > 1 and _orientation(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    return hull


def _orientation(a: Array, b: Array, c: Array) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def support_margins(polygon: Array, points: ArrayLike) -> Array:
    """Return the signed distance of points (n, 2 or 3) inside a polygon, m; negative outside, (n,).

    Inside, it is the distance to the nearest edge; outside, to the line of the edge that is crossed
    most.
    """
    plan = np.asarray(points, dtype=float)[:, :2]
    if len(polygon) < 3:
        gaps = np.linalg.norm(plan[:, None] - polygon[None], axis=2)
        return np.asarray(-gaps.min(axis=1, initial=np.inf))
    along = np.roll(polygon, -1, axis=0) - polygon
    inward = np.column_stack([-along[:, 1], along[:, 0]])
    inward /= np.linalg.norm(along, axis=1)[:, None]
    return np.asarray(((plan[:, None] - polygon) * inward).sum(axis=2).min(axis=1))


def level_support(points: Array, com: ArrayLike) -> tuple[Array, float]:
    """Return the polygon of points (n, 3) at the lowest height, (k, 3), and the margin of a CoM.

    The margin is in m, see `support_margins`; it is minus infinity without points.
    """
    if not len(points):
        return np.zeros((0, 3)), -np.inf
    polygon = support_polygon(points)
    margin = float(support_margins(polygon, np.asarray(com, dtype=float)[None])[0])
    return np.column_stack([polygon, np.full(len(polygon), points[:, 2].min())]), margin
