"""The shell of a link: the filleted union of its rods and its parts of the joints' drums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.model import Body, Model
from robotix.visuals.fields import Carved, Drum, Field, Tube
from robotix.visuals.joints import Knuckle, Rod, rods_of
from robotix.visuals.surfaces import Surface, field_surface

__all__ = [
    "DRUM_RADIUS_RATIO",
    "PLATE_THICKNESS",
    "SEAM_RATIO",
    "Link",
    "make_shell",
    "shell_surface",
]

SEAM_RATIO = 0.035  # half the gap between two links to the radius of their joint
PLATE_THICKNESS = 0.012  # m, of a flange
DRUM_RADIUS_RATIO = 1.04  # radius of a joint's drum to that of its links
DRUM_WIDTH_RATIO = 0.92  # width of half a drum to its radius
CELLS_PER_RADIUS = 5.5  # of a shell's grid, in the radius of its link
MAX_CELLS_ALONG = 90.0  # of a shell's grid, along its link


@dataclass(frozen=True, eq=False)
class Link:
    """A body with its joints and attachments, in its frame."""

    body: Body
    rods: tuple[Rod, ...]
    inner: Knuckle | None  # its own joint
    outer: tuple[Knuckle, ...]  # joints of its child links
    slides: tuple[Body, ...]  # children on prismatic joints or rails
    tip: tuple[Array, Array] | None  # position and outward direction of the tool flange
    is_root: bool

    @staticmethod
    def of(model: Model, body: Body, knuckles: Mapping[str, Knuckle]) -> Link:
        """Return the link of a body."""
        children = [each for each in model.bodies if each.parent == body.name]
        stands = body.joint.kind == "fixed" and (
            body.parent is None or model.body(body.parent).joint.kind == "path"
        )
        return Link(
            body,
            rods_of(body),
            knuckles.get(body.name),
            tuple(knuckles[c.name].placed(c.placement) for c in children if c.name in knuckles),
            tuple(c for c in children if c.joint.kind in ("prismatic", "path")),
            _tip(model, body) if not children else None,
            stands,
        )

    @property
    def radius(self) -> float:
        """Typical radius of its rods, m."""
        radii = [rod.radius for rod in self.rods] + [each.radius for each in self.outer]
        return float(np.median(radii)) if radii else 0.05

    @property
    def joints(self) -> Iterator[tuple[Knuckle, float]]:
        """All joints; with 1 where this link is the outer one, else -1."""
        if self.inner is not None:
            yield self.inner, 1.0
        for knuckle in self.outer:
            yield knuckle, -1.0

    def nearest(self, point: Array) -> tuple[Array, float]:
        """Return the point on the axes of the rods nearest to a point, and the radius there."""
        found = [(np.zeros(3), self.radius)] if not self.rods else []
        for rod in self.rods:
            direction = rod.end - rod.start
            part = np.clip(
                (point - rod.start) @ direction / max(float(direction @ direction), 1e-12), 0.0, 1.0
            )
            found.append((rod.start + part * direction, rod.radius))
        return min(found, key=lambda each: float(np.linalg.norm(each[0] - point)))


def _tip(model: Model, body: Body) -> tuple[Array, Array] | None:
    """Return position and outward direction of the tool flange of the last link."""
    point, rods = model.point(), rods_of(body)
    if point.body != body.name or not rods:
        return None
    position = point.pose.translation
    middle = np.mean([rod.start + rod.end for rod in rods], axis=0) / 2
    direction = position - middle
    length = float(np.linalg.norm(direction))
    return position, direction / length if length > 1e-6 else point.pose.rotation[:, 2]


def make_shell(link: Link) -> Carved | None:
    """Return the solid of a link with clearances for its joints; None without rods."""
    solids = [*_tubes(link), *_drums(link), *_sleeves(link)]
    if not solids:
        return None
    return Carved(solids, tuple(_cuts(link)), fillet=0.5 * link.radius, edge=0.26 * link.radius)


def shell_surface(link: Link, shell: Carved) -> Surface:
    """Return the surface of a shell."""
    positions = [position for rod in link.rods for position in (rod.start, rod.end)]
    positions += [knuckle.centre for knuckle, _ in link.joints]
    positions += [child.placement.translation for child in link.slides]
    if link.is_root:
        positions.append(np.zeros(3))
    radii = [rod.radius for rod in link.rods] + [each.radius for each, _ in link.joints]
    reach = 1.5 * DRUM_RADIUS_RATIO * max([link.radius, *radii])
    low, high = np.min(positions, axis=0) - reach, np.max(positions, axis=0) + reach
    length = float(np.linalg.norm(high - low))
    return field_surface(
        shell,
        low=low,
        high=high,
        cell=max(link.radius / CELLS_PER_RADIUS, length / MAX_CELLS_ALONG),
    )


def _tubes(link: Link) -> Iterator[Field]:
    """Yield the rods of a link, shifted to its side of the drums, and connections to them."""
    for rod in link.rods:
        yield Tube(_leant(link, rod.start), _leant(link, rod.end), rod.radius, rod.radius)
    for knuckle, side in link.joints:
        foot = knuckle.centre
        if knuckle.is_split:
            foot = foot + 0.5 * side * DRUM_WIDTH_RATIO * knuckle.radius * knuckle.axis
        position, radius = link.nearest(knuckle.centre)
        if np.linalg.norm(position - knuckle.centre) > 0.1 * knuckle.radius:
            radius = min(knuckle.radius, radius)
            yield Tube(_leant(link, position), foot, radius, radius)
    if link.is_root and link.rods:
        position, radius = link.nearest(np.zeros(3))
        yield Tube(np.zeros(3), position, radius, radius)


def _leant(link: Link, position: Array) -> Array:
    """Return a position, shifted to the link's own side of a drum shared with another link."""
    for knuckle, side in link.joints:
        if knuckle.is_split and np.linalg.norm(position - knuckle.centre) < 0.6 * knuckle.radius:
            return np.asarray(position + 0.38 * side * knuckle.radius * knuckle.axis)
    return position


def _drums(link: Link) -> Iterator[Field]:
    for knuckle, side in link.joints:
        if knuckle.is_split:
            r, direction = DRUM_RADIUS_RATIO * knuckle.radius, side * knuckle.axis
            yield Drum(knuckle.centre, direction, DRUM_WIDTH_RATIO * r, r, rounding=0.14 * r)


def _sleeves(link: Link) -> Iterator[Field]:
    """Yield the bushings of prismatic joints."""
    for child in link.slides:
        axis = child.placement.rotation @ child.joint.axis
        r = link.radius
        yield Drum(child.placement.translation - 1.3 * r * axis, axis, 2.6 * r, 0.8 * r, 0.1 * r)


def _cuts(link: Link) -> Iterator[Field]:
    """Yield the solids to cut out for the neighbouring links and for a tool."""
    for knuckle, side in link.joints:
        direction, r = -side * knuckle.axis, DRUM_RADIUS_RATIO * knuckle.radius
        foot = knuckle.centre - SEAM_RATIO * r * direction
        if knuckle.is_split:
            yield Drum(foot, direction, 2.6 * r, 1.2 * r)
        else:
            yield Drum(foot, direction, 1.6 * r, 1.5 * r)
    if link.is_root:
        yield Drum(np.array([0.0, 0.0, 0.004]), np.array([0.0, 0.0, -1.0]), 1.0, 3 * link.radius)
    if link.tip is not None:
        position, direction = link.tip
        r = link.nearest(position)[1]
        yield Drum(position - PLATE_THICKNESS * direction, direction, 3 * r, 3 * r)
