"""A drive that is followed only as fast as the robot may move.

The postures of successive ticks of a drive form a path. In every tick the robot is asked to go one
posture further, and only what it did counts: a robot that is slowed stays on its path, and has
nothing to catch up.
"""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.scene.robots.driven import Drive, DrivenRobot

__all__ = ["PathFollower"]

ON_PATH = 1e-4  # rad or m from the path; less is on it


class PathFollower:
    """Where a robot is on the path of its drive."""

    def __init__(self, robot: DrivenRobot) -> None:
        self._robot = robot
        self._drive: Drive | None = None
        self._points: list[Array] = []
        self._at = 0.0  # ticks of the drive since the first point
        self._asked = 0.0
        self._has_ended = False
        self.is_returning = False  # it left the path, and goes back to where it was

    def ask(self, drive: Drive) -> Array | None:
        """Return the posture one tick further; None at the end of the drive."""
        robot = self._robot
        if drive is not self._drive:
            self._drive, self._points, self._at = drive, [np.array(robot.q)], 0.0
            self._has_ended = self.is_returning = False
        if self.is_returning:
            here = self._point(self._at)
            if abs(here - robot.q).max(initial=0.0) > ON_PATH:
                self._asked = 0.0
                return here
            self.is_returning = False
        while len(self._points) - 1 < self._at + 1 - 1e-9 and not self._has_ended:
            desired = drive.next(robot)
            if desired is None:
                self._has_ended = True
            else:
                self._points.append(np.array(desired))
        last = len(self._points) - 1
        if self._has_ended and self._at >= last - 1e-9:
            self._drive = None
            return None
        to = min(self._at + 1, last)
        self._asked = to - self._at
        return self._point(to)

    def advance(self, part: float) -> None:
        """Count a part, 0 to 1, of what was asked for as done."""
        self._at += part * self._asked
        whole = min(math.floor(self._at + 1e-9), len(self._points) - 1)
        if whole > 0 and not self._has_ended:
            del self._points[:whole]
            self._at = max(self._at - whole, 0.0)

    def _point(self, at: float) -> Array:
        k = min(int(at), max(len(self._points) - 2, 0))
        if len(self._points) == 1:
            return self._points[0]
        return self._points[k] + (at - k) * (self._points[k + 1] - self._points[k])
