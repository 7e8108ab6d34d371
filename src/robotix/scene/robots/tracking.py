"""Driving a robot by a device in real time: its end-effector, single joints, or a link by hand.

A device is followed only while it is engaged, on purpose, and while it lives. If it falls silent
the robot comes to rest within a moment, and waits to be engaged again; so it does after any other
command. It always starts from where the robot is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose, exp_rotation, log_rotation, rotation_from_quaternion
from robotix.inputs.readings import Reading
from robotix.kinematics import drag
from robotix.model import ControlPoint
from robotix.scene.robots.drives import GAIN, Brake

if TYPE_CHECKING:
    from robotix.scene.robots.robot import Robot
    from robotix.scene.scene import Scene

__all__ = ["HandDrag", "TrackAxes", "TrackOptions", "Tracking"]

TrackAxes: TypeAlias = Literal["carrier", "world"]

LEAP = 0.25  # m in a tick: no hand does that, it was found again somewhere else
TWIST = 1.0  # rad in a tick: nor that
LEASH = 0.5  # m: the target is never farther from the end-effector
LARGEST = 1e3  # of a scale
SPEED = 0.25  # m/s at full deflection, and rad/s
TURN = 1.0  # rad/s at full deflection


@dataclass(frozen=True)
class TrackOptions:
    """How a device moves a robot.

    `scale` is the speed at full deflection, in m/s (or rad/s, for joints), or the robot's motion
    for a hand's; None is 0.25 and 1. `joints` (counted from 1) are moved each by one axis, in this
    order, or by buttons called `+1`, `-1`, `+2` and so on. `turn` follows rotation too. `axes` says
    along which axes rates count: those of what carries the robot, such as a wheelchair in which the
    driver sits, or those of the world, which they also are when nothing carries it.
    """

    scale: float | None = None
    joints: tuple[int, ...] = ()
    turn: bool = False
    axes: TrackAxes = "carrier"

    def __post_init__(self) -> None:
        """Refuse what would run away."""
        if self.scale is not None and not abs(self.scale) <= LARGEST:
            raise BadField("scale", f"at most {LARGEST:g}", self.scale)


class Tracking:
    """The drive of a robot that follows a logical device."""

    def __init__(self, robot: Robot, device: str, options: TrackOptions) -> None:
        """Bind a device; `engage` then starts to follow it."""
        known = robot.scene.devices
        if known and device not in known and device not in robot.scene.inputs.devices:
            raise UnknownName("device", device, known)
        for joint in options.joints:
            if not 1 <= joint <= robot.model.n_dof:
                raise ValueError(f"{robot.name} has joints 1 to {robot.model.n_dof}, not {joint}")
        self.device = device
        self.options = options
        self._kind = known.get(device, "")
        self._brake: Brake | None = None
        self._hand: Reading | None = None  # at the last tick
        self._tip = np.zeros(3)  # target in the world
        self._turn = np.eye(3)

    def engage(self, robot: Robot) -> None:
        """Follow the device from now on."""
        if _read(robot.scene, self.device) is None:
            raise ValueError(f"device {self.device!r} gives no sign of life; check it, then engage")
        self._brake, self._hand = None, None
        self._start_here(robot)
        robot.drive = self

    def disengage(self, robot: Robot) -> None:
        """Let go: the robot stops."""
        if robot.drive is self:
            robot.stop()

    def is_engaged(self, robot: Robot) -> bool:
        """Tell whether the device moves the robot."""
        return robot.drive is self

    # -- running ----------------------------------------------------------------------------

    def next(self, robot: Robot) -> Array | None:
        """Return the posture that follows the device, or the way to rest."""
        reading = _read(robot.scene, self.device)
        if self._brake is None and reading is None:
            self._brake = Brake(robot)
            robot.say(f"device {self.device!r} is gone; the robot stops until engaged again")
        if self._brake is not None or reading is None:
            return self._brake.next(robot) if self._brake is not None else None
        if self.options.joints:
            return self._by_joints(robot, reading)
        if reading.position is not None:
            return self._by_hand(robot, reading)
        return self._by_rates(robot, reading)

    def _by_joints(self, robot: Robot, reading: Reading) -> Array:
        wish = robot.q.copy()
        scale = SPEED if self.options.scale is None else self.options.scale
        for index, joint in enumerate(self.options.joints):
            rate = _rate(reading, index)
            rate += (f"+{joint}" in reading.buttons) - (f"-{joint}" in reading.buttons)
            wish[joint - 1] += max(-1.0, min(1.0, rate)) * scale * robot.dt
        return wish

    def _by_rates(self, robot: Robot, reading: Reading) -> Array:
        """Move the end-effector as fast as the axes say; at rest it stays, whatever was before."""
        scale = SPEED if self.options.scale is None else self.options.scale
        gain, base_from_axes = min(GAIN, 0.5 / robot.dt), self._base_from_axes(robot)
        turns_only = self._kind == "rotate3"
        row = robot.tip_row()
        velocity = np.zeros(3) if turns_only else _three(reading, 0) * scale
        if turns_only or self.options.turn:
            spin = _three(reading, 0 if turns_only else 3) * TURN
            if not velocity.any() and not spin.any():
                return robot.q
            solver = robot.solver("pose")
            turned = exp_rotation(base_from_axes @ spin / gain) @ row[:9].reshape(3, 3)
            solver.rotations[0] = turned
        elif not velocity.any():
            return robot.q
        else:
            solver = robot.solver("point")
        solver.positions[0] = row[9:] + _leashed(base_from_axes @ velocity / gain)
        return robot.solve(solver)

    def _base_from_axes(self, robot: Robot) -> Array:
        """Return the rotation from the axes in which rates are given to those of the robot."""
        carrier = robot.node.parent
        if self.options.axes == "world" or carrier is None:
            return robot.base_rotation().T
        return robot.base_rotation().T @ carrier.world_pose.rotation

    def _by_hand(self, robot: Robot, reading: Reading) -> Array:
        """Move the end-effector like the hand, from where both were when engaged."""
        before, self._hand = self._hand, reading
        if before is None or _leaps(before, reading, turn=self.options.turn):
            self._start_here(robot)
        else:
            assert before.position is not None and reading.position is not None
            scale = 1.0 if self.options.scale is None else self.options.scale
            shift = np.subtract(reading.position, before.position) * scale
            tip = robot.tip_in_world()
            self._tip = tip + _leashed(self._tip + shift - tip)
            if self.options.turn:
                turn = _rotation(reading) @ _rotation(before).T
                self._turn = exp_rotation(log_rotation(turn @ self._turn))  # stays a rotation
        solver = robot.solver("pose" if self.options.turn else "point")
        if self.options.turn:
            solver.rotations[0] = robot.base_rotation().T @ self._turn
        solver.positions[0] = robot.in_base(self._tip)
        return robot.solve(solver)

    def _start_here(self, robot: Robot) -> None:
        self._tip = robot.tip_in_world()
        self._turn = robot.base_rotation() @ robot.tip_row()[:9].reshape(3, 3)


class HandDrag:
    """Drags a link by a tracked hand: every joint up the chain follows, no Jacobian needed."""

    def __init__(self, robot: Robot, body: str, hand: str) -> None:
        """Take hold of a body where the hand is."""
        robot.model.body(body)
        if _position(robot.scene, hand) is None:
            raise ValueError(f"device {hand!r} does not say where it is; a tracked hand is needed")
        self.body = body
        self.hand = hand
        self._brake: Brake | None = None
        self._before: Array | None = None
        self._grip = ControlPoint(body)

    def next(self, robot: Robot) -> Array | None:
        """Return the posture in which the grip has followed the hand."""
        at = _position(robot.scene, self.hand)
        if self._brake is None and at is None:
            self._brake = Brake(robot)
            robot.say(f"hand {self.hand!r} is gone; the robot stops")
        if self._brake is not None or at is None:
            return self._brake.next(robot) if self._brake is not None else None
        posture, here = robot.posture, robot.in_base(at)
        if self._before is None or math.dist(at, self._before) > LEAP:
            on_body = posture.pose(self.body).inverse().apply(here)
            self._grip = ControlPoint(self.body, Pose(translation=on_body))
        self._before = at
        return drag(posture, here, point=self._grip, dt=robot.dt).q


def _read(scene: Scene, device: str) -> Reading | None:
    """Return the reading of a device that lives."""
    reading = scene.inputs.devices.get(device)
    return reading if reading is not None and reading.live else None


def _position(scene: Scene, device: str) -> Array | None:
    reading = _read(scene, device)
    if reading is None or reading.position is None or max(map(abs, reading.position)) > 1e6:
        return None
    return np.array(reading.position)


def _rate(reading: Reading, index: int) -> float:
    """Return an axis as a rate in -1..1; one that the device lacks is at rest."""
    if index >= len(reading.axes):
        return 0.0
    return max(-1.0, min(1.0, reading.axes[index]))


def _three(reading: Reading, first: int) -> Array:
    return np.array([_rate(reading, first + i) for i in range(3)])


def _leashed(vector: Array) -> Array:
    """Shorten a vector that is too long."""
    length = math.hypot(*vector)
    return vector if length <= LEASH else vector * (LEASH / length)


def _leaps(before: Reading, now: Reading, *, turn: bool) -> bool:
    """Tell whether a hand was lost and found again: it is no motion to follow."""
    if before.position is None or now.position is None or max(map(abs, now.position)) > 1e6:
        return True
    if not math.dist(before.position, now.position) <= LEAP:
        return True
    if not turn:
        return False
    if not any(before.quaternion) or not any(now.quaternion):
        return True
    angle = np.linalg.norm(log_rotation(_rotation(now) @ _rotation(before).T))
    return bool(angle > TWIST)


def _rotation(reading: Reading) -> Array:
    return rotation_from_quaternion(reading.quaternion)
