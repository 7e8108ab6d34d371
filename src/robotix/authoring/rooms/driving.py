"""Plug-in: a wheelchair that a logical device of kind `drive2` drives, and that stops at things.

Its args name the node that moves, and the device:

    args: wheelchair, wheels
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.geometry import Pose
from robotix.scene import Scene

SPEED = 0.7  # m/s, forwards
TURN = 1.0  # rad/s
GAIN = 1.2  # m/s² and rad/s²: how fast it gets faster
BRAKE = 3.0  # the same when it slows down


@dataclass
class Wheelchair:
    """The wheelchair of one room."""

    scene: Scene
    node: str = ""
    device: str = ""
    speed: float = 0.0
    turn: float = 0.0
    was_blocked: bool = False

    def drive(self, dt: float) -> None:
        """Go on for so long, unless something is in the way."""
        forwards, left = self._wish()
        self.speed = _nearer(self.speed, SPEED * forwards, dt)
        self.turn = _nearer(self.turn, TURN * left, dt)
        if self.speed == 0 and self.turn == 0:
            self.was_blocked = False
            return
        node, contacts = self.scene.graph[self.node], self.scene.contacts
        before, touched = node.pose, contacts.touching(self.node, "*")
        node.pose = before @ _moved(self.speed * dt, self.turn * dt)
        if contacts.touching(self.node, "*") and not touched:
            node.pose, self.speed, self.turn = before, 0.0, 0.0
            if not self.was_blocked:
                self.scene.say("The wheelchair stops: something is in the way.")
            self.was_blocked = True

    def _wish(self) -> tuple[float, float]:
        reading = self.scene.inputs.devices.get(self.device)
        if reading is None or not reading.live or len(reading.axes) < 2:
            return 0.0, 0.0
        forwards, left = (max(-1.0, min(1.0, axis)) for axis in reading.axes[:2])
        return forwards, left


chairs: list[Wheelchair] = []  # one: every room reads this file anew


def setup(scene: Scene) -> None:
    """Remember the room."""
    chairs.append(Wheelchair(scene))


def init(args: str) -> None:
    """Read what the scene file says."""
    chairs[0].node, chairs[0].device = (name.strip() for name in args.split(","))


def loop(dt: float) -> None:
    """Drive."""
    chairs[0].drive(dt)


def _nearer(now: float, wish: float, dt: float) -> float:
    """Return a speed that is nearer to what is wished for, as fast as the motors can."""
    step = (GAIN if abs(wish) > abs(now) and now * wish >= 0 else BRAKE) * dt
    return max(now - step, min(now + step, wish))


def _moved(way: float, angle: float) -> Pose:
    """Return the motion along an arc."""
    return Pose.at(way * math.cos(angle / 2), way * math.sin(angle / 2), 0.0, rpy=(0, 0, angle))
