"""Links of an arm made longer or shorter, with all that is on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from robotix.errors import BadField
from robotix.geometry import Array, Box, Capsule, Cylinder, Pose, Shape
from robotix.model import Model
from robotix.model.body import Body

__all__ = ["long_links", "stretch_link"]

ALIGNED = 0.9  # cosine from which an axis of a shape counts as along the link
LONG_LINKS = 2  # the upper arm and the forearm


def long_links(model: Model) -> dict[str, str]:
    """Return `upper_arm` and `forearm`: the two longest links, from the base on, and their bodies.

    A link goes from the joint of a body to that of the next one on the way to the tip. The foot of
    the arm, before its first moving joint, is not a link.
    """
    chain = model.chain()
    first = next((k for k, body in enumerate(chain) if body.joint.kind != "fixed"), len(chain))
    lengths = {
        body.name: float(np.linalg.norm(after.placement.translation))
        for body, after in zip(chain[first:], chain[first + 1 :], strict=False)
    }
    longest = sorted(lengths, key=lambda name: -lengths[name])[:LONG_LINKS]
    if len(longest) < LONG_LINKS or not lengths[longest[-1]] > 0:
        raise BadField("arm", "an arm with an upper arm and a forearm", model.name)
    upper, fore = sorted(longest, key=list(lengths).index)
    return {"upper_arm": upper, "forearm": fore}


def stretch_link(model: Model, body: str, factor: float) -> Model:
    """Return the model with a link of constant section that is longer by a factor.

    Everything on the body is stretched along the line to the next joint: what hangs on it, its
    centre of mass, its mass (as the length) and inertia, its shapes as far as they lie along it.
    """
    if not 0.1 <= factor <= 10:
        raise BadField("factor of a link", "between 0.1 and 10", factor)
    chain = model.chain()
    names = [each.name for each in chain]
    if body not in names[:-1]:
        raise BadField("link", f"one of {', '.join(names[:-1])}", body)
    way = chain[names.index(body) + 1].placement.translation
    length = float(np.linalg.norm(way))
    if length == 0:
        raise BadField("link", "a body whose next joint is away from its own", body)
    along = way / length
    stretch = np.eye(3) + (factor - 1) * np.outer(along, along)
    bodies = [_stretched(each, body, stretch, along, factor) for each in model.bodies]
    points = {
        name: replace(point, pose=_moved(point.pose, stretch)) if point.body == body else point
        for name, point in model.points.items()
    }
    return replace(model, bodies=tuple(bodies), points=points)


def _stretched(each: Body, body: str, stretch: Array, along: Array, factor: float) -> Body:
    if each.parent == body:
        return replace(each, placement=_moved(each.placement, stretch))
    if each.name != body:
        return each
    spread = 0.5 * np.trace(each.inertia) * np.eye(3) - each.inertia  # ∫ r rᵀ dm
    spread = factor * stretch @ spread @ stretch
    return replace(
        each,
        mass=factor * each.mass,
        com=stretch @ each.com,
        inertia=np.trace(spread) * np.eye(3) - spread,
        collision=tuple(_shape(shape, stretch, along, factor) for shape in each.collision),
        visuals=tuple(
            replace(visual, shape=_shape(visual.shape, stretch, along, factor))
            for visual in each.visuals
        ),
    )


def _moved(pose: Pose, stretch: Array) -> Pose:
    return Pose(pose.rotation, stretch @ pose.translation)


def _shape(shape: Shape, stretch: Array, along: Array, factor: float) -> Shape:
    pose = _moved(shape.pose, stretch)
    aligned = abs(shape.pose.rotation.T @ along)  # cosines of its axes with the link
    match shape:
        case Capsule() | Cylinder() if aligned[2] >= ALIGNED:
            return replace(shape, pose=pose, length=factor * shape.length)
        case Box():
            return replace(
                shape, pose=pose, size=np.where(aligned >= ALIGNED, factor, 1.0) * shape.size
            )
    return replace(shape, pose=pose)
