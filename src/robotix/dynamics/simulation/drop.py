"""A robot put on a floor, with servos that hold its posture: does it stand, and is it sane?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from robotix.dynamics.simulation.compile import MeshLoader
from robotix.dynamics.simulation.holding import holding_servos
from robotix.dynamics.simulation.parts import Mechanism, RigidObject, Servo, World
from robotix.dynamics.simulation.settings import CONTROL, Settings
from robotix.dynamics.simulation.simulation import Simulation
from robotix.dynamics.simulation.totals import Energy
from robotix.errors import BadField
from robotix.geometry import Array, Halfspace, Pose
from robotix.model import Joint, Model

__all__ = ["DropResult", "drop", "free_root", "on_floor_pose"]

CLEARANCE = 1e-3  # m, between the lowest point and the floor at the start
FALL_TILT = math.radians(60.0)  # of the root, since the start
FALL_SINK = 0.5  # of the height of the centre of mass
SAMPLE_STEPS = 10  # simulation steps between two samples
ROBOT = "robot"


@dataclass(frozen=True, eq=False)
class DropResult:
    """What happened to a robot on the floor."""

    seconds: float  # simulated
    mass: float  # kg, of all that moves
    start: Energy
    end: Energy
    max_kinetic: float  # J, over time
    max_energy: float  # J, kinetic and potential, over time
    max_speed: float  # rad/s or m/s, of any coordinate
    momentum: Array  # (3,), kg m/s, at the end
    angular_momentum: Array  # (3,), kg m²/s, about the CoM, at the end
    contacts: int  # points that touch at the end
    contact_force: float  # N, vertical, of all of them on the robot
    fell: bool
    times: Array  # (k,), s
    q: Array  # (k, n_dof)


def drop(
    model: Model,
    q: ArrayLike | None = None,
    *,
    seconds: float = 2.0,
    servos: Mapping[str, Servo] | None = None,
    settings: Settings = CONTROL,
    meshes: MeshLoader | None = None,
    on_sample: Callable[[float], None] = lambda time: None,
) -> DropResult:
    """Simulate a robot on a floor, its joints held at `q` (neutral when None) by servos.

    A robot with a floating root starts 1 mm above the floor; one with a fixed root stays where it
    is, with the floor below its lowest point. Servos are those of `holding_servos` when None.
    It fell if its root tilted by 60° or its centre of mass sank to half its height. Meshes collide
    if `meshes` loads them; `on_sample` is called every 10 steps with the time in s.
    """
    if not 0 < seconds <= 3600:
        raise BadField("seconds", "more than 0, at most 3600", seconds)
    posture = np.array(model.neutral if q is None else q, dtype=float)
    simulation = _on_floor(model, posture, servos, settings, meshes)
    start, com = simulation.energy(), simulation.momentum().com[2]
    floor = simulation.pose("floor").translation[2]
    root = _root(model)
    upright = simulation.pose(f"{ROBOT}/{root}").rotation[:, 2] if root else None
    samples, times = [simulation.q(ROBOT)], [0.0]
    kinetic, energy, speed, fell = start.kinetic, start.total, 0.0, False
    steps = round(seconds / settings.dt)
    for done in range(0, steps, SAMPLE_STEPS):
        simulation.step(min(SAMPLE_STEPS, steps - done))
        samples.append(simulation.q(ROBOT))
        times.append(simulation.time)
        on_sample(simulation.time)
        now = simulation.energy()
        kinetic, energy = max(kinetic, now.kinetic), max(energy, now.total)
        speed = max(speed, float(abs(simulation.data.qvel).max(initial=0.0)))
        if upright is not None and not fell:
            axis = simulation.pose(f"{ROBOT}/{root}").rotation[:, 2]
            sunk = simulation.momentum().com[2] - floor < FALL_SINK * (com - floor)
            fell = bool(axis @ upright < math.cos(FALL_TILT) or sunk)
    momentum = simulation.momentum()
    contacts = simulation.contacts()
    return DropResult(
        seconds=round(simulation.time, 9),
        mass=momentum.mass,
        start=start,
        end=simulation.energy(),
        max_kinetic=kinetic,
        max_energy=energy,
        max_speed=speed,
        momentum=momentum.linear,
        angular_momentum=momentum.angular,
        contacts=len(contacts),
        contact_force=float(sum(each.force[2] * _sign(each.second) for each in contacts)),
        fell=fell,
        times=np.array(times),
        q=np.array(samples),
    )


def free_root(model: Model) -> Model:
    """Return a model whose root floats, so that it can stand, fall and be thrown.

    URDF has no way to say so: its robots are fixed to the world.
    """
    bodies = list(model.bodies)
    if any(body.joint.kind == "floating" for body in bodies):
        return model
    roots = [k for k, body in enumerate(bodies) if body.parent is None]
    first = bodies[roots[0]]
    if len(roots) > 1 or first.joint.kind != "fixed":
        raise BadField("root", "one fixed body, which can be made to float", first.name)
    bodies[roots[0]] = replace(first, joint=Joint(first.joint.name, "floating"))
    return replace(model, bodies=tuple(bodies))


def on_floor_pose(model: Model, q: ArrayLike) -> Pose:
    """Return where the base must be so that the lowest point is 1 mm above the floor z = 0."""
    probe = Simulation(World(mechanisms=(Mechanism(ROBOT, model),)), replace(CONTROL, slots=0))
    probe.set_state(ROBOT, q)
    return Pose.at(0, 0, CLEARANCE - _lowest_point(probe))


def _root(model: Model) -> str | None:
    """Return the body that floats; None if none does."""
    return next((body.name for body in model.bodies if body.joint.kind == "floating"), None)


def _sign(second: str) -> float:
    """Contact forces act on the second body: on the robot, or on the floor by it."""
    return 1.0 if second.startswith(f"{ROBOT}/") else -1.0


def _on_floor(
    model: Model,
    q: Array,
    servos: Mapping[str, Servo] | None,
    settings: Settings,
    meshes: MeshLoader | None,
) -> Simulation:
    held = holding_servos(model, q) if servos is None else dict(servos)
    bare = World(mechanisms=(Mechanism(ROBOT, model, servos=held),))
    probe = Simulation(bare, replace(settings, slots=0), meshes=meshes)
    probe.set_state(ROBOT, q)
    lowest = _lowest_point(probe)
    has_own_floor = any(
        isinstance(shape, Halfspace) for body in model.bodies for shape in body.collision
    )
    if _root(model) is None or has_own_floor:
        height, lift = min(lowest, 0.0) - CLEARANCE, 0.0
    else:
        height, lift = 0.0, CLEARANCE - lowest
    floor = RigidObject("floor", (Halfspace(),), Pose.at(0, 0, height), mobility="static")
    part = Mechanism(ROBOT, model, Pose.at(0, 0, lift), servos=held)
    simulation = Simulation(World((floor,), (part,), model.gravity), settings, meshes=meshes)
    simulation.set_state(ROBOT, q)
    simulation.command(ROBOT, q=q)
    return simulation


def _lowest_point(simulation: Simulation) -> float:
    """Return the height of the lowest point of all solids but planes, m; 0 without any."""
    simulation.forward()
    native, data = simulation.model, simulation.data
    return min((_bottom(native, data, k) for k in range(native.ngeom)
                if native.geom_type[k] != mujoco.mjtGeom.mjGEOM_PLANE), default=0.0)  # fmt: skip


def _bottom(native: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """Return the height of the lowest point of a solid, m."""
    types, kind = mujoco.mjtGeom, native.geom_type[geom]
    size, z = native.geom_size[geom], float(data.geom_xpos[geom, 2])
    up = data.geom_xmat[geom].reshape(3, 3)[2]  # the world's z in the solid's frame
    if kind == types.mjGEOM_SPHERE:
        return z - float(size[0])
    if kind == types.mjGEOM_CAPSULE:
        return z - float(size[0] + size[1] * abs(up[2]))
    if kind == types.mjGEOM_CYLINDER:
        return z - float(size[0] * math.hypot(up[0], up[1]) + size[1] * abs(up[2]))
    if kind == types.mjGEOM_BOX:
        return z - float(size @ abs(up))
    mesh = int(native.geom_dataid[geom])
    first = int(native.mesh_vertadr[mesh])
    vertices = native.mesh_vert[first : first + int(native.mesh_vertnum[mesh])]
    return z + float((vertices @ up).min())
