"""Where two links of an arm meet: read from the kinematics and from the solids along the links.

Denavit-Hartenberg frames say where an axis is, not where along it the joint sits. The rods that
links are made of tell: a joint is where those of both links come nearest on its axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from robotix.geometry import Array, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.model import Body, Model

__all__ = ["Knuckle", "Rod", "find_knuckles", "rods_of"]

ALIGNED_COSINE = 0.75  # cosine from which a rod counts as along an axis
OVERHANG_RATIO = 0.9  # of a rod's radius, from its middle to the joint across it


@dataclass(frozen=True, eq=False)
class Rod:
    """A capsule, or a ball if both ends are one."""

    start: Array
    end: Array
    radius: float

    def placed(self, pose: Pose) -> Rod:
        """Return the rod in another frame."""
        return Rod(pose.apply(self.start), pose.apply(self.end), self.radius)


@dataclass(frozen=True, eq=False)
class Knuckle:
    """A joint between two links; the frame is that of either."""

    centre: Array  # on the axis, where the links meet
    axis: Array  # unit, from the inner link to the outer one
    radius: float
    is_split: bool  # across both links, which share a drum; else along at least one of them

    def placed(self, pose: Pose) -> Knuckle:
        """Return the joint in another frame."""
        return replace(self, centre=pose.apply(self.centre), axis=pose.rotation @ self.axis)


@dataclass(frozen=True, eq=False)
class _End:
    """Where a link touches a joint's axis."""

    height: float  # along the axis
    slope: float  # cosine between the axis and the way into the link
    radius: float


def rods_of(body: Body) -> tuple[Rod, ...]:
    """Return what is drawn of a body as rods; its solids where nothing is drawn."""
    shapes = [visual.shape for visual in body.visuals] or list(body.collision)
    return tuple(rod for shape in shapes if (rod := _rod(shape)) is not None)


def _rod(shape: Shape) -> Rod | None:
    match shape:
        case Capsule() | Cylinder():
            inset = shape.radius if isinstance(shape, Cylinder) else 0.0
            half = max(shape.length / 2 - inset, 0.0) * shape.pose.rotation[:, 2]
            middle = shape.pose.translation
            return Rod(middle - half, middle + half, shape.radius)
        case Sphere():
            return Rod(shape.pose.translation, shape.pose.translation, shape.radius)
    return None


def find_knuckles(model: Model) -> dict[str, Knuckle]:
    """Return the joint of every body that turns, by the body's name, in the body's frame."""
    ways = {body.name: _onward(model, body) for body in model.bodies}
    found: dict[str, Knuckle] = {}
    sign = 1.0
    for body in model.bodies:
        if body.parent is None or body.joint.kind != "revolute":
            continue
        parent = model.body(body.parent)
        knuckle = _knuckle(body, parent, ways=ways, sign=sign)
        found[body.name] = knuckle
        if knuckle.is_split:
            sign = -sign  # links lie left and right of each other in turn
    return found


def _onward(model: Model, body: Body) -> Array:
    """Return a place that the body reaches out to, in its frame."""
    children = [each for each in model.bodies if each.parent == body.name]
    if children:
        return children[0].placement.translation
    points = [point for point in model.points.values() if point.body == body.name]
    return points[0].pose.translation if points else np.zeros(3)


def _knuckle(body: Body, parent: Body, *, ways: dict[str, Array], sign: float) -> Knuckle:
    axis = body.joint.axis
    parent_from_joint = body.placement
    inner_rods = [rod.placed(parent_from_joint.inverse()) for rod in rods_of(parent)]
    root = parent_from_joint.inverse().translation
    outer = _ends(rods_of(body), axis, hint=ways[body.name])
    inner = _ends(inner_rods, axis, hint=root) or [_bare(root, axis)]
    if not outer:
        outer = [_End(inner[0].height, 0.0, inner[0].radius)]
    near, far = min(product(inner, outer), key=lambda pair: abs(pair[0].height - pair[1].height))
    return _between(near, far, axis=axis, sign=sign)


def _between(near: _End, far: _End, *, axis: Array, sign: float) -> Knuckle:
    """Return the joint between the end of the inner link and that of the outer one."""
    runs_in, runs_out = abs(near.slope) > ALIGNED_COSINE, abs(far.slope) > ALIGNED_COSINE
    small, large = sorted((near.radius, far.radius))
    gap = far.height - near.height
    if runs_in and runs_out:
        way = np.sign(far.slope)
        height = (near.height + far.height) / 2 if gap * way > 0 else far.height
        return Knuckle(height * axis, way * axis, small, is_split=False)
    if runs_in:
        way = -np.sign(near.slope)
        height = far.height - way * OVERHANG_RATIO * far.radius
        return Knuckle(height * axis, way * axis, small, is_split=False)
    if runs_out:
        way = np.sign(far.slope)
        height = near.height + way * OVERHANG_RATIO * near.radius
        return Knuckle(height * axis, way * axis, small, is_split=False)
    if abs(gap) > 0.6 * large:
        middle = (near.height + far.height) / 2
        return Knuckle(middle * axis, np.sign(gap) * axis, large, is_split=True)
    return Knuckle(far.height * axis, sign * axis, large, is_split=True)


def _bare(root: Array, axis: Array) -> _End:
    """Return the end of a link that nobody gave a shape: it comes from its own joint."""
    return _End(0.0, float(np.sign(root @ axis)) or -1.0, 0.05)


def _ends(rods: tuple[Rod, ...] | list[Rod], axis: Array, *, hint: Array) -> list[_End]:
    """Return all places where rods come near an axis through the origin."""
    found = []
    for rod in rods:
        way = rod.end - rod.start
        length = float(np.linalg.norm(way))
        places = [(rod.start, way), (rod.end, -way)] if length > 1e-6 else [(rod.start, None)]
        if length > 1e-6 and abs(way @ axis) > ALIGNED_COSINE * length:  # lies along the axis,
            middle = (rod.start + rod.end) / 2
            if abs(middle @ axis) < 0.2 * length and _aside(middle, axis) < rod.radius / 2:
                places = [(middle, np.zeros(3))]  # and across the link: a drum about the origin
        for place, into in places:
            if _aside(place, axis) <= 1.05 * rod.radius:
                leads = hint - place if into is None else into
                size = float(np.linalg.norm(leads))
                slope = float(leads @ axis) / size if size > 1e-6 else 0.0
                found.append(_End(float(place @ axis), slope, rod.radius))
    return found


def _aside(place: Array, axis: Array) -> float:
    return float(np.linalg.norm(place - (place @ axis) * axis))
