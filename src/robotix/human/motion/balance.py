"""Where the centre of mass should be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES
from robotix.human.motion.support import support_margins, support_polygon
from robotix.kinematics import Posture
from robotix.kinematics.kernels import forward as kernels
from robotix.kinematics.point_location import locate

if TYPE_CHECKING:
    from robotix.human.motion.loads import Load
    from robotix.human.motion.performer import Performer

__all__ = [
    "ahead_of_ankle",
    "braced",
    "margin_inside",
    "place_inside",
    "polygon_of",
    "stance_centre",
]

AHEAD = 0.165  # of foot length: people stand with their weight a little before the ankles


def ahead_of_ankle(person: Performer) -> float:
    """Return how far before the ankles a standing person's weight is, in m."""
    return AHEAD * person.size("foot_length")


def stance_centre(person: Performer) -> Array:
    """Return the place over which a person stands at ease: between the feet, (2,)."""
    forward = np.array([ahead_of_ankle(person), 0.0, 0.0])
    goals = [person.goal(f"{side}_foot") for side in SIDES]
    return np.asarray(
        np.mean([goal.position + goal.rotation @ forward for goal in goals], axis=0)[:2]
    )


def braced(person: Performer, load: Load, at: ArrayLike, *, middle: Array | None = None) -> Array:
    """Return where the weight should be just before a load changes hands at a place, (2,).

    The centre of mass jumps then. Its two places should lie evenly about the middle of the stance,
    or about another place.
    """
    middle = stance_centre(person) if middle is None else middle
    place = np.asarray(at, dtype=float)[:2]
    body = person.manikin.model.mass
    carried = load.name in person.loads
    others = sum(other.mass for other, _ in person.loads.values()) - load.mass * carried
    share = load.mass / (body + others + load.mass)
    # with the load: c; without it: c - share / (1 - share) * (place - c); middle between: `middle`
    ratio = share / (1 - share)
    laden = (2 * middle + ratio * place) / (2 + ratio)
    return np.asarray(laden if carried else 2 * middle - laden)


def polygon_of(person: Performer, *names: str) -> Array:
    """Return the support polygon of some of the present contacts."""
    model = person.manikin.model  # without loads: it is known already
    points = [p for name in names for p in person.contacts[name][0].points]
    places, world = np.empty((len(points), 12)), Posture(model, person.q).world
    for row, point in zip(places, points, strict=True):
        located = locate(model, point)
        kernels.place(world, located.link, located.offset, row)
    return support_polygon(places[:, 9:])


def margin_inside(person: Performer, polygon: Array) -> float:
    """Return how far the centre of mass is inside a polygon now, in m."""
    return float(support_margins(polygon, person.posture().com[None])[0])


def place_inside(polygon: Array, place: ArrayLike, *, margin: float) -> Array:
    """Return the place nearest to one that is inside a polygon by a margin, to a few mm, (2,).

    Where the polygon is too small for the margin, it is the place farthest inside.
    """
    start = np.asarray(place, dtype=float)[:2]
    if support_margins(polygon, start[None])[0] >= margin:
        return start
    spans = [
        np.linspace(low, high, 81)
        for low, high in zip(polygon.min(axis=0), polygon.max(axis=0), strict=True)
    ]
    grid = np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2)
    places = np.vstack([start, grid])
    margins = support_margins(polygon, places)
    if margins.max() < margin:
        return np.asarray(places[int(np.argmax(margins))])
    away = np.linalg.norm(places - start, axis=1)
    return np.asarray(places[int(np.argmin(np.where(margins >= margin, away, np.inf)))])
