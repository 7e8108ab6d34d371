"""The handle of a haptic device as a logical device of a room: it drives a robot, and feels it.

The room gets a reading of kind `hand`, which any rule or command may follow (`track_init`,
`track_toggle`). What the room does to the robot is felt in the hand, and may come late: the forces
of its contacts, or a spring between where the robot should be and where it is.
"""

from __future__ import annotations

import math
from collections import deque
from dataclasses import replace
from enum import StrEnum

import numpy as np

from robotix.app.room_force import RoomForce
from robotix.errors import BadField
from robotix.geometry import Array
from robotix.haptics.loop.environment import GivenWrench
from robotix.haptics.loop.loop import HapticLoop
from robotix.inputs.readings import Inputs, Reading
from robotix.scene.scene import Scene

__all__ = ["HapticHandle", "ReflectedForce"]


class ReflectedForce(StrEnum):
    """What is felt of the robot."""

    contact = "contact"  # the forces of what touches it, its tool and what it holds
    position_error = "position_error"  # a spring to where it should be: also lags and joint limits


class HapticHandle:
    """A device's loop that takes part in a room; `step` moves both on by one tick.

    Args:
        scene: The room, with the logical device declared as `hand`.
        loop: The device; its element `slot` takes the reflected force (`spare_element`).
        robot: The robot whose end-effector follows; the active one when empty.
        device: Name of the logical device.
        scale: Of the robot's motion, as given to `track_init`.
        reflects: What is felt.
        force_scale: Of the reflected force.
        stiffness: Of the spring that is felt where no force is simulated, N/m.
        max_force: Of the reflected force, N.
        delay: Of the reflected force, s, rounded to ticks of the room.
        slot: The place of the reflected force in the loop's environment.
    """

    def __init__(
        self,
        scene: Scene,
        loop: HapticLoop,
        *,
        robot: str = "",
        device: str = "handle",
        scale: float = 1.0,
        reflects: ReflectedForce = ReflectedForce.contact,
        force_scale: float = 1.0,
        stiffness: float = 400.0,
        max_force: float = 30.0,
        delay: float = 0.0,
        slot: int = 0,
    ) -> None:
        for name, value in (("scale", scale), ("max_force", max_force)):
            if not 0 < value < math.inf:
                raise BadField(name, "a positive number", value)
        for name, value in (
            ("stiffness", stiffness), ("delay", delay), ("force_scale", force_scale),
        ):  # fmt: skip
            if not 0 <= value < math.inf:
                raise BadField(name, "a finite number, not negative", value)
        self.scene, self.loop, self.device = scene, loop, device
        self.scale, self.stiffness, self.max_force, self.slot = scale, stiffness, max_force, slot
        self.reflects, self.force_scale = ReflectedForce(reflects), force_scale
        self.robot = scene.robot(robot)
        self._contact = RoomForce(scene, self.robot, stiffness=stiffness)
        self._handle, self._tip = loop.position, self._tip_position()
        self._late = deque([np.zeros(3)] * round(delay / scene.dt))
        self._time = 0.0

    @staticmethod
    def spare_element() -> GivenWrench:
        """Return an element without force, to be replaced."""
        return GivenWrench((0.0,) * 6)

    @property
    def lag(self) -> Array:
        """From where the robot is to where the handle wants it, (3,), m."""
        wanted = self._tip + self.scale * (self.loop.position - self._handle)
        return np.asarray(wanted - self._tip_position())

    def read(self, inputs: Inputs | None = None) -> Inputs:
        """Return the inputs of a tick with the reading of the handle added."""
        given = Inputs() if inputs is None else inputs
        x, y, z = (float(each) for each in self.loop.position)
        return replace(given, devices={**given.devices, self.device: Reading(position=(x, y, z))})

    def step(self, inputs: Inputs | None = None) -> None:
        """Move device and room on by one tick of the room."""
        self._reflect()
        self._time += self.scene.dt
        samples = int(self._time * self.loop.settings.rate + 1e-9)
        self._time -= samples / self.loop.settings.rate
        for _ in range(samples):
            self.loop.step()
        self.scene.step(self.read(inputs))

    @property
    def robot_force(self) -> Array:
        """Force of the robot on the room, as it is reflected now, (3,), N."""
        if self.reflects is ReflectedForce.position_error:
            return np.asarray(self.stiffness * self.lag)
        return -self._contact(self.lag)

    def _reflect(self) -> None:
        force = self.force_scale * self.robot_force
        size = float(np.linalg.norm(force))
        if size > self.max_force:
            force = force * (self.max_force / size)
        self._late.append(force)
        x, y, z = (float(each) for each in self._late.popleft())
        self.loop.replace_element(self.slot, GivenWrench((x, y, z, 0.0, 0.0, 0.0)))

    def _tip_position(self) -> Array:
        base = self.scene.graph[self.robot.name].world_pose
        return np.asarray(base.apply(self.robot.posture.position()))
