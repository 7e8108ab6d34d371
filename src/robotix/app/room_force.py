"""The force that a room exerts on a robot, its tool and what it holds.

- Where physics moves the robot, or the thing that it pushes, it is the sum of the simulated contact
  forces, as means over the last tick.
- Where nothing moves by forces, the robot is the proxy of the handle that leads it: it stays
  outside of things (`stop_at_contact`), and a spring leads from where the handle wants it to be to
  the nearest place on the free side of all surfaces that it touches.

What does not touch is not felt: neither the lag of a motion, nor a limit of a joint.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.haptics.rendering.proxy import nearest_free
from robotix.scene.robots.driven import DrivenRobot
from robotix.scene.scene import Scene

__all__ = ["RoomForce"]

MARGIN = 1.5e-3  # m; a robot that stops at contacts may stand this far off


class RoomForce:
    """Tells the force of a room on one of its robots.

    What the robot overlaps from the start, such as the table through which it is bolted, is not
    felt.

    Args:
        scene: The room.
        robot: One of its robots.
        stiffness: Of the spring to its proxy, N/m, where nothing moves by forces.
    """

    def __init__(self, scene: Scene, robot: DrivenRobot, *, stiffness: float) -> None:
        self.scene, self.robot, self.stiffness = scene, robot, stiffness
        scene.physics.prepare()
        scene.physics.contact_forces()  # measures them from now on
        self._given = {
            frozenset((mine, other))
            for mine, other, nearest in scene.contacts.near(self._own(), MARGIN)
            if nearest.distance <= 0
        }

    def __call__(self, lag: Array) -> Array:
        """Return the force of the room on the robot, (3,), N.

        `lag` leads from where its end-effector is to where it should be, (3,), m.
        """
        own, physics = self._own(), self.scene.physics
        force = self._simulated(own)
        if physics.is_on and self.robot.name in physics.simulated:
            return force
        return force + self.stiffness * self._displacement(own, lag)

    def _own(self) -> set[str]:
        return {node.name for node in self.robot.node.branch()}

    def _simulated(self, own: set[str]) -> Array:
        """Return the sum of the simulated contact forces of the last tick, (3,), N."""
        total = np.zeros(3)
        for (first, second), force in self.scene.physics.contact_forces().items():
            is_first, is_second = first in own, second in own
            if is_first != is_second and {first, second} not in self._given:
                total += force if is_second else -force
        return total

    def _displacement(self, own: set[str], lag: Array) -> Array:
        """Return from where the robot should be to the free side of what it touches, (3,), m."""
        graph, physics = self.scene.graph, self.scene.physics
        planes = []
        for mine, other, nearest in self.scene.contacts.near(own, MARGIN):
            node = graph[other]
            is_pushed = any(physics.is_simulated(each) for each in (node, *node.ancestors()))
            if {mine, other} not in self._given and not is_pushed:
                planes.append((nearest.distance, nearest.normal))
        return nearest_free(np.zeros(3), lag, planes) - lag
