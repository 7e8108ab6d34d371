"""Robots whose joints are simulated: position servos follow what their drives ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from robotix.dynamics import inverse_dynamics
from robotix.dynamics.simulation import Mechanism, MountedObject, Servo, Simulation
from robotix.dynamics.simulation.holding import holding_servos
from robotix.geometry import Array, Pose
from robotix.model import Model
from robotix.scene.robots.robot import Robot

__all__ = ["ServoDrives", "SimulatedRobot", "servo_mechanism"]

BANDWIDTH = 60.0  # rad/s, of a joint with all that hangs on it; critically damped


@dataclass(frozen=True, eq=False)
class SimulatedRobot:
    """All that is needed to simulate a robot, so that a thread can compile it."""

    name: str
    model: Model
    q: Array  # (n_dof,); servos that are not known yet get their gains there
    pose: Pose  # world_from_base
    cut: frozenset[str] = frozenset()  # joints
    servos: Mapping[str, Servo] | None = None


def servo_mechanism(robot: SimulatedRobot, mounted: Sequence[MountedObject] = ()) -> Mechanism:
    """Return a robot with a position servo for every joint but mimics and a floating root.

    Gains are such that each joint by itself, with the inertia that it moves in the posture, is
    critically damped at `BANDWIDTH`; effort limits are those of the model. A joint whose effort is
    limited to zero moves freely.
    """
    servos = robot.servos
    if servos is None:
        efforts = {joint.name: joint.effort for joint in robot.model.joints}
        made = holding_servos(robot.model, robot.q, frequency=BANDWIDTH)
        servos = {name: servo for name, servo in made.items() if efforts[name] > 0}
    return Mechanism(
        robot.name, robot.model, robot.pose, servos, cut=robot.cut, mounted=tuple(mounted)
    )


class ServoDrives:
    """Takes the joint positions that robots command, and gives back those that they reach."""

    def __init__(self, simulation: Simulation, mechanisms: Sequence[Mechanism]) -> None:
        self._simulation = simulation
        self._parts = {each.name: each for each in mechanisms}
        self._targets: dict[str, Array] = {}
        self._reached: dict[str, Array] = {}

    def resume(self, other: ServoDrives) -> None:
        """Take over the targets of another simulation."""
        for name in self._parts:
            if name in other._targets:
                self._targets[name] = other._targets[name]
                self._reached[name] = other._reached[name]

    def begin(self, robots: Mapping[str, Robot]) -> None:
        """Put robots that are new to the simulation where they are, at rest."""
        for name in self._parts:
            if name in robots and name not in self._reached:
                self._simulation.set_state(name, robots[name].q)
                self._targets[name] = self._reached[name] = robots[name].q

    def command(self, robots: Mapping[str, Robot]) -> None:
        """Command the joint positions of robots; one that did not move keeps its last target."""
        for name in self._parts:
            robot = robots.get(name)
            if robot is None:
                continue
            if robot.q is not self._reached[name]:
                self._targets[name] = robot.q
            self._simulation.command(name, q=self._targets[name], effort=self._weight(robot))

    def _weight(self, robot: Robot) -> Array | None:
        """Return the efforts that hold the robot's own weight, if it stands as its model says.

        Who floats has nothing to lean on, and of a robot in pieces the model does not know.
        """
        gravity = robot.base_rotation().T @ self._simulation.world.gravity
        is_whole = not self._parts[robot.name].cut
        floats = any(joint.kind == "floating" for joint in robot.model.joints)
        if floats or not is_whole or not np.allclose(gravity, robot.model.gravity, atol=1e-6):
            return None
        return inverse_dynamics(robot.model, robot.q)

    def read(self, robots: Mapping[str, Robot]) -> None:
        """Give robots the joint positions that they have reached, and where branches are."""
        for name, part in self._parts.items():
            robot = robots.get(name)
            if robot is None:
                continue
            q, dq = self._simulation.q(name), self._simulation.dq(name)
            if part.cut:
                lost = np.isnan(q)
                q[lost], dq[lost] = robot.q[lost], 0.0
            robot.detached = self._branches(part)
            robot.q = self._reached[name] = q
            robot.dq = dq
            robot.update_nodes()

    def _branches(self, part: Mechanism) -> dict[str, Pose]:
        """Return base_from_body of the bodies whose joints are cut."""
        if not part.cut:
            return {}
        base = part.pose.inverse()
        return {
            body.name: base @ self._simulation.pose(part.body(body.name))
            for body in part.model.bodies
            if body.joint.name in part.cut
        }

    def state(self) -> bytes:
        """Return the targets as bytes."""
        return b"".join(self._targets[name].tobytes() for name in sorted(self._targets))
