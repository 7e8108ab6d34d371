"""Teleoperation: a device moves the end-effector, single joints, or a link held by a hand.

A device is followed only while it is engaged and live. One that is silent when it is engaged, such
as a stick that nobody has touched yet, is waited for, for `MAX_WAIT`. When a device stops sending,
the robot brakes and must be engaged again, as after any other command. Tracking always starts at
the robot's current position.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from robotix.errors import BadField, UnknownName
from robotix.geometry import Array, Pose, exp_rotation, log_rotation, rotation_from_quaternion
from robotix.inputs.device_kinds import DEFAULT_KINDS
from robotix.inputs.readings import Reading
from robotix.kinematics import drag
from robotix.model import ControlPoint
from robotix.scene.events.context import HasInputs
from robotix.scene.robots.driven import TRACKING_GAIN, DrivenRobot
from robotix.scene.robots.drives import Brake
from robotix.scene.robots.straight_line import StraightLine

__all__ = ["HandDrag", "TrackAxes", "TrackOptions", "TrackReference", "Tracking"]

TrackAxes: TypeAlias = Literal["carrier", "world"]
TrackReference: TypeAlias = Literal["velocity", "position"]

MAX_JUMP = 0.25  # m per tick; beyond this a hand was lost and found again
MAX_TURN = 1.0  # rad per tick; likewise
MAX_LEAD = 0.5  # m from the end-effector to its target
MAX_POSITION = 1e6  # m; a reading beyond this is invalid
MAX_SCALE = 1e3
MAX_WAIT = 30.0  # s that an engaged device may take to send for the first time
DEFAULT_SPEED = 0.25  # m/s at full deflection; for joints, rad/s
ROTATION_SPEED = 1.0  # rad/s at full deflection
STICK_KINDS = ("translate3", "rotate3", "move6")  # a hand can take the place of a stick


@dataclass(frozen=True)
class TrackOptions:
    """How a device moves a robot.

    `scale` is the speed at full deflection, in m/s (for joints, rad/s; default 0.25), or for a hand
    the ratio of the robot's motion to the hand's (default 1). A hand that takes the place of a
    stick has the ratio of `scale` to the default speed. `joints` (counted from 1) are each
    moved by one axis, in this order, or by buttons `+1`, `-1`, `+2` and so on. `turn` follows
    rotation too; `upright` keeps the rotation that the end-effector has when it starts to move,
    while three axes or a hand move it. `axes` are those of the rates: of the parent node that
    carries the robot, such as a wheelchair, or of the world. With the reference `position`, axes
    give the distance from where the end-effector was engaged, `scale` m at full deflection, not its
    speed.
    """

    scale: float | None = None
    joints: tuple[int, ...] = ()
    turn: bool = False
    axes: TrackAxes = "carrier"
    upright: bool = False
    reference: TrackReference = "velocity"

    def __post_init__(self) -> None:
        """Raise BadField for a scale that is too large, and for an unknown reference."""
        if self.reference not in get_args(TrackReference):
            raise BadField("reference", "velocity or position", repr(self.reference))
        if self.scale is not None and not abs(self.scale) <= MAX_SCALE:
            raise BadField("scale", f"at most {MAX_SCALE:g}", self.scale)


class Tracking:
    """The drive of a robot that follows a logical device."""

    def __init__(self, robot: DrivenRobot, device: str, options: TrackOptions) -> None:
        """Bind a device; `engage` then starts to follow it."""
        kinds = robot.context.devices
        if kinds and device not in kinds and device not in robot.context.inputs.devices:
            raise UnknownName("device", device, kinds)
        for joint in options.joints:
            if not 1 <= joint <= robot.model.n_dof:
                raise ValueError(f"{robot.name} has joints 1 to {robot.model.n_dof}, not {joint}")
        self.device = device
        self.options = options
        self._kind = kinds.get(device) or DEFAULT_KINDS.get(device, "")
        self._brake: Brake | None = None
        self._wait = 0.0  # s left until the device must have sent something
        self._hand: Reading | None = None  # at the last tick
        self._tip = np.zeros(3)  # target in the world
        self._rotation = np.eye(3)
        self._pivot = np.zeros(3)  # position of the end-effector in the base, while it only turns
        self._kept: Array | None = None  # base_from_tip, while the axes move the end-effector
        self._line = StraightLine()
        self.is_turning = False  # three axes turn the end-effector instead of moving it
        self.is_lent = False  # the device drives something else now, such as a wheelchair

    def engage(self, robot: DrivenRobot) -> None:
        """Start to follow the device, unless it is lent; while it is silent, hold the posture."""
        if self.is_lent:
            return
        self._wait = 0.0 if _read(robot.context, self.device) else MAX_WAIT
        self._brake, self._hand, self._kept = None, None, None
        self._start_here(robot)
        robot.drive = self

    def disengage(self, robot: DrivenRobot) -> None:
        """Stop following; the robot stops."""
        if robot.drive is self:
            robot.stop()

    def is_engaged(self, robot: DrivenRobot) -> bool:
        """Return whether the device moves the robot."""
        return robot.drive is self

    # -- running ----------------------------------------------------------------------------

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions that follow the device, or brake."""
        reading = _read(robot.context, self.device)
        if self._wait > 0.0:
            if reading is None:
                return self._hold(robot)
            self._wait = 0.0
            self._start_here(robot)
        if self._brake is None and reading is None:
            self._brake = Brake(robot)
            robot.say(f"device {self.device!r} is gone; the robot stops until engaged again")
        if self._brake is not None or reading is None:
            return self._brake.next(robot) if self._brake is not None else None
        if self.options.joints:
            return self._by_joints(robot, reading)
        if reading.position is not None:
            return self._by_hand(robot, reading)
        if self.options.reference == "position":
            return self._by_deflection(robot, reading)
        return self._by_rates(robot, reading)

    def _hold(self, robot: DrivenRobot) -> Array | None:
        """Return the present posture while the device may still begin to send, None afterwards."""
        self._wait -= robot.dt
        if self._wait > 0.0:
            return robot.q
        robot.say(f"{self.device!r} was not used for {MAX_WAIT:.0f} s; engage it again")
        return None

    def _by_joints(self, robot: DrivenRobot, reading: Reading) -> Array:
        desired = robot.q.copy()
        scale = DEFAULT_SPEED if self.options.scale is None else self.options.scale
        for index, joint in enumerate(self.options.joints):
            rate = _rate(reading, index)
            rate += (f"+{joint}" in reading.buttons) - (f"-{joint}" in reading.buttons)
            desired[joint - 1] += max(-1.0, min(1.0, rate)) * scale * robot.dt
        return desired

    def _by_rates(self, robot: DrivenRobot, reading: Reading) -> Array:
        """Move the end-effector at the rates of the axes; it stays while they are 0."""
        scale = DEFAULT_SPEED if self.options.scale is None else self.options.scale
        gain, base_from_axes = min(TRACKING_GAIN, 0.5 / robot.dt), self._base_from_axes(robot)
        is_rotation_only = self._kind == "rotate3" or self.is_turning
        row = robot.tip_row()
        velocity = np.zeros(3) if is_rotation_only else _three(reading, 0) * scale
        if not velocity.any():
            self._line.end()
        if is_rotation_only or self.options.turn:
            spin = _three(reading, 0 if is_rotation_only else 3) * ROTATION_SPEED
            if not velocity.any() and not spin.any():
                return robot.q
            solver = robot.solver("pose")
            rotation = exp_rotation(base_from_axes @ spin / gain) @ row[:9].reshape(3, 3)
            solver.rotations[0] = rotation
        elif not velocity.any():
            self._kept = None
            return robot.q
        elif self.options.upright and robot.chain.point.body == robot.model.point().body:
            self._kept = row[:9].reshape(3, 3).copy() if self._kept is None else self._kept
            solver = robot.solver("pose")
            solver.rotations[0] = self._kept
        else:
            solver = robot.solver("point")
        if velocity.any():
            lead = _clamped_lead(base_from_axes @ velocity / gain)
            speed = float(np.linalg.norm(velocity))
            solver.positions[0] = self._line.target(robot, row[9:], lead, speed)
        else:
            solver.positions[0] = self._pivot if is_rotation_only else row[9:]
        return robot.solve(solver)

    def _by_deflection(self, robot: DrivenRobot, reading: Reading) -> Array:
        """Bring the end-effector to where the axes point, seen from where it was engaged."""
        scale = DEFAULT_SPEED if self.options.scale is None else self.options.scale
        row = robot.tip_row()
        target = self._pivot + self._base_from_axes(robot) @ (_three(reading, 0) * scale)
        if self.options.upright and robot.chain.point.body == robot.model.point().body:
            self._kept = row[:9].reshape(3, 3).copy() if self._kept is None else self._kept
            solver = robot.solver("pose")
            solver.rotations[0] = self._kept
        else:
            solver = robot.solver("point")
        solver.positions[0] = row[9:] + _clamped_lead(target - row[9:])
        return robot.solve(solver)

    def _base_from_axes(self, robot: DrivenRobot) -> Array:
        """Return the rotation from the axes of the rates to the base of the robot."""
        carrier = robot.node.parent
        if self.options.axes == "world" or carrier is None:
            return robot.base_rotation().T
        return robot.base_rotation().T @ carrier.world_pose.rotation

    def _by_hand(self, robot: DrivenRobot, reading: Reading) -> Array:
        """Repeat the motion of the hand since it was engaged."""
        before, self._hand = self._hand, reading
        if before is None or _has_jumped(before, reading, turn=self.options.turn):
            self._start_here(robot)
        else:
            assert before.position is not None and reading.position is not None
            shift = np.subtract(reading.position, before.position) * self._hand_ratio()
            tip = robot.tip_position()
            self._tip = tip + _clamped_lead(self._tip + shift - tip)
            if self.options.turn:
                turn = _rotation(reading) @ _rotation(before).T
                self._rotation = exp_rotation(
                    log_rotation(turn @ self._rotation)
                )  # stays orthonormal
        is_upright = self.options.upright and robot.chain.point.body == robot.model.point().body
        solver = robot.solver("pose" if self.options.turn or is_upright else "point")
        if self.options.turn or is_upright:
            solver.rotations[0] = robot.base_rotation().T @ self._rotation
        solver.positions[0] = robot.in_base(self._tip)
        return robot.solve(solver)

    def _hand_ratio(self) -> float:
        """Return the ratio of the robot's motion to the hand's."""
        if self.options.scale is None:
            return 1.0
        is_stick = self._kind in STICK_KINDS
        return self.options.scale / DEFAULT_SPEED if is_stick else self.options.scale

    def _start_here(self, robot: DrivenRobot) -> None:
        self._tip = robot.tip_position()
        row = robot.tip_row()
        self._rotation, self._pivot = robot.base_rotation() @ row[:9].reshape(3, 3), row[9:].copy()


