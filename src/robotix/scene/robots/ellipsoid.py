"""The live manipulability ellipsoid: how fast an end-effector can move in each direction."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Pose
from robotix.scene.graph.content import Attributes, EllipsoidSurface, Material
from robotix.scene.graph.graph import Node
from robotix.scene.robots.state import KinematicState

__all__ = ["EllipsoidView"]

DRAWN_SCALE = 0.25  # m for 1 m/s per rad/s
DEFAULT_MATERIAL = Material(colour=(0.2, 0.6, 1.0), opacity=0.4, name="ellipsoid")


class EllipsoidView:
    """A node below the robot that follows the velocity ellipsoid of its end-effector.

    Its half axes are the velocities of the end-effector for joint velocities of norm 1, shortest
    first (see `robotix.kinematics.velocity_ellipsoid`).
    """

    def __init__(self, robot: KinematicState) -> None:
        self._robot = robot
        self._node: Node | None = None
        self.material = DEFAULT_MATERIAL

    @property
    def is_shown(self) -> bool:
        """Whether the node is in the graph."""
        return self._node is not None

    def set_material(self, material: Material | None) -> None:
        """Set the material; None for the default."""
        self.material = material or DEFAULT_MATERIAL
        if self._node is not None:
            self._node.set(material=self.material)

    def show(self) -> None:
        """Add the node to the graph."""
        if self._node is None:
            attributes = Attributes(material=self.material, pickable=False, collidable=False)
            robot = self._robot
            name = f"{robot.name}/ellipsoid"
            self._node = robot.context.graph.add(name, parent=robot.node, attributes=attributes)
            self.update()

    def hide(self) -> None:
        """Remove the node."""
        node, self._node = self._node, None
        if node is not None and node.name in node.graph:
            node.graph.remove(node)

    def update(self) -> None:
        """Bring the node up to date."""
        node = self._node
        if node is not None and node.name not in node.graph:  # removed by somebody else
            node = self._node = None
        if node is None:
            return
        J = self._robot.tip_jacobian()[:3]
        squares, axes = np.linalg.eigh(J @ J.T)  # faster than an SVD, and accurate enough to draw
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        x, y, z = (DRAWN_SCALE * np.sqrt(np.maximum(squares, 0.0))).tolist()
        node.content = EllipsoidSurface((x, y, z))
        node.pose = Pose(axes, self._robot.tip_row()[9:])
        node.touch()
