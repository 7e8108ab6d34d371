"""Random worlds and what happens in them: absurd masses, overlaps, pushes, connections."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from support.random_trees import make_random_tree

from robotix.dynamics.simulation import (
    BallJoint,
    ContactSurface,
    HingeJoint,
    LoopJoint,
    Mechanism,
    RigidObject,
    Servo,
    Settings,
    Simulation,
    SliderJoint,
    WeldJoint,
    World,
)
from robotix.geometry import Box, Capsule, Cylinder, Halfspace, Pose, Shape, Sphere, exp_rotation

JOINTS = ("revolute", "revolute", "prismatic", "fixed", "mimic")
MOBILITIES = ("free", "free", "free", "driven", "static")


def random_pose(rng: np.random.Generator, *, spread: float = 0.5) -> Pose:
    return Pose(exp_rotation(rng.normal(size=3)), spread * rng.normal(size=3))


def random_shape(rng: np.random.Generator) -> Shape:
    a, b, c = 10 ** rng.uniform(-3, 0.5, 3)
    pose = random_pose(rng, spread=0.1)
    kinds: list[Callable[[], Shape]] = [
        lambda: Sphere(a, pose=pose),
        lambda: Box(np.array([a, b, c]), pose=pose),
        lambda: Capsule(a, b, pose=pose),
        lambda: Cylinder(a, b, pose=pose),
    ]
    return kinds[rng.integers(len(kinds))]()


def random_object(rng: np.random.Generator, name: str) -> RigidObject:
    return RigidObject(
        name,
        tuple(random_shape(rng) for _ in range(int(rng.integers(1, 3)))),
        random_pose(rng),
        MOBILITIES[rng.integers(len(MOBILITIES))],  # type: ignore[arg-type]
        mass=float(10 ** rng.uniform(-6, 6)) if rng.random() < 0.7 else None,
        density=float(10 ** rng.uniform(-3, 5)),
        surface=ContactSurface(
            friction=float(rng.uniform(0, 2)),
            torsion=float(rng.uniform(0, 0.1)),
            restitution=float(rng.uniform(0, 1)),
        ),
    )


def random_mechanism(rng: np.random.Generator, name: str) -> Mechanism:
    model = make_random_tree(rng, most=6, kinds=JOINTS)
    servos = {}
    for joint in model.joints:
        if joint.kind in ("revolute", "prismatic") and not joint.mimic and rng.random() < 0.5:
            stiffness, damping, effort = (10 ** rng.uniform(-2, 6, 3)).tolist()
            servos[joint.name] = Servo(stiffness, damping, effort=effort)
    return Mechanism(name, model, random_pose(rng), servos)


def random_world(rng: np.random.Generator) -> World:
    floor = RigidObject("floor", (Halfspace(Pose.at(0, 0, -1)),), mobility="static")
    objects = [random_object(rng, f"thing{k}") for k in range(int(rng.integers(1, 6)))]
    mechanisms = [random_mechanism(rng, f"robot{k}") for k in range(int(rng.integers(0, 3)))]
    return World((floor, *objects), tuple(mechanisms))


def random_settings(rng: np.random.Generator) -> Settings:
    dt = float(10 ** rng.uniform(-3.5, -2))
    return Settings(
        dt=dt,
        integrator="rk4" if rng.random() < 0.5 else "implicitfast",
        time_constant=2 * dt,
        contact_time_constant=5 * dt,
        slots=int(rng.integers(0, 8)),
        sliders=int(rng.integers(0, 3)),
    )


def random_joint(rng: np.random.Generator) -> LoopJoint:
    at, axis = rng.normal(size=(2, 3))
    kinds = (WeldJoint(), BallJoint(at), HingeJoint(at, axis), SliderJoint(axis))
    return kinds[rng.integers(4)]


def act(simulation: Simulation, rng: np.random.Generator) -> None:
    """Do something, sensible or not."""
    names = [row.name for row in simulation.link_table().rows if not row.real]
    one, other = (names[k] for k in rng.integers(len(names), size=2))
    match int(rng.integers(7)):
        case 0:
            simulation.connect(one, other, random_joint(rng))
        case 1 if simulation.connections:
            simulation.cut(simulation.connections[rng.integers(len(simulation.connections))])
        case 2 if simulation.joint_names:
            simulation.cut(simulation.joint_names[rng.integers(len(simulation.joint_names))])
        case 3:
            simulation.push(one, 10 ** rng.uniform(0, 6) * rng.normal(size=3))
        case 4:
            simulation.set_pose(one, random_pose(rng), twist=10 * rng.normal(size=6))
        case 5 if simulation.world.mechanisms:
            part = simulation.world.mechanisms[rng.integers(len(simulation.world.mechanisms))]
            n = part.model.n_dof
            simulation.command(part.name, q=rng.normal(size=n), effort=1e3 * rng.normal(size=n))
        case _:
            simulation.push(one, np.zeros(3))