class HandDrag:
    """Drags a link by a tracked hand: every joint up the chain follows, without a Jacobian."""

    def __init__(self, robot: DrivenRobot, body: str, hand: str) -> None:
        """Grip a body at the position of the hand."""
        robot.model.body(body)
        if _position(robot.context, hand) is None:
            raise ValueError(f"device {hand!r} does not say where it is; a tracked hand is needed")
        self.body = body
        self.hand = hand
        self._brake: Brake | None = None
        self._before: Array | None = None
        self._grip = ControlPoint(body)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions in which the grip has followed the hand."""
        at = _position(robot.context, self.hand)
        if self._brake is None and at is None:
            self._brake = Brake(robot)
            robot.say(f"hand {self.hand!r} is gone; the robot stops")
        if self._brake is not None or at is None:
            return self._brake.next(robot) if self._brake is not None else None
        posture, here = robot.posture, robot.in_base(at)
        if self._before is None or math.dist(at, self._before) > MAX_JUMP:
            on_body = posture.pose(self.body).inverse().apply(here)
            self._grip = ControlPoint(self.body, Pose(translation=on_body))
        self._before = at
        return drag(posture, here, point=self._grip, dt=robot.dt).q


def _read(context: HasInputs, device: str) -> Reading | None:
    """Return the reading of a live device, None otherwise."""
    reading = context.inputs.devices.get(device)
    return reading if reading is not None and reading.live else None


def _position(context: HasInputs, device: str) -> Array | None:
    reading = _read(context, device)
    if (
        reading is None
        or reading.position is None
        or max(map(abs, reading.position)) > MAX_POSITION
    ):
        return None
    return np.array(reading.position)


def _rate(reading: Reading, index: int) -> float:
    """Return an axis as a rate in -1..1; 0 for an axis that the device lacks."""
    if index >= len(reading.axes):
        return 0.0
    return max(-1.0, min(1.0, reading.axes[index]))


def _three(reading: Reading, first: int) -> Array:
    return np.array([_rate(reading, first + i) for i in range(3)])


def _clamped_lead(vector: Array) -> Array:
    """Shorten a vector to `MAX_LEAD`."""
    length = math.hypot(*vector)
    return vector if length <= MAX_LEAD else vector * (MAX_LEAD / length)


def _has_jumped(before: Reading, now: Reading, *, turn: bool) -> bool:
    """Return whether a hand was lost and found again, which is no motion to follow."""
    if (
        before.position is None
        or now.position is None
        or max(map(abs, now.position)) > MAX_POSITION
    ):
        return True
    if not math.dist(before.position, now.position) <= MAX_JUMP:
        return True
    if not turn:
        return False
    if not any(before.quaternion) or not any(now.quaternion):
        return True
    angle = np.linalg.norm(log_rotation(_rotation(now) @ _rotation(before).T))
    return bool(angle > MAX_TURN)


def _rotation(reading: Reading) -> Array:
    return rotation_from_quaternion(reading.quaternion)
