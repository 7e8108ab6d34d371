"""A chain of rods in flight: its momentum, and its motion after a hinge has caught it.

The reference of the caught chain is the same chain with its tree inverted: rooted at the link that
is caught, so that no constraint is needed.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from robotix.dynamics.simulation import EXACT, HingeJoint, Mechanism, Simulation, World
from robotix.dynamics.validation.check import Check
from robotix.dynamics.validation.rods import GRAVITY, rod
from robotix.geometry import Array, Pose
from robotix.model import Joint, Model

__all__ = ["caught_chain_checks", "free_fall_checks", "make_chain", "start_chain"]

LINKS, LENGTH = 4, 0.3  # m
AXES = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])  # of the joints in turn
SPIN = np.array([1.0, 0.5, 2.0, 1.0, -0.7, 1.4])  # m/s and rad/s of the first link at the start
SECONDS = 2.0
EVERY = 10  # steps between comparisons
CATCHING_AXIS = np.array([0.0, 1.0, 0.0])  # in the frame of the last link


def free_fall_checks() -> Iterator[Check]:
    """Yield the deviations of momenta and centre of mass of a tumbling chain."""
    simulation = start_chain()
    start = simulation.momentum()
    falling = np.array([0.0, 0.0, -GRAVITY])
    linear = angular = position = 0.0
    for k in range(1, round(SECONDS / EXACT.dt) // EVERY + 1):
        simulation.step(EVERY)
        now, t = simulation.momentum(), k * EVERY * EXACT.dt
        linear = max(linear, _distance(now.linear, start.linear + now.mass * falling * t))
        angular = max(angular, _distance(now.angular, start.angular))
        path = start.com + start.linear / start.mass * t + falling * t**2 / 2
        position = max(position, _distance(now.com, path))
    size = float(np.linalg.norm(start.angular))
    yield Check("free fall: linear momentum", linear, 1e-8, "kg m/s")
    yield Check("free fall: angular momentum", angular / size, 1e-7, "")
    yield Check("free fall: centre of mass", position, 1e-8, "m")


def caught_chain_checks() -> Iterator[Check]:
    """Yield how far a caught chain is from the inverted tree after two seconds."""
    simulation = start_chain()
    simulation.step(200)
    last = f"chain/link{LINKS - 1}"
    world_from_end = simulation.pose(last) @ Pose.at(LENGTH, 0, 0)
    axis = world_from_end.rotation @ CATCHING_AXIS
    simulation.connect("world", last, HingeJoint(world_from_end.translation, axis))
    reference = _inverted(simulation, world_from_end)
    gap = far = 0.0
    for _ in range(round(SECONDS / EXACT.dt) // EVERY):
        simulation.step(EVERY)
        reference.step(EVERY)
        end = simulation.pose(last).apply(np.array([LENGTH, 0.0, 0.0]))
        gap = max(gap, _distance(end, world_from_end.translation))
        one = simulation.pose("chain/link0").translation
        other = reference.pose("chain/link0").apply(np.array([-LENGTH, 0.0, 0.0]))
        far = max(far, _distance(one, other))
    yield Check("caught chain: gap of the hinge", gap, 1e-6, "m")
    yield Check("caught chain: free end", far, 1e-5, "m")


def start_chain() -> Simulation:
    """Return a chain of four rods in flight, bent and tumbling."""
    simulation = Simulation(World(mechanisms=(Mechanism("chain", make_chain()),)), EXACT)
    bends = np.linspace(0.3, 0.9, LINKS - 1)
    rates = np.linspace(-1.0, 1.0, LINKS - 1)
    simulation.set_state("chain", np.array([0, 0, 5, 0.2, -0.3, 0.4, *bends]), [*SPIN, *rates])
    return simulation


def make_chain() -> Model:
    """Return the chain: rods along x, with the root at the free end of the first."""
    bodies = [rod("link0", Joint("root", "floating"), length=LENGTH)]
    for k in range(1, LINKS):
        joint = Joint(f"joint{k}", "revolute", AXES[k % 2])
        bodies.append(rod(f"link{k}", joint, f"link{k - 1}", length=LENGTH, at=(LENGTH, 0, 0)))
    return Model("chain", tuple(bodies))


def _inverted(simulation: Simulation, world_from_end: Pose) -> Simulation:
    """Return the chain rooted at the end of its last link, in the state of `simulation`."""
    joint = Joint("catch", "revolute", CATCHING_AXIS)
    last = LINKS - 1
    bodies = [rod(f"link{last}", joint, length=LENGTH, start=-LENGTH)]
    for k in range(last, 0, -1):
        joint = Joint(f"joint{k}", "revolute", -AXES[k % 2])
        bodies.append(
            rod(f"link{k - 1}", joint, f"link{k}", length=LENGTH, start=-LENGTH,
                at=(-LENGTH, 0, 0))
        )  # fmt: skip
    part = Mechanism("chain", Model("inverted chain", tuple(bodies)), world_from_end)
    out = Simulation(World(mechanisms=(part,)), EXACT)
    spin = world_from_end.rotation.T @ simulation.twist(f"chain/link{last}")[3:]
    q, dq = simulation.q("chain")[6:], simulation.dq("chain")[6:]
    out.set_state("chain", [0.0, *q[::-1]], [float(spin @ CATCHING_AXIS), *dq[::-1]])
    return out


def _distance(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))
