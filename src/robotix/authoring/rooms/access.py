"""Plug-in: access aids. One switch, or a head or gaze pointer, takes the place of a stick.

Its args name the aid, the logical device that is used instead, the stick, and for pointing the node
that the person sits on, facing along its x axis:

    args: scanning, keyboard Space, stick
    args: pointing, head, stick, wheelchair

*Scanning*: choices are offered in turn, one every `DWELL` seconds; the switch takes the one that is
offered. A direction moves until the switch is pressed again; other choices send an event of their
name (`access_grip`, `access_steer`, `access_posture`, `access_chair`), which rules answer.

*Pointing*: the orientation at the first reading is the middle. Looking up or down moves forwards or
back, turning left or right moves there, tilting to the right or left moves up or down; small angles
move nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Array, log_rotation, rotation_from_quaternion
from robotix.inputs.readings import Reading
from robotix.scene import Scene

DWELL = 1.2  # s that a choice is offered
PACE = 0.6  # of the full deflection of a stick, by the switch
DEAD_ANGLE, FULL_ANGLE = 0.07, 0.35  # rad from the middle: nothing yet, full deflection
DIRECTIONS = {
    "forwards": (1.0, 0.0, 0.0),
    "back": (-1.0, 0.0, 0.0),
    "left": (0.0, 1.0, 0.0),
    "right": (0.0, -1.0, 0.0),
    "up": (0.0, 0.0, 1.0),
    "down": (0.0, 0.0, -1.0),
}
ACTIONS = ("grip", "steer", "posture", "chair")
CHOICES = (*DIRECTIONS, *ACTIONS)


@dataclass
class AccessAid:
    """The aid of one room."""

    scene: Scene
    kind: str = ""
    device: str = ""
    button: str = ""
    stick: str = ""
    seat: str = ""
    offered: int = 0
    time_left: float = 0.0  # s until the next choice is offered
    moving: str = ""  # the direction that was taken
    was_down: bool = False
    middle: Array | None = None  # (3, 3), orientation in which the pointer rests

    def update(self, dt: float) -> None:
        """Replace the reading of the stick."""
        reading = self.scene.inputs.devices.get(self.device)
        if reading is None or not reading.live:
            self.middle, self.moving = None, ""
            return
        axes = self._scan(reading, dt) if self.kind == "scanning" else self._point(reading)
        stick = self.scene.inputs.devices.get(self.stick, Reading())
        devices = {**self.scene.inputs.devices, self.stick: replace(stick, axes=axes, live=True)}
        self.scene.inputs = replace(self.scene.inputs, devices=devices)

    def _scan(self, reading: Reading, dt: float) -> tuple[float, ...]:
        is_down = self.button in reading.buttons
        is_press, self.was_down = is_down and not self.was_down, is_down
        if self.moving:
            if is_press:
                self.moving, self.time_left = "", 0.0
                return (0.0, 0.0, 0.0)
            return tuple(PACE * each for each in DIRECTIONS[self.moving])
        if is_press and self.time_left > 0:
            choice = CHOICES[self.offered]
            if choice in DIRECTIONS:
                self.moving = choice
            else:
                self.scene.emit(f"access_{choice}")
            self.time_left = DWELL
            return (0.0, 0.0, 0.0)
        self.time_left -= dt
        if self.time_left <= 0:
            self.offered = (self.offered + 1) % len(CHOICES)
            self.time_left = DWELL
            self.scene.say(f"Switch: {CHOICES[self.offered]}?")
        return (0.0, 0.0, 0.0)

    def _point(self, reading: Reading) -> tuple[float, ...]:
        seat = self.scene.graph[self.seat].world_pose.rotation
        here = seat.T @ rotation_from_quaternion(reading.quaternion)
        if self.middle is None:
            self.middle = here
        roll, pitch, yaw = log_rotation(here @ self.middle.T)  # about x, y and z of the seat
        return tuple(_deflection(angle) for angle in (-pitch, yaw, roll))


def _deflection(angle: float) -> float:
    """Return a deflection in -1..1, 0 within the dead angle."""
    beyond = max(abs(angle) - DEAD_ANGLE, 0.0) / (FULL_ANGLE - DEAD_ANGLE)
    return float(np.sign(angle) * min(beyond, 1.0))


aids: list[AccessAid] = []  # one: every room loads this module again


def setup(scene: Scene) -> None:
    """Remember the room."""
    aids.append(AccessAid(scene))


def init(args: str) -> None:
    """Read the arguments from the scene file."""
    aid = aids[0]
    aid.kind, device, aid.stick, aid.seat = (part.strip() for part in f"{args},".split(",")[:4])
    aid.device, _, aid.button = device.partition(" ")
    if aid.kind not in ("scanning", "pointing"):
        raise ValueError(f"an aid is scanning or pointing, not {aid.kind!r}")
    if aid.kind == "pointing" and not aid.seat:
        raise ValueError("pointing needs the node that the person sits on")
    if aid.kind == "scanning" and not aid.button:
        raise ValueError("scanning needs a device and its button, such as `keyboard Space`")


def recentre(state: bool, args: str) -> None:
    """Take the present orientation of the pointer as its middle."""
    if state:
        aids[0].middle = None


def loop(dt: float) -> None:
    """Replace the reading of the stick."""
    aids[0].update(dt)
