"""Which posture button an operator presses: from which side of the chair a point is reached."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from robotix.experiments.tasks.controls import ARM
from robotix.experiments.tasks.ready import task_points
from robotix.experiments.tasks.room import TaskRoom
from robotix.geometry import Array

__all__ = ["PostureChoice"]

ARRIVED = 0.02  # rad or m of any joint from a posture


@dataclass(frozen=True, eq=False)
class PostureChoice:
    """The posture buttons of a room, and where each leads; operators have learnt it in training."""

    room: TaskRoom
    points: Array  # (N, 3), of the task

    @classmethod
    def of(cls, room: TaskRoom) -> PostureChoice:
        """Return that of a room."""
        return cls(room, task_points(room.task))

    @property
    def current(self) -> int:
        """The posture on whose side the arm is, counted from 0."""
        rail = float(self.room.scene.robots[ARM].q[0])
        away = [abs(rail - float(posture.q[0])) for posture in self.room.postures]
        return int(np.argmin(away))

    def is_at(self, posture: int) -> bool:
        """Return whether the arm is in a posture."""
        away = abs(self.room.scene.robots[ARM].q - self.room.postures[posture].q)
        return bool(away.max() <= ARRIVED)

    def leads_to(self, posture: int, grip: Array) -> bool:
        """Return whether the hand gets to a point from a posture."""
        nearest = int(np.linalg.norm(self.points - grip, axis=1).argmin())
        return bool(self.room.postures[posture].leads_to[nearest])

    def needed(self, *grips: Array) -> int:
        """Return the posture to take for points that are reached one after the other.

        The present one if it leads to all of them; else one that leads to all; else one that leads
        to the first.
        """
        order = sorted(range(len(self.room.postures)), key=lambda k: k != self.current)
        for wanted in (grips, grips[:1]):
            for k in order:
                if all(self.leads_to(k, grip) for grip in wanted):
                    return k
        return self.current
