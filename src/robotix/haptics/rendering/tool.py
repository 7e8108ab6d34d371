"""A tool that touches solids at several points: forces and torques in a device's loop."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField
from robotix.geometry import Array, Pose, Shape
from robotix.haptics.loop.environment import GivenWrench
from robotix.haptics.loop.loop import HapticLoop
from robotix.haptics.rendering.proxy import ProxyBall, ProxyContact

__all__ = ["ProxyTool"]


class ProxyTool:
    """Balls at points of the handle, each with its proxy; springs between them are felt.

    `element` belongs into the loop's environment, at the place `slot`; `touch` renews it before
    every sample:

        tool = ProxyTool([mesh], loop_pose)
        loop = HapticLoop(device, q0, elements=[tool.element()])
        tool.touch(loop)
        loop.step()

    Args:
        solids: In the base frame of the device.
        pose: Of the handle at the start; all points must be outside the solids.
        points: In the frame of the handle, m; the handle itself when empty.
        stiffness: Of each spring, N/m.
        damping: Of each spring along the contact, N s/m.
        radius: Of the balls, m.
        friction: Coefficient.
        slot: The place of `element` in the environment.
    """

    def __init__(
        self,
        solids: Sequence[Shape],
        pose: Pose,
        *,
        points: Sequence[ArrayLike] = (),
        stiffness: float = 3000.0,
        damping: float = 0.0,
        radius: float = 0.005,
        friction: float = 0.0,
        slot: int = 0,
    ) -> None:
        for name, value in (("stiffness", stiffness), ("damping", damping)):
            if not 0 <= value < math.inf:
                raise BadField(name, "a finite number, not negative", value)
        self.stiffness, self.damping, self.slot = stiffness, damping, slot
        self.points = np.atleast_2d(np.array(points if len(points) else [np.zeros(3)], dtype=float))
        self.proxies = [
            ProxyBall(solids, pose.apply(point), radius=radius, friction=friction)
            for point in self.points
        ]
        self.wrench = np.zeros(6)

    def element(self) -> GivenWrench:
        """Return the part of the environment that shows the wrench of the last touch."""
        return GivenWrench(tuple(float(each) for each in self.wrench))

    @property
    def contacts(self) -> tuple[ProxyContact, ...]:
        """All points of contact."""
        return tuple(contact for proxy in self.proxies for contact in proxy.contacts)

    def feel(self, pose: Pose, twist: ArrayLike = (0, 0, 0, 0, 0, 0)) -> Array:
        """Return f_r at a pose and twist of the handle, (6,)."""
        velocity = np.asarray(twist, dtype=float)
        total = np.zeros(6)
        for proxy, point in zip(self.proxies, self.points, strict=True):
            arm = pose.rotation @ point
            at = pose.translation + arm
            gap = at - proxy.follow(at)
            if not proxy.contacts:
                continue
            force = self.stiffness * gap
            direction = gap / max(float(np.linalg.norm(gap)), 1e-12)
            rate = float((velocity[:3] + np.cross(velocity[3:], arm)) @ direction)
            force = force + self.damping * max(rate, 0.0) * direction  # on the way in
            total[:3] += force
            total[3:] += np.cross(arm, force)
        self.wrench = total
        return total

    def move_solid(self, index: int, pose: Pose) -> None:
        """Put a solid somewhere else, in the base frame of the device."""
        for proxy in self.proxies:
            proxy.move_solid(index, pose)

    def touch(self, loop: HapticLoop) -> None:
        """Feel at the virtual handle of a loop, and put the wrench into its environment."""
        self.feel(loop.virtual_pose, loop.virtual_twist)
        loop.replace_element(self.slot, self.element())
