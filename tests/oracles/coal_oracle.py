"""Distances by Coal, the collision library: an oracle that shares nothing with our kernels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import coal
import numpy as np

from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Mesh, Pose, Shape, Sphere
from robotix.kinematics import Posture
from robotix.model import Model


def to_coal(shape: Shape) -> Any:
    """Return a solid of ours as Coal's, both about the origin of the solid's own pose."""
    match shape:
        case Sphere():
            return coal.Sphere(shape.radius)
        case Capsule():
            return coal.Capsule(shape.radius, shape.length)
        case Cylinder():
            return coal.Cylinder(shape.radius, shape.length)
        case Box():
            return coal.Box(*shape.size)
        case Mesh():
            return coal.MeshLoader().load(shape.path, np.array(shape.scale))
        case Halfspace():
            return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    raise ValueError(f"Coal has no such solid: {shape!r}")


def placed(pose: Pose) -> Any:
    """Return a pose as Coal's transform."""
    return coal.Transform3s(pose.rotation, pose.translation)


class CoalRobot:
    """The moving solids of a model, for distances to obstacles in any posture."""

    def __init__(self, model: Model) -> None:
        self._solids = [
            (index, placed(shape.pose), to_coal(shape))
            for index, body in enumerate(model.bodies)
            if any(above.joint.kind != "fixed" for above in model.chain(body.name))
            for shape in body.collision
        ]
        self._request = coal.DistanceRequest()

    def slack(self, posture: Posture, obstacles: Iterable[tuple[Shape, float]]) -> float:
        """Return the smallest distance minus what is to be kept from each obstacle."""
        least = np.inf
        things = [(to_coal(shape), placed(shape.pose), keep) for shape, keep in obstacles]
        bodies = [coal.Transform3s(r[:9].reshape(3, 3), r[9:]) for r in posture.body_poses]
        for body, offset, solid in self._solids:
            at = bodies[body] * offset
            for thing, where, keep in things:
                result = coal.DistanceResult()
                coal.distance(solid, at, thing, where, self._request, result)
                least = min(least, result.min_distance - keep)
        return float(least)
