"""Bodies for links whose meshes cannot be read, and for robots without any: capsules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

import numpy as np

from robotix.errors import RobotixError
from robotix.geometry import Array, Mesh, Shape
from robotix.meshes.asset import load_mesh
from robotix.model import Body, Model, Visual
from robotix.model.capsules import capsules_along

__all__ = ["with_stand_ins"]

RADIUS_RATIO = 0.12  # of a capsule to the distance between joints
MIN_RADIUS, MAX_RADIUS = 0.008, 0.06  # m
MIN_JOINT_DISTANCE = 1e-3  # m; nearer joints share a place


def with_stand_ins(model: Model, on_problem: Callable[[str], object]) -> Model:
    """Return a model that can be drawn and kept clear of things.

    Links whose meshes cannot be read get capsules from joint to joint. So does a robot that has
    joints but no shapes at all; if it has only shapes that are drawn, or only ones that collide,
    they serve for both. Each file that cannot be read is reported once, besides the `notes` of the
    model, which say what was not found. The same model is returned if nothing is missing.
    """
    check = _Check(on_problem)
    bodies = [_with_stand_ins(model, body, check) for body in model.bodies]
    moving = _moving(bodies)
    if moving and not any(body.collision for body in bodies if body.name in moving):
        bodies = [_made_solid(model, body) if body.name in moving else body for body in bodies]
    if moving and not any(body.visuals for body in bodies):
        bodies = [_made_visible(body) for body in bodies]
    if all(old is new for old, new in zip(model.bodies, bodies, strict=True)):
        return model
    return replace(model, bodies=tuple(bodies))


def _moving(bodies: Iterable[Body]) -> set[str]:
    """Return the names of the bodies that a joint can move; parents come first."""
    moving: set[str] = set()
    for body in bodies:
        if body.joint.kind != "fixed" or body.parent in moving:
            moving.add(body.name)
    return moving


def _made_solid(model: Model, body: Body) -> Body:
    """Return a body that collides with what is drawn of it; capsules if nothing of it is."""
    drawn = tuple(visual.shape for visual in body.visuals)
    if drawn or any(each.visuals for each in model.bodies):
        return replace(body, collision=drawn)
    return replace(body, collision=_capsules(model, body))


def _made_visible(body: Body) -> Body:
    return replace(body, visuals=tuple(Visual(s, is_stand_in=True) for s in body.collision))


@dataclass
class _Check:
    """Whether meshes can be read."""

    on_problem: Callable[[str], object]
    known: dict[str, bool] = field(default_factory=dict)

    def is_readable(self, shape: Shape) -> bool:
        if not isinstance(shape, Mesh):
            return True
        if shape.path not in self.known:
            self.known[shape.path] = self._load(shape)
        return self.known[shape.path]

    def _load(self, mesh: Mesh) -> bool:
        try:
            load_mesh(mesh.path)
        except (RobotixError, OSError, ValueError) as error:
            if mesh.file:  # what was not found is in the notes
                self.on_problem(str(error))
            return False
        return True


def _with_stand_ins(model: Model, body: Body, check: _Check) -> Body:
    shapes = [*body.collision, *(visual.shape for visual in body.visuals)]
    if all(map(check.is_readable, shapes)):
        return body
    collision = tuple(shape for shape in body.collision if check.is_readable(shape))
    visuals = tuple(visual for visual in body.visuals if check.is_readable(visual.shape))
    capsules = _capsules(model, body)
    if body.collision and not collision:
        collision = capsules
    if body.visuals and not visuals:
        rgba = body.visuals[0].rgba
        visuals = tuple(Visual(each, rgba, is_stand_in=True) for each in collision or capsules)
    return replace(body, collision=collision, visuals=visuals)


def _capsules(model: Model, body: Body) -> tuple[Shape, ...]:
    """Return capsules from a body's joint to those that it carries, or to its tip."""
    ends = [child.placement.translation for child in model.bodies if child.parent == body.name]
    ends += [point.pose.translation for point in model.points.values() if point.body == body.name]
    far = [end for end in ends if np.linalg.norm(end) > MIN_JOINT_DISTANCE]
    radius = _radius(model, far)
    shapes: tuple[Shape, ...] = ()
    for end in far or [np.zeros(3)]:
        shapes += capsules_along([np.zeros(3), end], radius=radius)
    return shapes


def _radius(model: Model, ends: list[Array]) -> float:
    """Return a radius that suits the link, or the robot where the link has no length."""
    lengths = [float(np.linalg.norm(body.placement.translation)) for body in model.bodies]
    typical = float(
        np.median([length for length in lengths if length > MIN_JOINT_DISTANCE] or [0.1])
    )
    longest = max((float(np.linalg.norm(end)) for end in ends), default=typical)
    return float(np.clip(RADIUS_RATIO * min(longest, 2 * typical), MIN_RADIUS, MAX_RADIUS))
