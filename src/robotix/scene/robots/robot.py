"""Robots in a scene: a model, its joint positions, and the drive that moves them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose
from robotix.model import Model
from robotix.motion import Motion
from robotix.scene.events.action import Running
from robotix.scene.events.context import RobotContext
from robotix.scene.graph.graph import Node
from robotix.scene.robots.driven import Drive, DrivenRobot
from robotix.scene.robots.drives import HoldPosture, JointMove, Law, Nudge, PathPlay, Reach
from robotix.scene.robots.tracking import Tracking, TrackOptions

__all__ = ["Robot"]

MAX_POSTURES = 200  # that are kept by name
MAX_POSTURE_NAME = 60  # characters


class Robot(DrivenRobot):
    """A robot with its commands. Each sets a drive, which `step` then follows."""

    def __init__(
        self,
        name: str,
        model: Model,
        context: RobotContext,
        *,
        pose: Pose | None = None,
        parent: Node | str | None = None,
    ) -> None:
        """Add the robot to the graph; use `Scene.add_robot` to put one into a scene."""
        super().__init__(name, model, context, pose=pose, parent=parent)
        self.source_file = ""  # the file it was read from
        self.action: Running | None = None  # the latest one that moved it
        self.return_q: Array | None = None  # joint positions to which `MoveP2p` returns
        self.postures: dict[str, Array] = {}  # joint positions that are kept by name
        self.track_options = TrackOptions()  # of devices that are bound from now on
        self.tracking: Tracking | None = None

    def move(
        self, goal: Sequence[float | None], *, ticks: int | None = None, law: Law = "minimum_jerk"
    ) -> Drive:
        """Move the joints to a goal in a number of ticks; a joint whose goal is None stays."""
        self.drive = JointMove(self, goal, ticks=self._duration(ticks), law=law)
        return self.drive

    def go_back(self, *, ticks: int | None = None) -> Drive:
        """Move to where the robot stood still before its last motion; raise ValueError if never."""
        return self.move(self.rests.take_last(self.q).tolist(), ticks=ticks)

    def keep_posture(self, name: str) -> None:
        """Keep the present joint positions, within their limits, by name."""
        if not name.strip() or not name.isprintable() or len(name) > MAX_POSTURE_NAME:
            raise BadField("name", f"1 to {MAX_POSTURE_NAME} printable characters", repr(name))
        if len(self.postures) >= MAX_POSTURES and name not in self.postures:
            raise ValueError(f"{self.name!r} keeps {MAX_POSTURES} postures already; forget some")
        self.postures = {**self.postures, name: np.clip(self.q, self.model.lower, self.model.upper)}

    def forget_posture(self, name: str) -> None:
        """Forget a posture."""
        _ = self.kept_posture(name)
        self.postures = {key: q for key, q in self.postures.items() if key != name}

    def kept_posture(self, name: str) -> Array:
        """Return a posture that was kept."""
        try:
            return self.postures[name]
        except KeyError:
            raise UnknownName(f"posture of {self.name!r} called", name, self.postures) from None

    def move_xyz(self, target: ArrayLike, *, ticks: int | None = None) -> Drive:
        """Move the end-effector to a position in the world, in m, along a line."""
        self.drive = Reach(self, target, ticks=self._duration(ticks))
        return self.drive

    def nudge(self, by: ArrayLike) -> Drive:
        """Move the joints by an increment; during a nudge, another one adds to it."""
        self.drive = Nudge(self, by)
        return self.drive

    def play(
        self, motion: Motion, *, loop: bool = False, speed: float = 1.0, timed: bool = False
    ) -> Drive:
        """Play the postures of a motion; `timed` uses its own times."""
        ticks = self.move_ticks
        self.drive = PathPlay(self, motion, ticks=ticks, loop=loop, speed=speed, timed=timed)
        return self.drive

    def hold(self) -> Drive:
        """Hold the posture, but give way to moving obstacles; a stopped robot does not."""
        self.drive = HoldPosture(self)
        return self.drive

    def _duration(self, ticks: int | None) -> int:
        return self.move_ticks if ticks is None else ticks
