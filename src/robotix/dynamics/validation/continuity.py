"""Connecting and cutting: what must not change at that instant, and what must stay closed after it.

Two boxes in space, both moving and turning, are connected, go on for a second and are cut; and a
tumbling chain is cut in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robotix.dynamics.simulation import (
    EXACT,
    BallJoint,
    HingeJoint,
    LoopJoint,
    RigidObject,
    Settings,
    Simulation,
    SliderJoint,
    WeldJoint,
    World,
)
from robotix.dynamics.validation.chains import LINKS, start_chain
from robotix.dynamics.validation.check import Check
from robotix.geometry import Array, Box, Pose

__all__ = ["continuity_checks", "tree_cut_checks"]

AT, AXIS = np.array([0.5, 0.1, 0.1]), np.array([0.0, 0.6, 0.8])
JOINTS: tuple[LoopJoint, ...] = (
    WeldJoint(), BallJoint(AT), HingeJoint(AT, AXIS), SliderJoint(AXIS)
)  # fmt: skip
TWISTS = {
    "a": (0.3, 0.8, 0.3, -3.9, 2.7, 1.3),
    "b": (-0.5, 0.6, 0.4, 0.9, 1.6, -2.2),
}  # m/s and rad/s
SECONDS = 1.0


def continuity_checks(settings: Settings = EXACT) -> Iterator[Check]:
    """Yield jumps and drifts of every kind of connection."""
    for joint in JOINTS:
        yield from _connection_checks(joint, settings)


def _connection_checks(joint: LoopJoint, settings: Settings) -> Iterator[Check]:
    simulation = _two_boxes(settings)
    start = {name: simulation.pose(name) for name in TWISTS}
    before, kind = _momenta(simulation), joint.kind
    made = simulation.connect("a", "b", joint)
    jump = max(float(abs(simulation.pose(n).matrix - start[n].matrix).max()) for n in TWISTS)
    yield Check(f"connect, {kind}: position", jump, 0.0, "m")
    yield Check(f"connect, {kind}: velocity left", _forbidden(simulation, joint), 1e-8, "m/s")
    yield Check(f"connect, {kind}: momentum", _most(_momenta(simulation) - before), 1e-10, "kg m/s")
    gap = 0.0
    for _ in range(round(SECONDS / settings.dt) // 10):
        simulation.step(10)
        gap = max(gap, _gap(simulation, joint, start))
    yield Check(f"connect, {kind}: gap", gap, 1e-6, "m")
    yield Check(f"connect, {kind}: momentum after 1 s", _most(_momenta(simulation) - before), 5e-6,
                "kg m/s")  # fmt: skip
    twists = {name: simulation.twist(name) for name in TWISTS}
    simulation.cut(made)
    jump = max(_most(simulation.twist(name) - twists[name]) for name in TWISTS)
    yield Check(f"cut, {kind}: velocity", jump, 0.0, "m/s")


def tree_cut_checks() -> Iterator[Check]:
    """Yield the jumps where a chain in flight is cut in the middle."""
    simulation = start_chain()
    simulation.step(500)
    links = [f"chain/link{k}" for k in range(LINKS)]
    before = _momenta(simulation)
    poses = {name: simulation.pose(name).matrix for name in links}
    twists = {name: simulation.twist(name) for name in links}
    simulation.cut("chain/joint2")
    after = _momenta(simulation)
    position = max(_most(simulation.pose(name).matrix - poses[name]) for name in links)
    velocity = max(_most(simulation.twist(name) - twists[name]) for name in links)
    yield Check("cut, tree joint: position", position, 1e-14, "m")
    yield Check("cut, tree joint: velocity", velocity, 1e-13, "m/s")
    yield Check("cut, tree joint: momentum", _most(after - before), 1e-13, "kg m/s")


def _two_boxes(settings: Settings) -> Simulation:
    a = RigidObject("a", (Box(np.array([0.3, 0.2, 0.1])),), mass=2.0)
    b = RigidObject("b", (Box(np.array([0.1, 0.2, 0.3])),), Pose.at(1.0, 0.1, 0.2), mass=1.0)
    simulation = Simulation(World((a, b), gravity=np.zeros(3)), settings)
    for name, twist in TWISTS.items():
        simulation.set_pose(name, simulation.pose(name), twist=twist)
    return simulation


def _momenta(simulation: Simulation) -> Array:
    momentum = simulation.momentum()
    return np.array([*momentum.linear, *momentum.angular])


def _forbidden(simulation: Simulation, joint: LoopJoint) -> float:
    """Return the relative velocity that a joint does not allow, at `AT`."""
    twists = []
    for name in TWISTS:
        v = simulation.twist(name)
        arm = AT - simulation.pose(name).translation
        twists.append(np.array([*(v[:3] + np.cross(v[3:], arm)), *v[3:]]))
    linear, angular = np.split(twists[1] - twists[0], 2)
    if joint.kind == "slider":
        linear = linear - AXIS * (AXIS @ linear)
    if joint.kind == "hinge":
        angular = angular - AXIS * (AXIS @ angular)
    return max(_most(linear), 0.0 if joint.kind == "ball" else _most(angular))


def _gap(simulation: Simulation, joint: LoopJoint, start: dict[str, Pose]) -> float:
    """Return by how far the points at `AT` came apart, but for what a slider allows."""
    one, other = (simulation.pose(name).apply(start[name].inverse().apply(AT)) for name in TWISTS)
    apart = other - one
    if joint.kind == "slider":
        axis = simulation.pose("a").rotation @ start["a"].rotation.T @ AXIS
        apart = apart - axis * (axis @ apart)
    return float(np.linalg.norm(apart))


def _most(values: Array) -> float:
    return float(abs(values).max())
