"""A drive by which a tracked hand holds the end-effector, in position and orientation."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Pose
from robotix.scene.events.hands import Grip, hand_pose
from robotix.scene.robots.driven import DrivenRobot
from robotix.scene.robots.drives import Brake

__all__ = ["HandHold"]

MAX_LEAD = 0.5  # m from the end-effector to its target


class HandHold:
    """Keeps the pose of the end-effector in the hand constant, by inverse kinematics."""

    def __init__(self, robot: DrivenRobot, hand: str) -> None:
        """Grip at the current pose of the hand."""
        pose = hand_pose(robot.context, hand)
        if pose is None:
            raise ValueError(f"device {hand!r} does not say where it is; a tracked hand is needed")
        self.hand = hand
        self._grip = Grip(robot.context, hand, pose)
        self._hand_from_tip = pose.inverse() @ _world_from_tip(robot)
        self._brake: Brake | None = None

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the posture that follows the hand; brake once the hand is lost."""
        world_from_hand = self._grip.follow() if self._brake is None else None
        if world_from_hand is None:
            if self._brake is None:
                self._brake = Brake(robot)
                robot.say(f"hand {self.hand!r} is gone; the robot stops")
            return self._brake.next(robot)
        goal = world_from_hand @ self._hand_from_tip
        lead = goal.translation - robot.tip_position()
        length = float(np.linalg.norm(lead))
        if length > MAX_LEAD:
            lead = lead * (MAX_LEAD / length)
        solver = robot.solver("pose")
        solver.positions[0] = robot.in_base(robot.tip_position() + lead)
        solver.rotations[0] = robot.base_rotation().T @ goal.rotation
        return robot.solve(solver)


def _world_from_tip(robot: DrivenRobot) -> Pose:
    rotation = robot.base_rotation() @ robot.tip_row()[:9].reshape(3, 3)
    return Pose(rotation, robot.tip_position())
