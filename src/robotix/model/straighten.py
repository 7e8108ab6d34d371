"""Path joints for formats that have none: a straight slide, exact in the middle of the stroke."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from robotix.errors import BadModel
from robotix.geometry import Pose, rotation_about
from robotix.model.body import Body
from robotix.model.tree import Model

__all__ = ["straighten_paths"]


def straighten_paths(model: Model, *, approximate: bool, format_name: str) -> Model:
    """Return the model with its path joints as slides; refuse them unless `approximate`.

    The slide runs along the tangent in the middle of the stroke and keeps the coordinate: pose and
    direction are right there, and the error grows with the distance from it as the path bends.
    """
    curved = [body for body in model.bodies if body.joint.path is not None]
    if curved and not approximate:
        raise BadModel(
            f"joint {curved[0].joint.name!r}",
            f"follows a path, which {format_name} cannot express; write with approximate=True "
            "to put a straight slide in its place",
        )
    bodies = tuple(
        _straighten(body) if body.joint.path is not None else body for body in model.bodies
    )
    return replace(model, bodies=bodies)


def _straighten(body: Body) -> Body:
    path = body.joint.path
    assert path is not None
    low, high = max(body.joint.lower, 0.0), min(body.joint.upper, path.length)
    middle = (low + high) / 2
    x, y, angle, _ = path.at(middle)
    start = np.array([x - middle * math.cos(angle), y - middle * math.sin(angle), 0.0])
    turned = Pose(rotation_about([0.0, 0.0, 1.0], angle + path.heading), start)
    axis = np.array(
        [math.cos(path.heading), -math.sin(path.heading), 0.0]
    )  # the tangent, seen there
    joint = replace(body.joint, kind="prismatic", axis=axis, path=None)
    return replace(body, joint=joint, placement=body.placement @ turned)
