"""What a performer can be asked to keep: feet, balance, hands, pelvis and trunk.

Each takes up a goal, or several, where the part is now or is told to be; actions then move them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.human.body.skeleton import Side
from robotix.human.motion.performer import Performer
from robotix.kinematics import ComTask, OrientationTask, PointTask, PoseTask
from robotix.model import ControlPoint

__all__ = [
    "balance_at",
    "bear_on_hand",
    "face",
    "free_hand",
    "hold_hand",
    "hold_height",
    "hold_point",
    "hold_posture",
    "loosen",
    "place_foot",
    "place_tread",
    "stay_upright",
    "turn_trunk",
]

# Weights: what gives way when not all can be met. Squares of m/s and rad/s are compared.
FOOT, BALANCE, HAND, PALM = 1e5, 1e4, 1e2, 0.3
HEIGHT, TURN, LEVEL, TRUNK = 1e2, 3.0, 1.0, 0.3
STIFF_GAIN, SOFT_GAIN = 25.0, 6.0  # 1/s; what bears is corrected within a tick
FOOT_LEASH, BALANCE_LEASH, HAND_LEASH, SEAT_LEASH = 2e-3, 0.02, 0.1, 0.05  # m


def place_foot(person: Performer, side: Side, pose: Pose) -> None:
    """Keep a foot at a pose: a stance foot, or the next place of a swinging one."""
    task = PoseTask(f"{side}_foot", pose, gain=1 / person.dt, weight=FOOT)
    person.want(f"{side}_foot", task, leash=FOOT_LEASH)
    person.drop(f"{side}_roll")


def place_tread(
    person: Performer, side: Side, rung: ArrayLike, *, ahead: float, radius: float
) -> None:
    """Keep a foot across a rung, its axis `ahead` of the ankle; the heel may rise or sink."""
    sole = person.manikin.model.point(f"{side}_foot")
    point = ControlPoint(sole.body, sole.pose @ Pose.at(ahead, 0.0, -radius))
    target = np.array(rung, dtype=float)
    task = PointTask(point, target, gain=1 / person.dt, weight=FOOT)
    person.want(f"{side}_foot", task, leash=FOOT_LEASH)
    level = OrientationTask(point, np.eye(3), turns="xz", gain=1 / person.dt, weight=FOOT / 10)
    person.want(f"{side}_roll", level)


def balance_at(person: Performer, place: ArrayLike) -> None:
    """Keep the centre of mass over a place; only x and y count."""
    target = np.array([*np.asarray(place, dtype=float)[:2], 0.0])
    task = ComTask(target, axes="xy", gain=STIFF_GAIN, weight=BALANCE)
    person.want("balance", task, leash=BALANCE_LEASH)


def hold_hand(
    person: Performer, side: Side, place: ArrayLike, *, along: Array | None = None
) -> None:
    """Keep a hand at a place; with `along`, also turned as now, but free to spin about that."""
    point = f"{side}_hand"
    target = np.array(place, dtype=float)
    task = PointTask(point, target, gain=STIFF_GAIN, weight=HAND)
    person.want(point, task, leash=HAND_LEASH)
    person.drop(f"{side}_palm")
    if along is not None:
        now, frame = person.posture().pose(point).rotation, _with_y(along)
        turn = OrientationTask(point, now, turns="xz", frame=frame, gain=STIFF_GAIN, weight=PALM)
        person.want(f"{side}_palm", turn)


def _with_y(direction: Array) -> Array:
    """Return a rotation whose y axis points along a direction."""
    y = direction / np.linalg.norm(direction)
    x = np.cross(y, np.eye(3)[int(np.argmin(abs(y)))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, y, np.cross(x, y)])


def bear_on_hand(person: Performer, side: Side, *, is_bearing: bool = True) -> None:
    """Hold a turned hand as it is, like a foot, while it bears; or move it like a hand again."""
    hand, palm = person.goal(f"{side}_hand"), person.goal(f"{side}_palm")
    assert isinstance(hand.task, PointTask) and isinstance(palm.task, OrientationTask)
    now = person.posture().pose(f"{side}_hand")
    place = now.translation if is_bearing else hand.position.copy()
    turn = now.rotation if is_bearing else palm.rotation.copy()
    weight, gain = (BALANCE, 1 / person.dt) if is_bearing else (HAND, STIFF_GAIN)
    task = replace(hand.task, target=place, weight=weight, gain=gain)
    person.want(f"{side}_hand", task, leash=hand.leash)
    weight = BALANCE / 10 if is_bearing else PALM
    person.want(f"{side}_palm", replace(palm.task, target=turn, weight=weight))


def free_hand(person: Performer, side: Side) -> None:
    """Let a hand follow comfort."""
    person.drop(f"{side}_hand", f"{side}_palm")


def hold_height(person: Performer, height: float) -> None:
    """Keep the pelvis at a height."""
    target = np.array([0.0, 0.0, height])
    task = PointTask("pelvis", target, axes="z", gain=STIFF_GAIN, weight=HEIGHT)
    person.want("height", task)


def hold_point(person: Performer, name: str, point: ControlPoint, place: ArrayLike) -> None:
    """Keep a point of the body at a place as strongly as the balance."""
    target = np.array(place, dtype=float)
    task = PointTask(point, target, gain=STIFF_GAIN, weight=BALANCE)
    person.want(name, task, leash=SEAT_LEASH)


def face(person: Performer, rotation: Array) -> None:
    """Turn the pelvis about the vertical; how it tilts is free."""
    target = np.array(rotation)
    task = OrientationTask("pelvis", target, turns="z", gain=STIFF_GAIN, weight=TURN)
    person.want("pelvis_turn", task)


def turn_trunk(person: Performer, rotation: Array, *, turns: str = "xyz") -> None:
    """Turn the trunk, and with it the head, about some of the axes."""
    target = np.array(rotation)
    task = OrientationTask("chest", target, turns=turns, gain=SOFT_GAIN, weight=TRUNK)
    person.want("trunk_turn", task)


def hold_posture(person: Performer) -> None:
    """Keep pelvis and trunk as high and as turned as they are, if they are not kept yet."""
    posture = person.posture()
    if not person.has_goal("height"):
        hold_height(person, float(posture.position("pelvis")[2]))
    if not person.has_goal("pelvis_level"):
        now = posture.pose("pelvis").rotation
        task = OrientationTask("pelvis", now, turns="xy", gain=SOFT_GAIN, weight=LEVEL)
        person.want("pelvis_level", task)
    turn_trunk(person, posture.pose("chest").rotation)


def stay_upright(person: Performer) -> None:
    """Keep pelvis and trunk upright, and the pelvis as high as it is."""
    hold_posture(person)
    heading = person.goal("pelvis_turn").rotation
    for part in ("pelvis_level", "trunk_turn"):
        person.goal(part).rotation[:] = heading


def loosen(person: Performer) -> None:
    """Bend as the other goals and comfort ask for."""
    person.drop("height", "pelvis_level", "trunk_turn")
