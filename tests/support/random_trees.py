"""Random models that move in every way there is: all joint kinds, several roots, any limits."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from robotix.geometry import Array, Pose, exp_rotation
from robotix.model import Body, ControlPoint, Joint, Mimic, Model, PathSegment, PlanarPath

KINDS = ("revolute", "revolute", "revolute", "prismatic", "path", "fixed", "mimic")


def random_path(rng: np.random.Generator) -> PlanarPath:
    """Return a path of straights, arcs and blends."""
    segments, curvature = [], 0.0
    for _ in range(int(rng.integers(1, 5))):
        end = float(rng.uniform(-3, 3)) if rng.random() < 0.6 else 0.0
        length = float(rng.uniform(0.1, 1.0))
        jumps = rng.random() < 0.3  # a straight meets an arc
        segments.append(PathSegment(length, end if jumps else curvature, end))
        curvature = end
    x, y, angle, heading = rng.uniform(-1, 1, 4).tolist()
    return PlanarPath(tuple(segments), (x, y), angle, heading)


def random_axis(rng: np.random.Generator) -> Array:
    if rng.random() < 0.5:
        return np.asarray(np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0]))
    return rng.normal(size=3)


def random_limits(rng: np.random.Generator) -> dict[str, Any]:
    lower, upper = sorted(rng.uniform(-3, 3, 2).tolist())
    if rng.random() < 0.25:
        lower, upper = -math.inf, math.inf
    elif rng.random() < 0.05:
        upper = lower
    velocity = float(rng.uniform(0.2, 5)) if rng.random() < 0.8 else math.inf
    return {
        "lower": lower,
        "upper": upper,
        "velocity": velocity,
        "acceleration": float(rng.uniform(1, 30)) if rng.random() < 0.8 else math.inf,
    }


def random_joint(
    rng: np.random.Generator, name: str, sources: list[str], kinds: tuple[str, ...] = KINDS
) -> Joint:
    kind = kinds[rng.integers(len(kinds))]
    limits = random_limits(rng)
    if kind == "mimic" and sources:
        ratio, offset = rng.uniform(-2, 2, 2).tolist()
        tied = Mimic(sources[rng.integers(len(sources))], ratio, offset)
        sliding = rng.random() < 0.3
        return Joint(name, "prismatic" if sliding else "revolute", random_axis(rng), mimic=tied)
    if kind == "path":
        return Joint(name, "path", path=random_path(rng), **limits)
    if kind == "fixed":
        return Joint(name)
    return Joint(
        name, "prismatic" if kind == "prismatic" else "revolute", random_axis(rng), **limits
    )


def random_body(rng: np.random.Generator, name: str, joint: Joint, parent: str | None) -> Body:
    R = exp_rotation(rng.normal(size=3))
    placement = Pose(exp_rotation(rng.normal(size=3)), rng.uniform(-0.5, 0.5, 3))
    if rng.random() < 0.1:
        return Body(name, joint, parent, placement)
    a, b = rng.uniform(0.01, 0.1, 2)
    inertia = R @ np.diag([a, b, rng.uniform(abs(a - b), a + b)]) @ R.T
    return Body(
        name,
        joint,
        parent,
        placement,
        mass=float(rng.uniform(0.1, 5.0)),
        com=rng.uniform(-0.2, 0.2, 3),
        inertia=(inertia + inertia.T) / 2,
    )


def make_random_tree(
    rng: np.random.Generator,
    *,
    most: int = 12,
    floating: bool | None = None,
    kinds: tuple[str, ...] = KINDS,
) -> Model:
    """Return a tree of 1 to `most` bodies that has at least one coordinate, and a point `tool`."""
    floats = bool(rng.random() < 0.3) if floating is None else floating
    root = Joint("root", "floating") if floats else Joint("root", "revolute", random_axis(rng))
    bodies = [random_body(rng, "base", root, None)]
    sources = [] if floats else ["root"]
    for i in range(int(rng.integers(most))):
        joint = random_joint(rng, f"joint{i}", sources, kinds)
        if joint.kind in ("revolute", "prismatic") and joint.mimic is None:
            sources.append(joint.name)
        parent = bodies[rng.integers(len(bodies))].name if rng.random() < 0.95 else None
        bodies.append(random_body(rng, f"link{i}", joint, parent))
    tool = ControlPoint(bodies[rng.integers(len(bodies))].name, bodies[-1].placement)
    return Model("random", tuple(bodies), points={"tool": tool}, tip="tool")


def random_posture(model: Model, rng: np.random.Generator) -> Array:
    """Return joint positions inside the limits; where there are none, anywhere within ±π."""
    low = np.where(np.isfinite(model.lower), model.lower, -math.pi)
    high = np.where(np.isfinite(model.upper), model.upper, math.pi)
    return rng.uniform(low, np.maximum(low, high))
