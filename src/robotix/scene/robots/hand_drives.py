"""An end-effector that a hand holds: it goes and turns with it, as if it were part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from robotix.geometry import Array, Pose
from robotix.scene.commands.grabbing import Grip, hand_pose
from robotix.scene.robots.drives import Brake

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot

__all__ = ["HandHold"]

LEASH = 0.5  # m: the target is never farther from the end-effector


class HandHold:
    """Keeps the end-effector where it was in the hand, place and turn, by inverse kinematics."""

    def __init__(self, robot: Robot, hand: str) -> None:
        """Take hold where the hand is."""
        pose = hand_pose(robot.scene, hand)
        if pose is None:
            raise ValueError(f"device {hand!r} does not say where it is; a tracked hand is needed")
        self.hand = hand
        self._grip = Grip(robot.scene, hand, pose)
        self._hand_from_tip = pose.inverse() @ _world_from_tip(robot)
        self._brake: Brake | None = None

    def next(self, robot: Robot) -> Array | None:
        """Return the posture that follows the hand, or the way to rest once it is gone."""
        world_from_hand = self._grip.follow() if self._brake is None else None
        if world_from_hand is None:
            if self._brake is None:
                self._brake = Brake(robot)
                robot.say(f"hand {self.hand!r} is gone; the robot stops")
            return self._brake.next(robot)
        goal = world_from_hand @ self._hand_from_tip
        way = goal.translation - robot.tip_in_world()
        length = float(np.linalg.norm(way))
        if length > LEASH:
            way = way * (LEASH / length)
        solver = robot.solver("pose")
        solver.positions[0] = robot.in_base(robot.tip_in_world() + way)
        solver.rotations[0] = robot.base_rotation().T @ goal.rotation
        return robot.solve(solver)


def _world_from_tip(robot: Robot) -> Pose:
    rotation = robot.base_rotation() @ robot.tip_row()[:9].reshape(3, 3)
    return Pose(rotation, robot.tip_in_world())
