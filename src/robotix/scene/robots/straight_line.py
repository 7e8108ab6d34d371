"""Whether an end-effector that is driven along an axis still follows it."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array
from robotix.scene.robots.driven import DrivenRobot

__all__ = ["StraightLine"]

MAX_ASIDE = 0.03  # m from the line
SAME_DIRECTION = 0.999  # cosine; a stick that is turned farther asks for another line


class StraightLine:
    """The line along which somebody drives: `follow` says once that the end-effector left it."""

    def __init__(self) -> None:
        self._start: Array | None = None
        self._direction = np.zeros(3)
        self._has_spoken = False

    def end(self) -> None:
        """Forget the line: nobody pushes."""
        self._start = None

    def follow(self, robot: DrivenRobot, position: Array, velocity: Array) -> None:
        """Note where the end-effector is and where it should go, both in the base."""
        direction = velocity / np.linalg.norm(velocity)
        if self._start is None or direction @ self._direction < SAME_DIRECTION:
            self._start, self._direction, self._has_spoken = position.copy(), direction, False
            return
        way = position - self._start
        aside = float(np.linalg.norm(way - (way @ direction) * direction))
        if aside > MAX_ASIDE and not self._has_spoken:
            self._has_spoken = True
            robot.say(f"cannot go straight on: {_reason(robot)}")


def _reason(robot: DrivenRobot) -> str:
    names = robot.model.dof_names
    ends = [name for name, is_at in zip(names, robot.at_stop, strict=True) if is_at]
    if ends:
        return f"{', '.join(ends)} {'is' if len(ends) == 1 else 'are'} at the end of the stroke"
    return "it is at the edge of its reach, or keeps clear of something"
