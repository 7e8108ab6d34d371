"""Whether the joints of a robot move as they were asked to: detects joints that fail."""

from __future__ import annotations

import math

import numpy as np

from robotix.geometry import Array
from robotix.scene.robots.driven import DrivenRobot

__all__ = ["FollowCheck"]

FORGETTING = 1.0  # s, in which a difference between asked and measured motion fades


class FollowCheck:
    """Adds up, joint by joint, by how much the encoders miss the motion that was asked for.

    A joint that has failed stays so until `reset`, as a person has to see to it.
    """

    def __init__(self, robot: DrivenRobot, tolerance: float) -> None:
        self._fading = math.exp(-robot.dt / FORGETTING)
        self._tolerance = tolerance
        self._missing = np.zeros(robot.model.n_dof)
        self.has_failed = False

    def reset(self) -> None:
        """Forget all differences."""
        self._missing[:] = 0.0
        self.has_failed = False

    def update(self, asked: Array, measured: Array) -> None:
        """Add the motion asked for in a tick and the motion that was measured, (n_dof,)."""
        self._missing += asked - measured
        self._missing *= self._fading
        if abs(self._missing).max(initial=0.0) > self._tolerance:
            self.has_failed = True
