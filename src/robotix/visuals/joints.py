"""Positions of joints along their axes, from the kinematics and the solids of the links.

Denavit-Hartenberg frames define the axis of a joint, but not the position of the joint along it. It
is taken where the rods of both links come nearest to each other on the axis.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from robotix.geometry import Array, Capsule, Cylinder, Pose, Shape, Sphere
from robotix.model import Body, Model

__all__ = ["Knuckle", "Rod", "find_knuckles", "rods_of"]

ALIGNED_COSINE = 0.75  # a rod with a larger cosine counts as parallel to the axis
OVERHANG_RATIO = 0.9  # of a rod's radius, from its middle to the joint across it


@dataclass(frozen=True, eq=False)
class Rod:
    """A capsule, or a ball if both ends coincide."""

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
    is_split: bool  # perpendicular to both links, which share a drum; else parallel to at least one

    def placed(self, pose: Pose) -> Knuckle:
        """Return the joint in another frame."""
        return replace(self, centre=pose.apply(self.centre), axis=pose.rotation @ self.axis)


@dataclass(frozen=True, eq=False)
class _End:
    """The end of a link at the axis of a joint."""

    height: float  # along the axis
    slope: float  # cosine between the axis and the direction into the link
    radius: float


def rods_of(body: Body) -> tuple[Rod, ...]:
    """Return the visual shapes of a body as rods; its collision solids if it has none."""
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
    """Return the joints of all bodies with a revolute joint, by body, in the body's frame."""
    directions = {body.name: _onward(model, body) for body in model.bodies}
    found: dict[str, Knuckle] = {}
    sign = 1.0
    for body in model.bodies:
        if body.parent is None or body.joint.kind != "revolute":
            continue
        parent = model.body(body.parent)
        knuckle = _knuckle(body, parent, directions=directions, sign=sign)
        found[body.name] = knuckle
        if knuckle.is_split:
            sign = -sign  # links lie alternately on both sides
    return found


def _onward(model: Model, body: Body) -> Array:
    """Return a point that the body extends to, in its frame."""
    children = [each for each in model.bodies if each.parent == body.name]
    if children:
        return children[0].placement.translation
    points = [point for point in model.points.values() if point.body == body.name]
    return points[0].pose.translation if points else np.zeros(3)


def _knuckle(body: Body, parent: Body, *, directions: dict[str, Array], sign: float) -> Knuckle:
    axis = body.joint.axis
    parent_from_joint = body.placement
    inner_rods = [rod.placed(parent_from_joint.inverse()) for rod in rods_of(parent)]
    root = parent_from_joint.inverse().translation
    outer = _ends(rods_of(body), axis, hint=directions[body.name])
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
        direction = np.sign(far.slope)
        height = (near.height + far.height) / 2 if gap * direction > 0 else far.height
        return Knuckle(height * axis, direction * axis, small, is_split=False)
    if runs_in:
        direction = -np.sign(near.slope)
        height = far.height - direction * OVERHANG_RATIO * far.radius
        return Knuckle(height * axis, direction * axis, small, is_split=False)
    if runs_out:
        direction = np.sign(far.slope)
        height = near.height + direction * OVERHANG_RATIO * near.radius
        return Knuckle(height * axis, direction * axis, small, is_split=False)
    if abs(gap) > 0.6 * large:
        middle = (near.height + far.height) / 2
        return Knuckle(middle * axis, np.sign(gap) * axis, large, is_split=True)
    return Knuckle(far.height * axis, sign * axis, large, is_split=True)


def _bare(root: Array, axis: Array) -> _End:
    """Return the end of a link without shapes: it is taken to start at its own joint."""
    return _End(0.0, float(np.sign(root @ axis)) or -1.0, 0.05)


def _ends(rods: tuple[Rod, ...] | list[Rod], axis: Array, *, hint: Array) -> list[_End]:
    """Return all ends of rods near an axis through the origin."""
    found = []
    for rod in rods:
        direction = rod.end - rod.start
        length = float(np.linalg.norm(direction))
        ends = (
            [(rod.start, direction), (rod.end, -direction)]
            if length > 1e-6
            else [(rod.start, None)]
        )
        if (
            length > 1e-6 and abs(direction @ axis) > ALIGNED_COSINE * length
        ):  # lies along the axis,
            middle = (rod.start + rod.end) / 2
            if abs(middle @ axis) < 0.2 * length and _aside(middle, axis) < rod.radius / 2:
                ends = [(middle, np.zeros(3))]  # and across the link: a drum about the origin
        for position, into in ends:
            if _aside(position, axis) <= 1.05 * rod.radius:
                leads = hint - position if into is None else into
                size = float(np.linalg.norm(leads))
                slope = float(leads @ axis) / size if size > 1e-6 else 0.0
                found.append(_End(float(position @ axis), slope, rod.radius))
    return found


def _aside(position: Array, axis: Array) -> float:
    return float(np.linalg.norm(position - (position @ axis) * axis))
