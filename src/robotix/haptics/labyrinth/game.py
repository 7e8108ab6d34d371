"""The game: a hand leads ViSHARD10's handle, a ball, through the labyrinth.

The loop is that of the simulated device, 1000 samples a second with all ten joints; a tick of the
room lets as many samples pass as fit in it.
"""

from __future__ import annotations

import math
from enum import StrEnum

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array
from robotix.haptics.devices.vishard10 import vishard10
from robotix.haptics.labyrinth.plan import LABYRINTH, LabyrinthPlan
from robotix.haptics.loop.loop import HapticLoop, StopReason
from robotix.haptics.loop.reference import reference_posture
from robotix.haptics.loop.settings import LoopSettings, OperatorArm, VirtualHandle

__all__ = ["FULL_FORCE", "LabyrinthGame", "LabyrinthPhase"]

FULL_FORCE = 10.0  # N, of a stick at its end
TOUCH_COST, SECOND_COST, FULL_SCORE = 20, 10, 1000
TOUCH_FORCE = 1.0  # N; a graze does not count


class LabyrinthPhase(StrEnum):
    """How far the game is."""

    ready = "ready"  # the clock starts with the first push
    running = "running"
    done = "done"


class LabyrinthGame:
    """The device, the labyrinth, and the score."""

    def __init__(self, plan: LabyrinthPlan = LABYRINTH) -> None:
        self.plan = plan
        self.restart()

    def restart(self) -> None:
        """Put the ball back to the start."""
        plan = self.plan
        x, y = plan.start
        reach, angle = math.hypot(x, y), math.atan2(y, x)
        q0 = reference_posture(reach, plan.height)
        q0[0] += angle  # the whole device turns, and its handle with it
        q0[4] -= angle
        self.loop = HapticLoop(
            vishard10(), q0, elements=plan.elements(),
            settings=LoopSettings(
                is_partitioned=True, step_length=0.2, has_passivity_control=True,
                handle=VirtualHandle(mass=4.0, locks_orientation=True),
            ),
            arm=OperatorArm(mass=1.0, damping=6.0, stiffness=0.0),
        )  # fmt: skip
        self.phase = LabyrinthPhase.ready
        self.seconds = 0.0
        self.touches = 0
        self.touching = ""  # the wall that is touched
        self._time = 0.0  # of the device that has not passed yet

    @property
    def position(self) -> Array:
        """The ball, (3,), m, in the device's base frame."""
        return self.loop.position

    @property
    def wall_force(self) -> float:
        """Force of the walls in the plane, N."""
        return float(np.linalg.norm(self.loop.rendered[:2]))

    @property
    def score(self) -> int:
        """Points: fewer for every second and every touch of a wall."""
        lost = TOUCH_COST * self.touches + SECOND_COST * self.seconds
        return max(FULL_SCORE - round(lost), 0)

    @property
    def is_stopped(self) -> bool:
        """Whether the safety circuit has stopped the device."""
        return self.loop.outcome().reason is not StopReason.running

    def step(self, dt: float, force: ArrayLike) -> None:
        """Let `dt` seconds pass while the hand pushes with a force in the plane, (2,), N."""
        push = np.clip(np.asarray(force, dtype=float), -3 * FULL_FORCE, 3 * FULL_FORCE)
        if self.phase is LabyrinthPhase.done:
            push = np.zeros(2)
        self.loop.push((float(push[0]), float(push[1]), 0.0))
        self._time += dt
        samples = int(self._time * self.loop.settings.rate + 1e-9)
        self._time -= samples / self.loop.settings.rate
        if samples:
            self.loop.run(samples / self.loop.settings.rate, is_traced=False)
        self._judge(dt, is_pushed=bool(abs(push).max() > 0))

    def _judge(self, dt: float, *, is_pushed: bool) -> None:
        if self.phase is LabyrinthPhase.ready and is_pushed:
            self.phase = LabyrinthPhase.running
        if self.phase is not LabyrinthPhase.running:
            self.touching = ""
            return
        self.seconds += dt
        x, y, _ = self.position
        wall = self._wall_at(float(x), float(y))
        if wall and wall != self.touching:
            self.touches += 1
        self.touching = wall
        if self.plan.goal.contains(float(x), float(y)):
            self.phase = LabyrinthPhase.done

    def _wall_at(self, x: float, y: float) -> str:
        near = min(self.plan.walls, key=lambda wall: wall.distance(x, y))
        depth = self.plan.ball_radius - near.distance(x, y)
        limit = 0.0 if near.name == self.touching else TOUCH_FORCE / 6000.0
        return near.name if depth > limit else ""
