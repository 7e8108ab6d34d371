"""The zero-moment point of a motion, and the polygons of its support.

The point about which weight and inertia of body and loads have no horizontal moment is the centre
of pressure of a possible motion [Vukobratovic2004]: it is inside the support polygon.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robotix.dynamics import MotionRates, PointWrench, motion_rates, transmitted_wrench
from robotix.geometry import Array
from robotix.human.motion.contacts import contact_positions
from robotix.human.motion.performance import Performance, Span
from robotix.human.motion.support import support_margins, support_polygon
from robotix.kinematics import Posture

__all__ = ["ZeroMoment", "zero_moment", "zmp_margins"]

MIN_SUPPORT_FORCE = 50.0  # N; below it the zero-moment point is not defined


@dataclass(frozen=True, eq=False)
class ZeroMoment:
    """Zero-moment points and supports of every row of a motion."""

    points: Array  # (N, 2), m; NaN where the body hardly presses on the ground
    pressing: Array  # (N,), N: vertical force on the ground
    twisting: Array  # (N,), N m: moment about the vertical through the point
    heights: Array  # (N,), m, of the support
    polygons: tuple[Array, ...]  # (k, 2) each
    polygon: NDArray[np.int64]  # (N,), which of them; -1 while hands hold on, or without contact
    margins: Array  # (N,), m inside the polygon; infinite without one


def zero_moment(performance: Performance, rates: MotionRates | None = None) -> ZeroMoment:
    """Return the zero-moment points of a performance.

    At a change of contacts or loads either side of it counts: the one with the larger margin.
    """
    model, motion = performance.manikin.model, performance.motion
    rates = motion_rates(model, motion) if rates is None else rates
    count = len(motion.times)
    points, pressing = np.full((count, 2), np.nan), np.zeros(count)
    twisting = np.zeros(count)
    heights, margins = np.zeros(count), np.full(count, np.inf)
    polygon = np.full(count, -1, dtype=np.int64)
    polygons: list[Array] = []
    is_seen = np.zeros(count, dtype=bool)
    for span in performance.spans():
        rows = slice(span.first, span.last + 1)
        hull, height = _support(performance, span)
        zmp, force, twist = _points(performance, span, rates, height=height)
        has_hull = len(hull) > 2
        inside = np.where(
            np.isfinite(zmp[:, 0]), support_margins(hull, np.nan_to_num(zmp)), -np.inf
        )
        found = inside if has_hull else np.full(len(zmp), np.inf)
        better = ~is_seen[rows] | (found > margins[rows])
        at = np.flatnonzero(better) + span.first
        points[at], pressing[at], margins[at] = zmp[better], force[better], found[better]
        twisting[at] = twist[better]
        heights[at], polygon[at] = height, len(polygons) if has_hull else -1
        is_seen[rows] = True
        if has_hull:
            polygons.append(hull)
    return ZeroMoment(points, pressing, twisting, heights, tuple(polygons), polygon, margins)


def zmp_margins(performance: Performance, rates: MotionRates | None = None) -> Array:
    """Return the distance of the zero-moment point inside the support polygon, (N,), m.

    Infinite while hands hold on to something, since a polygon then says nothing.
    """
    return zero_moment(performance, rates).margins


def _support(performance: Performance, span: Span) -> tuple[Array, float]:
    """Return the polygon of a span, empty while hands hold on, and its mean height."""
    names = [contact.name for contact in span.contacts]
    if not names or any(name.endswith("_hand") for name in names):
        return np.zeros((0, 2)), 0.0
    start = Posture(performance.manikin.model, performance.motion.q[span.first])
    points = contact_positions(start, span.contacts)
    return support_polygon(points), float(np.mean(points[:, 2]))


def _points(
    performance: Performance, span: Span, rates: MotionRates, *, height: float
) -> tuple[Array, Array, Array]:
    """Return the zero-moment points of a span at a height, (n, 2), vertical force and moment."""
    rows = slice(span.first, span.last + 1)
    model, times = performance.model_with(span.loads), performance.motion.times[rows]
    needed = transmitted_wrench(
        model,
        performance.motion.q[rows],
        joint=model.bodies[0].joint.name,
        dq=rates.dq[rows],
        ddq=rates.ddq[rows],
        wrenches=[
            PointWrench(f"{each.side}_hand", np.pad(each.at(times), ((0, 0), (0, 3))))
            for each in performance.hand_forces
        ],
    )
    (fx, fy, fz), (mx, my, mz) = needed.force.T, needed.moment.T
    is_pressing = fz > MIN_SUPPORT_FORCE
    down = height - needed.centre[:, 2]
    safe = np.where(is_pressing, fz, 1.0)
    x = needed.centre[:, 0] + (down * fx - my) / safe
    y = needed.centre[:, 1] + (down * fy + mx) / safe
    twist = mz - (x - needed.centre[:, 0]) * fy + (y - needed.centre[:, 1]) * fx
    return np.where(is_pressing[:, None], np.column_stack([x, y]), np.nan), fz, twist
