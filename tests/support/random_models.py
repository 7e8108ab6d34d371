"""Random robots for round trips: every kind of joint, shape and limit that files can carry."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Box, Capsule, Cylinder, Mesh, Pose, Shape, Sphere, exp_rotation
from robotix.model import Body, ControlPoint, Joint, JointKind, Mimic, Model, Visual


def random_pose(rng: np.random.Generator) -> Pose:
    return Pose(exp_rotation(rng.normal(size=3)), rng.normal(size=3))


def random_shape(rng: np.random.Generator, *, meshes: bool) -> Shape:
    pose, (a, b, c) = random_pose(rng), rng.uniform(0.1, 1.0, 3).tolist()
    shapes: list[Shape] = [
        Box(np.array([a, b, c]), pose),
        Sphere(a, pose),
        Cylinder(a, b, pose),
        Capsule(a, b, pose),
        Mesh("package://parts/a & b.stl", (a, -b, c), pose),
    ]
    return shapes[rng.integers(len(shapes) if meshes else len(shapes) - 1)]


def random_joint(rng: np.random.Generator, name: str, *, kinds: tuple[JointKind, ...]) -> Joint:
    kind = kinds[rng.integers(len(kinds))]
    if kind == "fixed":
        return Joint(name)
    lower, upper = sorted(rng.uniform(-3, 3, 2).tolist())
    if rng.random() < 0.2:
        lower, upper = -math.inf, math.inf
    velocity, acceleration, effort = rng.uniform(1, 9, 3).tolist()
    return Joint(
        name,
        kind,
        axis=rng.normal(size=3),
        lower=lower,
        upper=upper,
        velocity=velocity if rng.random() < 0.8 else math.inf,
        acceleration=acceleration if rng.random() < 0.8 else math.inf,
        effort=effort if rng.random() < 0.8 else math.inf,
    )


def random_body(
    rng: np.random.Generator, name: str, *, joint: Joint, parent: str | None, meshes: bool
) -> Body:
    R = exp_rotation(rng.normal(size=3))
    a, b = rng.uniform(0.1, 1.0, 2)
    moments = np.array([a, b, rng.uniform(abs(a - b), a + b)])
    inertia = R @ np.diag(moments) @ R.T
    return Body(
        name,
        joint,
        parent,
        random_pose(rng),
        mass=float(rng.uniform(0.1, 5.0)),
        com=rng.normal(size=3),
        inertia=(inertia + inertia.T) / 2,
        collision=(random_shape(rng, meshes=meshes),),
        visuals=(Visual(random_shape(rng, meshes=meshes), (0.25, 0.5, 0.75, 1.0)),),
    )


def random_tree(
    rng: np.random.Generator, *, floating: bool = False, meshes: bool = True, most: int = 12
) -> Model:
    """Return a branching robot, one of whose joints mimics another."""
    root = Joint("root", "floating" if floating else "fixed")
    bodies = [random_body(rng, "base", joint=root, parent=None, meshes=meshes)]
    for i in range(int(rng.integers(2, most))):
        kinds: tuple[JointKind, ...] = ("revolute", "prismatic", "fixed")
        joint = random_joint(rng, f"joint {i}", kinds=kinds if i else ("revolute",))
        parent = bodies[rng.integers(len(bodies))].name
        bodies.append(random_body(rng, f"link {i}", joint=joint, parent=parent, meshes=meshes))
    tied = Joint("tied", "prismatic", lower=-1, upper=1, mimic=Mimic("joint 0", -0.5, 0.1))
    bodies.append(random_body(rng, "finger", joint=tied, parent="link 0", meshes=meshes))
    points = {"tool": ControlPoint("finger", random_pose(rng))}
    return Model("random <robot> & co", tuple(bodies), points=points, tip="tool")


def random_chain(rng: np.random.Generator, *, meshes: bool = True) -> Model:
    """Return a serial robot with a base, a fixed body half-way and a tool point."""
    bodies = [random_body(rng, "base", joint=Joint("base_fixed"), parent=None, meshes=meshes)]
    for i in range(int(rng.integers(1, 8))):
        joint = random_joint(rng, f"joint_{i}", kinds=("revolute", "prismatic"))
        bodies.append(
            random_body(rng, f"link_{i}", joint=joint, parent=bodies[-1].name, meshes=meshes)
        )
        if i == 2:
            held = Joint("held")
            bodies.append(
                random_body(rng, "sensor", joint=held, parent=bodies[-1].name, meshes=meshes)
            )
    points = {"tool": ControlPoint(bodies[-1].name, random_pose(rng))}
    return Model("chain", tuple(bodies), points=points, tip="tool")
