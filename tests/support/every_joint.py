"""Small models for tests of kinematics: planar arms with closed forms, and one of every joint."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
from support.library_arms import ARMS
from support.random_models import random_chain, random_tree

from robotix.geometry import Pose, exp_rotation
from robotix.model import Body, ControlPoint, Joint, Mimic, Model, PathSegment, PlanarPath
from robotix.model.robots import load


def planar_2r(
    lengths: tuple[float, float] = (0.5, 0.3),
    *,
    masses: tuple[float, float] = (0.0, 0.0),
    rate: float = math.inf,
) -> Model:
    """Two hinges about z with links along x, and a point mass at the end of each link."""
    hinges = [Joint(name, "revolute", velocity=rate) for name in ("one", "two")]
    ends = [np.array([length, 0, 0]) for length in lengths]
    bodies = (
        Body("upper", hinges[0], mass=masses[0], com=ends[0]),
        Body("lower", hinges[1], "upper", Pose(translation=ends[0]), mass=masses[1], com=ends[1]),
    )
    tip = ControlPoint("lower", Pose(translation=ends[1]))
    return Model("planar 2R", bodies, points={"tip": tip}, tip="tip")


def every_joint(rng: np.random.Generator) -> Model:
    """A floating root that carries a rail with a clothoid, hinges, a slider and a mimicking hinge.

    The tool is at the end of it all; a second, shorter branch leaves half-way.
    """
    path = PlanarPath((PathSegment(1.0), PathSegment(2.0, 0.0, 1.5), PathSegment(1.0, 1.5)))
    joint = partial(Joint, velocity=2.0, effort=50.0)
    joints = [
        joint("root", "floating"),
        joint("rail", "path", lower=0.0, upper=4.0, path=path),
        joint("hinge", "revolute", rng.normal(size=3), -2.0, 2.5),
        joint("slider", "prismatic", rng.normal(size=3), -1.0, 1.0),
        joint("elbow", "revolute", rng.normal(size=3), -2.0, 2.0),
        joint("mimic", "revolute", rng.normal(size=3), mimic=Mimic("hinge", -0.7, 0.3)),
        joint("wrist", "revolute", rng.normal(size=3)),
    ]
    bodies: list[Body] = []
    for each in joints:
        bodies.append(_body(rng, each, bodies[-1].name if bodies else None))
    bodies.append(_body(rng, joint("branch", "revolute", rng.normal(size=3)), "elbow body"))
    point = ControlPoint("wrist body", Pose(exp_rotation(rng.normal(size=3)), rng.normal(size=3)))
    return Model("every joint", tuple(bodies), points={"tool": point}, tip="tool")


def _body(rng: np.random.Generator, joint: Joint, parent: str | None) -> Body:
    pose = Pose(exp_rotation(rng.normal(size=3)), rng.normal(size=3) / 2)
    A = rng.normal(size=(3, 3))
    return Body(
        f"{joint.name} body",
        joint,
        parent,
        pose,
        mass=float(rng.uniform(0.5, 3.0)),
        com=rng.normal(size=3) / 3,
        inertia=A @ A.T / 10,
    )


def model_makers() -> dict[str, Callable[[], Model]]:
    """Return models of every sort by name: the library, random ones, and one of every joint."""
    makers: dict[str, Callable[[], Model]] = {name: partial(load, name) for name in ARMS}
    for seed in range(2):
        makers[f"chain {seed}"] = partial(_seeded, random_chain, seed)
        makers[f"tree {seed}"] = partial(_seeded, random_tree, seed)
        makers[f"floating {seed}"] = partial(_seeded, partial(random_tree, floating=True), seed)
        makers[f"every joint {seed}"] = partial(_seeded, every_joint, seed)
    return makers


def _seeded(make: Callable[[np.random.Generator], Model], seed: int) -> Model:
    return make(np.random.default_rng(seed))
