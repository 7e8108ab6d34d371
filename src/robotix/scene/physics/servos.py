"""Robots whose joints are simulated: position servos follow what their drives ask for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from robotix.dynamics import inverse_dynamics
from robotix.dynamics.simulation import Mechanism, Simulation
from robotix.dynamics.simulation.holding import holding_servos
from robotix.geometry import Array
from robotix.scene.robots.robot import Robot

__all__ = ["ServoDrives", "servo_mechanism"]

BANDWIDTH = 60.0  # rad/s, of a joint with all that hangs on it; critically damped


def servo_mechanism(robot: Robot) -> Mechanism:
    """Return a robot with a position servo for every joint but mimics and a floating root.

    Gains are such that each joint by itself, with the inertia that it moves in the current posture,
    is critically damped at `BANDWIDTH`; effort limits are those of the model.
    """
    servos = holding_servos(robot.model, robot.q, frequency=BANDWIDTH)
    return Mechanism(robot.name, robot.model, robot.node.world_pose, servos)


class ServoDrives:
    """Takes the joint positions that robots command, and gives back those that they reach."""

    def __init__(self, simulation: Simulation, mechanisms: Sequence[Mechanism]) -> None:
        self._simulation = simulation
        self._names = [each.name for each in mechanisms]
        self._targets: dict[str, Array] = {}
        self._reached: dict[str, Array] = {}

    def resume(self, other: ServoDrives) -> None:
        """Take over the targets of another simulation."""
        for name in self._names:
            if name in other._targets:
                self._targets[name], self._reached[name] = (
                    other._targets[name],
                    other._reached[name],
                )

    def command(self, robots: Mapping[str, Robot]) -> None:
        """Command the joint positions of robots; one that did not move keeps its last target."""
        for name in self._names:
            robot = robots.get(name)
            if robot is None:
                continue
            if name not in self._reached:
                self._simulation.set_state(name, robot.q)
                self._targets[name] = robot.q
            elif robot.q is not self._reached[name]:
                self._targets[name] = robot.q
            self._simulation.command(name, q=self._targets[name], effort=self._weight(robot))

    def _weight(self, robot: Robot) -> Array | None:
        """Return the efforts that hold the robot's own weight, if it stands as its model says."""
        gravity = robot.base_rotation().T @ self._simulation.world.gravity
        if not np.allclose(gravity, robot.model.gravity, atol=1e-6):
            return None
        return inverse_dynamics(robot.model, robot.q)

    def read(self, robots: Mapping[str, Robot]) -> None:
        """Give robots the joint positions that they have reached."""
        for name in self._names:
            robot = robots.get(name)
            if robot is not None:
                robot.q = self._reached[name] = self._simulation.q(name)
                robot.dq = self._simulation.dq(name)
                robot.update_nodes()

    def state(self) -> bytes:
        """Return the targets as bytes."""
        return b"".join(self._targets[name].tobytes() for name in sorted(self._targets))
