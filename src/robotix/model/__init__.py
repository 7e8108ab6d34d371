"""What a robot is: bodies, joints, limits, masses, and the files that describe them."""

from robotix.model.body import Body, Visual
from robotix.model.joint import Joint, JointKind, Mimic
from robotix.model.path import PathSegment, PlanarPath, make_u_rail
from robotix.model.tree import ControlPoint, Model, merge_models

__all__ = [
    "Body",
    "ControlPoint",
    "Joint",
    "JointKind",
    "Mimic",
    "Model",
    "PathSegment",
    "PlanarPath",
    "Visual",
    "make_u_rail",
    "merge_models",
]
