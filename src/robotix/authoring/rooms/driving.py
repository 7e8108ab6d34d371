"""Plug-in: a wheelchair that a logical device of kind `drive2` drives, and that stops at things.

Its args name the node that moves, and the device:

    args: wheelchair, wheels

A device that is shared with an arm, and that arm, may follow; then a rule that calls `switch` lets
the device drive the chair, or the arm again:

    args: wheelchair, wheels, stick, arm

The chair and its rider stop at everything but an arm that is mounted on the chair, and what is free
in a room with physics: that is pushed, until it is stuck.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from robotix.geometry import Pose
from robotix.scene import Node, Scene
from robotix.scene.contact.penetration import Depths, deeper_pairs, find_depths

SPEED = 0.7  # m/s, forwards
TURN_SPEED = 1.0  # rad/s
MAX_ACCELERATION = 1.2  # m/s² and rad/s²
MAX_DECELERATION = 3.0  # m/s² and rad/s²
MAX_SQUEEZE = 0.02  # m by which the chair may overlap something free, which then is stuck


@dataclass
class Wheelchair:
    """The wheelchair of one room."""

    scene: Scene
    node: str = ""
    device: str = ""
    speed: float = 0.0
    turn: float = 0.0
    was_blocked: bool = False
    shared: str = ""  # the device that drives chair or arm
    arm: str = ""
    has_shared: bool = False  # it drives the chair now

    def switch(self) -> None:
        """Let the shared device drive the chair, or the arm again."""
        self.has_shared = not self.has_shared
        tracking = self.scene.robot(self.arm).tracking
        if tracking is not None:
            tracking.is_lent = self.has_shared
            (tracking.disengage if self.has_shared else tracking.engage)(self.scene.robot(self.arm))
        self.scene.say(f"The stick drives the {'chair' if self.has_shared else 'arm'}.")

    def drive(self, dt: float) -> None:
        """Drive for this time, in s; stop before obstacles."""
        forwards, left = self._desired_speeds()
        self.speed = _nearer(self.speed, SPEED * forwards, dt)
        self.turn = _nearer(self.turn, TURN_SPEED * left, dt)
        if self.speed == 0 and self.turn == 0:
            self.was_blocked = False
            return
        node = self.scene.graph[self.node]
        pose = node.pose
        before = self._find_depths()
        node.pose = pose @ _moved(self.speed * dt, self.turn * dt)
        if blocking := deeper_pairs(before, self._find_depths()):
            node.pose, self.speed, self.turn = pose, 0.0, 0.0
            if not self.was_blocked:
                name = blocking[0][1].replace("_", " ").replace("/", " ")
                self.scene.say(f"The wheelchair stops: {name} is in the way.")
            self.was_blocked = True

    def _find_depths(self) -> Depths:
        """Return where chair and rider overlap something."""
        scene = self.scene
        whole = {node.name for node in scene.graph[self.node].branch()}
        arms = set(scene.robots) - set(scene.people)
        mounted = {node.name for arm in arms if arm in whole for node in scene.graph[arm].branch()}
        found = find_depths(scene.contacts, whole - mounted, lambda name: name not in mounted)
        return {
            pair: depth
            for pair, depth in found.items()
            if depth > MAX_SQUEEZE or not self._is_pushed(scene.graph[pair[1]])
        }

    def _is_pushed(self, node: Node) -> bool:
        physics = self.scene.physics
        return any(physics.is_simulated(each) for each in (node, *node.ancestors()))

    def _desired_speeds(self) -> tuple[float, float]:
        name = self.shared if self.has_shared else self.device
        reading = self.scene.inputs.devices.get(name)
        if reading is None or not reading.live or len(reading.axes) < 2:
            return 0.0, 0.0
        forwards, left = (max(-1.0, min(1.0, axis)) for axis in reading.axes[:2])
        return forwards, left


chairs: list[Wheelchair] = []  # one: every room loads this module again


def setup(scene: Scene) -> None:
    """Remember the room."""
    chairs.append(Wheelchair(scene))


def init(args: str) -> None:
    """Read the arguments from the scene file."""
    names = [name.strip() for name in args.split(",")]
    if len(names) not in (2, 4):
        raise ValueError("args: wheelchair, wheels; or also a shared device and its arm")
    chair = chairs[0]
    chair.node, chair.device = names[:2]
    if names[2:]:
        chair.shared, chair.arm = names[2:]


def switch(state: bool, args: str) -> None:
    """Let the shared device drive the chair, or the arm again."""
    if state and chairs[0].shared:
        chairs[0].switch()


def loop(dt: float) -> None:
    """Drive."""
    chairs[0].drive(dt)


def _nearer(now: float, target: float, dt: float) -> float:
    """Return the next speed towards a target within the acceleration limits."""
    step = (
        MAX_ACCELERATION if abs(target) > abs(now) and now * target >= 0 else MAX_DECELERATION
    ) * dt
    return max(now - step, min(now + step, target))


def _moved(way: float, angle: float) -> Pose:
    """Return the motion along an arc."""
    return Pose.at(way * math.cos(angle / 2), way * math.sin(angle / 2), 0.0, rpy=(0, 0, angle))
