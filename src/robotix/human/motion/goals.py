"""Goals of a performer: feet, balance, hands, pelvis and trunk.

Each function adds one goal or several at the present or a given pose; actions then move them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, Pose
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.contacts import toe_tip
from robotix.human.motion.performer import Performer
from robotix.kinematics import ComTask, OrientationTask, PointTask, PoseTask
from robotix.model import ControlPoint

__all__ = [
    "balance_at",
    "face",
    "free_hand",
    "hold_hand",
    "hold_height",
    "hold_point",
    "hold_posture",
    "kneel_on",
    "level_insteps",
    "loosen",
    "place_foot",
    "place_tread",
    "sit_level",
    "stay_upright",
    "support_on_hand",
    "turn_trunk",
]

# Weights of squared velocity errors, (m/s)² and (rad/s)²: the smaller one yields in a conflict.
FOOT_WEIGHT, BALANCE_WEIGHT, HAND_WEIGHT, PALM_WEIGHT = 1e5, 1e4, 1e2, 0.3
HEIGHT_WEIGHT, HEADING_WEIGHT, LEVEL_WEIGHT, TRUNK_WEIGHT = 1e2, 3.0, 1.0, 0.3
SEATED_WEIGHT = 30.0  # of the same units: flesh under the pelvis resists
STIFF_GAIN, SOFT_GAIN = 25.0, 6.0  # 1/s; supporting feet and hands use 1 / dt instead
FOOT_TOLERANCE, BALANCE_TOLERANCE, HAND_TOLERANCE, SEAT_TOLERANCE = 2e-3, 0.02, 0.1, 0.05  # m


def place_foot(person: Performer, side: Side, pose: Pose) -> None:
    """Hold a foot at a pose: a stance foot, or the next pose of a swing foot."""
    task = PoseTask(f"{side}_foot", pose, gain=1 / person.dt, weight=FOOT_WEIGHT)
    person.set_goal(f"{side}_foot", task, tolerance=FOOT_TOLERANCE)
    person.drop_goals(f"{side}_roll")


def place_tread(
    person: Performer, side: Side, rung: ArrayLike, *, ahead: float, radius: float
) -> None:
    """Hold a foot on a rung whose axis is `ahead` of the ankle, m; the foot may pitch on it."""
    sole = person.manikin.model.point(f"{side}_foot")
    point = ControlPoint(sole.body, sole.pose @ Pose.at(ahead, 0.0, -radius))
    target = np.array(rung, dtype=float)
    task = PointTask(point, target, gain=1 / person.dt, weight=FOOT_WEIGHT)
    person.set_goal(f"{side}_foot", task, tolerance=FOOT_TOLERANCE)
    level = OrientationTask(
        point, np.eye(3), axes="xz", gain=1 / person.dt, weight=FOOT_WEIGHT / 10
    )
    person.set_goal(f"{side}_roll", level)


def kneel_on(person: Performer, side: Side, *, knee_at: ArrayLike, toes_at: ArrayLike) -> None:
    """Hold a knee at a position, and the tips of the toes, instep down, at another."""
    for name, point, at in (
        (f"{side}_knee", ControlPoint(f"{side}_shank", Pose()), knee_at),
        (f"{side}_foot", toe_tip(person.manikin, side), toes_at),
    ):
        target = np.array(at, dtype=float)
        task = PointTask(point, target, gain=1 / person.dt, weight=FOOT_WEIGHT)
        person.set_goal(name, task, tolerance=FOOT_TOLERANCE)


def level_insteps(person: Performer) -> None:
    """Keep both feet from rolling to a side as they lie now; they may still pitch."""
    for side in SIDES:
        point = toe_tip(person.manikin, side)
        now = person.posture().pose(point).rotation.copy()
        gain, weight = 1 / person.dt, FOOT_WEIGHT / 10
        task = OrientationTask(point, now, axes="xz", gain=gain, weight=weight)
        person.set_goal(f"{side}_roll", task)


def balance_at(person: Performer, position: ArrayLike) -> None:
    """Hold the centre of mass over a point; only x and y are used."""
    target = np.array([*np.asarray(position, dtype=float)[:2], 0.0])
    task = ComTask(target, axes="xy", gain=STIFF_GAIN, weight=BALANCE_WEIGHT)
    person.set_goal("balance", task, tolerance=BALANCE_TOLERANCE)


def hold_hand(
    person: Performer, side: Side, position: ArrayLike, *, along: Array | None = None
) -> None:
    """Hold a hand at a position; with `along`, also its rotation except about that direction."""
    point = f"{side}_hand"
    target = np.array(position, dtype=float)
    task = PointTask(point, target, gain=STIFF_GAIN, weight=HAND_WEIGHT)
    person.set_goal(point, task, tolerance=HAND_TOLERANCE)
    person.drop_goals(f"{side}_palm")
    if along is not None:
        now, frame = person.posture().pose(point).rotation, _with_y(along)
        orientation = OrientationTask(
            point, now, axes="xz", frame=frame, gain=STIFF_GAIN, weight=PALM_WEIGHT
        )
        person.set_goal(f"{side}_palm", orientation)


def _with_y(direction: Array) -> Array:
    """Return a rotation whose y axis points along a direction."""
    y = direction / np.linalg.norm(direction)
    x = np.cross(y, np.eye(3)[int(np.argmin(abs(y)))])
    x /= np.linalg.norm(x)
    return np.column_stack([x, y, np.cross(x, y)])


def support_on_hand(person: Performer, side: Side, *, is_supporting: bool = True) -> None:
    """Fix the pose of a hand with the weight of the balance while it supports, or release it."""
    hand, palm = person.goal(f"{side}_hand"), person.goal(f"{side}_palm")
    assert isinstance(hand.task, PointTask) and isinstance(palm.task, OrientationTask)
    now = person.posture().pose(f"{side}_hand")
    position = now.translation if is_supporting else hand.position.copy()
    rotation = now.rotation if is_supporting else palm.rotation.copy()
    weight, gain = (BALANCE_WEIGHT, 1 / person.dt) if is_supporting else (HAND_WEIGHT, STIFF_GAIN)
    task = replace(hand.task, target=position, weight=weight, gain=gain)
    person.set_goal(f"{side}_hand", task, tolerance=hand.tolerance)
    weight = BALANCE_WEIGHT / 10 if is_supporting else PALM_WEIGHT
    person.set_goal(f"{side}_palm", replace(palm.task, target=rotation, weight=weight))


def free_hand(person: Performer, side: Side) -> None:
    """Remove the goals of a hand."""
    person.drop_goals(f"{side}_hand", f"{side}_palm")


def hold_height(person: Performer, height: float) -> None:
    """Hold the pelvis at a height, m."""
    target = np.array([0.0, 0.0, height])
    task = PointTask("pelvis", target, axes="z", gain=STIFF_GAIN, weight=HEIGHT_WEIGHT)
    person.set_goal("height", task)


def hold_point(person: Performer, name: str, point: ControlPoint, position: ArrayLike) -> None:
    """Hold a point of the body at a position, with the weight of the balance."""
    target = np.array(position, dtype=float)
    task = PointTask(point, target, gain=STIFF_GAIN, weight=BALANCE_WEIGHT)
    person.set_goal(name, task, tolerance=SEAT_TOLERANCE)


def face(person: Performer, rotation: Array) -> None:
    """Hold the heading of the pelvis; its tilt is free."""
    target = np.array(rotation)
    task = OrientationTask("pelvis", target, axes="z", gain=STIFF_GAIN, weight=HEADING_WEIGHT)
    person.set_goal("pelvis_turn", task)


def turn_trunk(person: Performer, rotation: Array, *, axes: str = "xyz") -> None:
    """Hold the orientation of trunk and head about some of the axes."""
    target = np.array(rotation)
    task = OrientationTask("chest", target, axes=axes, gain=SOFT_GAIN, weight=TRUNK_WEIGHT)
    person.set_goal("trunk_turn", task)


def hold_posture(person: Performer) -> None:
    """Hold height and orientation of pelvis and trunk as they are, unless goals exist already."""
    posture = person.posture()
    if not person.has_goal("height"):
        hold_height(person, float(posture.position("pelvis")[2]))
    if not person.has_goal("pelvis_level"):
        now = posture.pose("pelvis").rotation
        task = OrientationTask("pelvis", now, axes="xy", gain=SOFT_GAIN, weight=LEVEL_WEIGHT)
        person.set_goal("pelvis_level", task)
    turn_trunk(person, posture.pose("chest").rotation)


def stay_upright(person: Performer) -> None:
    """Hold pelvis and trunk upright, and the pelvis at its present height."""
    hold_posture(person)
    heading = person.goal("pelvis_turn").rotation
    for part in ("pelvis_level", "trunk_turn"):
        person.goal(part).rotation[:] = heading


def sit_level(person: Performer) -> None:
    """Keep the pelvis of a sitting person from rolling to a side; it may still pitch."""
    now = person.posture().pose("pelvis").rotation
    task = OrientationTask("pelvis", now, axes="x", gain=STIFF_GAIN, weight=SEATED_WEIGHT)
    person.set_goal("pelvis_level", task)


def loosen(person: Performer) -> None:
    """Remove the goals for height, tilt and trunk."""
    person.drop_goals("height", "pelvis_level", "trunk_turn")
