"""Desired positions of the centre of mass, and margins of balance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.support import support_margins, support_polygon
from robotix.kinematics import Posture
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.point_location import locate_point

if TYPE_CHECKING:
    from robotix.human.motion.loads import Load
    from robotix.human.motion.performer import Performer

__all__ = [
    "ahead_of_ankle",
    "braced",
    "margin_inside",
    "point_inside",
    "polygon_of",
    "stance_centre",
]

COM_AHEAD_RATIO = 0.165  # of foot length: the CoM of a standing person is in front of the ankles


def ahead_of_ankle(person: Performer) -> float:
    """Return the distance of a standing person's CoM in front of the ankles, m."""
    return COM_AHEAD_RATIO * person.size("foot_length")


def stance_centre(person: Performer) -> Array:
    """Return the horizontal position of the CoM in a comfortable stance, (2,), m."""
    forward = np.array([ahead_of_ankle(person), 0.0, 0.0])
    goals = [person.goal(f"{side}_foot") for side in SIDES]
    return np.asarray(
        np.mean([goal.position + goal.rotation @ forward for goal in goals], axis=0)[:2]
    )


def braced(person: Performer, load: Load, at: ArrayLike, *, middle: Array | None = None) -> Array:
    """Return the desired CoM just before a load is grasped or released at a position, (2,), m.

    The CoM jumps at that moment. Its positions before and after are placed symmetrically about
    `middle`, by default the centre of the stance.
    """
    middle = stance_centre(person) if middle is None else middle
    position = np.asarray(at, dtype=float)[:2]
    body = person.manikin.model.mass
    carried = load.name in person.loads
    others = sum(other.mass for other, _ in person.loads.values()) - load.mass * carried
    fraction = load.mass / (body + others + load.mass)
    # CoM with the load: c; without it: c - ratio (position - c); their mean shall be `middle`
    ratio = fraction / (1 - fraction)
    laden = (2 * middle + ratio * position) / (2 + ratio)
    return np.asarray(laden if carried else 2 * middle - laden)


def polygon_of(person: Performer, *names: str) -> Array:
    """Return the support polygon of the named contacts, (k, 2), m."""
    model = person.manikin.model  # without loads: its tables are cached
    points = [p for name in names for p in person.contacts[name][0].points]
    positions, world = np.empty((len(points), 12)), Posture(model, person.q).world
    for row, point in zip(positions, points, strict=True):
        located = locate_point(model, point)
        kernels.put_point_pose(world, located.link, located.offset, row)
    return support_polygon(positions[:, 9:])


def margin_inside(person: Performer, polygon: Array) -> float:
    """Return the margin of the present CoM inside a polygon, m."""
    return float(support_margins(polygon, person.posture().com[None])[0])


def point_inside(polygon: Array, point: ArrayLike, *, margin: float) -> Array:
    """Return the point nearest to `point` that is inside a polygon by a margin, (2,), m.

    It is found on a grid, to a few mm. If the polygon is too small for the margin, it is the point
    with the largest margin.
    """
    start = np.asarray(point, dtype=float)[:2]
    if support_margins(polygon, start[None])[0] >= margin:
        return start
    spans = [
        np.linspace(low, high, 81)
        for low, high in zip(polygon.min(axis=0), polygon.max(axis=0), strict=True)
    ]
    grid = np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2)
    positions = np.vstack([start, grid])
    margins = support_margins(polygon, positions)
    if margins.max() < margin:
        return np.asarray(positions[int(np.argmax(margins))])
    away = np.linalg.norm(positions - start, axis=1)
    return np.asarray(positions[int(np.argmin(np.where(margins >= margin, away, np.inf)))])
