"""The inverse kinematics of a robot: made when asked for, and anew when its settings change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from robotix.geometry import Pose
from robotix.kinematics import Damping, PointTask, PoseTask, Solver
from robotix.kinematics.solver import Method
from robotix.scene.robots.drives import GAIN
from robotix.scene.robots.obstacles import MAX_GAPS

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot

__all__ = ["RobotSolvers"]


class RobotSolvers:
    """The solvers of one robot, that bring its end-effector to a point or a pose."""

    def __init__(self, robot: Robot) -> None:
        self.damping = Damping()
        self.method: Method = "dls"
        self._robot = robot
        self._made: dict[str, Solver] = {}

    def set_damping(self, k: float) -> None:
        """Set the damping factor."""
        self.damping = Damping(k)
        self.clear()

    def set_method(self, method: Method) -> None:
        """Choose how redundancy is resolved."""
        if method not in get_args(Method):
            raise ValueError(f"a method is one of {', '.join(get_args(Method))}, not {method!r}")
        self.method = method
        self.clear()

    def clear(self) -> None:
        """Forget all solvers: something they were made from has changed."""
        self._made.clear()

    def get(self, kind: Literal["point", "pose"]) -> Solver:
        """Return a solver; write its target before it is used.

        With obstacles about it may brake harder than accelerations allow: keeping clear is first.
        """
        if kind not in self._made:
            robot = self._robot
            gain = min(GAIN, 0.5 / robot.dt)
            task = (
                PointTask(robot.part.point, np.zeros(3), gain=gain)
                if kind == "point"
                else PoseTask(robot.part.point, Pose(), gain=gain)
            )
            self._made[kind] = Solver(
                robot.model,
                [task],
                dt=robot.dt,
                method=self.method,
                damping=self.damping,
                limits=robot.part.limits(robot.model, accelerate=robot.keeping is None),
                max_inequalities=MAX_GAPS,
            )
        return self._made[kind]
