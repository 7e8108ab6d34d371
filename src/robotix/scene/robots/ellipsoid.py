"""The live manipulability ellipsoid: how fast an end-effector can move, and which way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Pose
from robotix.scene.graph.node import Attributes, EllipsoidSurface, Material, Node

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot

__all__ = ["EllipsoidView"]

SIZE = 0.25  # m drawn for 1 m/s per rad/s
GLASS = Material(colour=(0.2, 0.6, 1.0), opacity=0.4, name="ellipsoid")


class EllipsoidView:
    """A node below the robot that follows the velocity ellipsoid of its end-effector.

    Its half axes are the velocities of the end-effector for joint velocities of norm 1, shortest
    first (see `robotix.kinematics.velocity_ellipsoid`).
    """

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._node: Node | None = None
        self.material = GLASS

    @property
    def is_shown(self) -> bool:
        """Whether the node is there."""
        return self._node is not None

    def set_material(self, material: Material | None) -> None:
        """Choose how it looks; None for the usual."""
        self.material = material or GLASS
        if self._node is not None:
            self._node.set(material=self.material)

    def show(self) -> None:
        """Put the node into the graph."""
        if self._node is None:
            looks = Attributes(material=self.material, pickable=False, collidable=False)
            robot = self._robot
            name = f"{robot.name}/ellipsoid"
            self._node = robot.scene.graph.add(name, parent=robot.node, attributes=looks)
            self.follow()

    def hide(self) -> None:
        """Take the node away."""
        node, self._node = self._node, None
        if node is not None and node.name in node.graph:
            node.graph.remove(node)

    def follow(self) -> None:
        """Bring the node up to date."""
        node = self._node
        if node is not None and node.name not in node.graph:  # somebody took it away
            node = self._node = None
        if node is None:
            return
        J = self._robot.tip_jacobian()[:3]
        squares, axes = np.linalg.eigh(J @ J.T)  # quicker than singular values, and good to look at
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        x, y, z = (SIZE * np.sqrt(np.maximum(squares, 0.0))).tolist()
        node.content = EllipsoidSurface((x, y, z))
        node.pose = Pose(axes, self._robot.tip_row()[9:])
        node.touch()
