"""A person whose body follows tracked devices: a headset, and a controller or glove in each hand.

Three points are given, as in motion capture with few markers: eyes and hands. Elbows, shoulders,
back and knees follow from joint limits and a comfort posture. Nothing says where the feet are: they
stay until the eyes have left them or turned away, then they come along below the body.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from robotix.geometry import Array, Pose, rotation_from_quaternion
from robotix.human import Manikin
from robotix.human.body.manikin import GROUPS
from robotix.human.body.skeleton import SIDES, Side
from robotix.inputs.readings import Reading
from robotix.kinematics import Damping, Limits, PointTask, PoseTask, Posture, PostureTask, Solver
from robotix.scene.people.person import Person, stance_of
from robotix.scene.robots.driven import DrivenRobot

__all__ = ["TrackedBody", "TrackedDevices"]

POINT_GAIN = 30.0  # 1/s, of eyes and hands
COMFORT_WEIGHT, COMFORT_GAIN = 1e-3, 5.0  # against 1 of a tracked point; 1/s
LOST_WEIGHT = 1e-6  # of a hand that is not tracked now
BACK_WEIGHT = 4.0  # of the back joints, against 1: arms reach before the trunk bends
DAMPING = 0.005
MIN_KNEE_FLEXION = math.radians(4.0)
MAX_LEAN, MAX_TWIST = 0.22, 0.7  # m, rad from the feet to the eyes, before the feet come along
NEAR, ALIGNED = 0.03, 0.05  # m, rad; the feet stop there
APPROACH_TIME = 0.8  # s in which a point comes to a device that was just found
STEP_SPEED, STEP_TURN = 1.6, 2.5  # m/s, rad/s of the feet


@dataclass(frozen=True)
class TrackedDevices:
    """Names of the logical devices that follow a body."""

    head: str = "head"
    hands: Mapping[Side, str] = field(
        default_factory=lambda: {"right": "right_glove", "left": "left_glove"}
    )


class TrackedBody:
    """The drive of a person that follows devices; without a live head the body stands still."""

    def __init__(self, person: Person, devices: TrackedDevices, *, dt: float) -> None:
        self._devices, self._dt = devices, dt
        manikin = person.manikin
        relaxed = Posture(manikin.model, np.array(manikin.relaxed))
        stance = person.stance()
        self._at, self._heading = stance.translation[:2].copy(), _yaw(stance.rotation)
        self._feet = {side: _on_stance(relaxed.pose(f"{side}_toes"), manikin) for side in SIDES}
        self._first: Array | None = None  # world_from_head at the first reading
        self._first_heading = self._heading
        self._is_stepping = False
        self._was_seen = True
        self._offsets: dict[str, tuple[Array, float]] = {}  # m from the device, s since it is seen
        self._weights = dict.fromkeys(SIDES, LOST_WEIGHT)
        self._solver = self._make_solver(manikin, person.robot.q)

    def next(self, robot: DrivenRobot) -> Array | None:
        """Return the joint positions that follow the devices."""
        head = _read(robot, self._devices.head)
        if head is None or head.position is None:
            if self._was_seen:
                robot.say(f"{self._devices.head!r} is not tracked; the body stands still")
            self._was_seen = False
            self._offsets.clear()
            return robot.q
        self._was_seen = True
        eyes = self._approached(robot, "head", head.position)
        self._follow_feet(robot, eyes, head)
        solver = self._solver
        for index, side in enumerate(SIDES):
            foot = self._foot(side)
            solver.positions[index], solver.rotations[index] = foot.translation, foot.rotation
        solver.positions[2] = eyes
        for index, side in enumerate(SIDES, start=3):
            self._follow_hand(robot, side, index)
        solver.tick()
        return solver.q.copy()

    def _follow_hand(self, robot: DrivenRobot, side: Side, index: int) -> None:
        reading = _read(robot, self._devices.hands[side])
        is_seen = reading is not None and reading.position is not None
        weight = 1.0 if is_seen else LOST_WEIGHT
        if weight != self._weights[side]:
            self._weights[side] = weight
            self._solver.replace(index, _point(f"{side}_hand", np.zeros(3), weight))
        if reading is not None and reading.position is not None:
            place = self._approached(robot, f"{side}_hand", reading.position)
            self._solver.positions[index] = place
        else:
            self._offsets.pop(f"{side}_hand", None)

    def _approached(
        self, robot: DrivenRobot, point: str, position: tuple[float, float, float]
    ) -> Array:
        """Return where a point of the body is to be: at its device, after a smooth approach."""
        device = robot.in_base(np.array(position))
        if point not in self._offsets:
            here = Posture(self._solver.model, self._solver.q).pose(point).translation
            self._offsets[point] = here - device, 0.0
        offset, seconds = self._offsets[point]
        self._offsets[point] = offset, seconds + self._dt
        left = 1.0 - min(seconds / APPROACH_TIME, 1.0)
        return np.asarray(device + offset * left**3 * (10 - 15 * left + 6 * left**2))

    # -- feet -------------------------------------------------------------------------------

    def _follow_feet(self, robot: DrivenRobot, eyes: Array, head: Reading) -> None:
        """Let the feet come below the eyes, and turn with them, once they are too far off."""
        away = eyes[:2] - self._at
        turn = _wrapped(self._heading_of(head) - self._heading)
        if np.linalg.norm(away) > MAX_LEAN or abs(turn) > MAX_TWIST:
            self._is_stepping = True
        elif np.linalg.norm(away) < NEAR and abs(turn) < ALIGNED:
            self._is_stepping = False
        if self._is_stepping:
            way = STEP_SPEED * self._dt
            self._at += away * min(1.0, way / max(float(np.linalg.norm(away)), 1e-9))
            limit = STEP_TURN * self._dt
            self._heading += max(-limit, min(limit, turn))

    def _heading_of(self, head: Reading) -> float:
        """Return where the head is turned to; at the first reading, as the body was."""
        now = rotation_from_quaternion(head.quaternion)
        if self._first is None:
            self._first = now
        change = now @ self._first.T
        yaw = math.atan2(change[1, 0] - change[0, 1], change[0, 0] + change[1, 1])
        return self._first_heading + yaw

    def _foot(self, side: Side) -> Pose:
        stance = _level(self._at, self._heading)
        return stance @ self._feet[side]

    # -- solver -----------------------------------------------------------------------------

    def _make_solver(self, manikin: Manikin, q: Array) -> Solver:
        model = manikin.model
        feet = [PoseTask(f"{s}_toes", self._foot(s), gain=1 / self._dt) for s in SIDES]
        posture = Posture(model, q)
        points = [_point("head", posture.pose("head").translation, 1.0)]
        points += [_point(f"{s}_hand", np.zeros(3), LOST_WEIGHT) for s in SIDES]
        weights = np.ones(model.n_dof)
        weights[GROUPS["back"]] = BACK_WEIGHT
        comfort = weights.copy()
        comfort[GROUPS["root"]] = 0.0
        limits = Limits.of(model)
        knees = [model.dof_index(f"{side}_knee_flexion") for side in SIDES]
        limits.lower[knees] = MIN_KNEE_FLEXION
        solver = Solver(
            model,
            [*feet, *points, PostureTask(
                np.array(manikin.relaxed), joint_weights=comfort, gain=COMFORT_GAIN,
                weight=COMFORT_WEIGHT, priority=1,
            )],
            dt=self._dt,
            method="qp",
            damping=Damping(DAMPING, "constant", reach=0.0),
            limits=limits,
            weights=weights,
        )  # fmt: skip
        solver.q[:] = np.clip(q, limits.lower, limits.upper)
        return solver


def _point(name: str, target: Array, weight: float) -> PointTask:
    return PointTask(name, target, gain=POINT_GAIN, weight=weight)


def _on_stance(foot: Pose, manikin: Manikin) -> Pose:
    """Return stance_from_foot of the relaxed body."""
    stance = stance_of(manikin, np.array(manikin.relaxed))
    return _level(stance.translation, _yaw(stance.rotation)).inverse() @ foot


def _read(robot: DrivenRobot, device: str) -> Reading | None:
    reading = robot.context.inputs.devices.get(device)
    return reading if reading is not None and reading.live else None


def _level(at: Array, heading: float) -> Pose:
    return Pose.at(float(at[0]), float(at[1]), 0.0, rpy=(0.0, 0.0, heading))


def _yaw(rotation: Array) -> float:
    return math.atan2(rotation[1, 0], rotation[0, 0])


def _wrapped(angle: float) -> float:
    return (angle + math.pi) % (2 * math.pi) - math.pi
