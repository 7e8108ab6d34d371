"""Actions: the elementary motions of tasks, as generators with one yield per tick.

An action moves goals of a `Performer` along minimum-jerk trajectories. Run several at once with
`together`, and one after another with `yield from`. An action raises `Infeasible` when the body
cannot follow.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.balance import (
    braced,
    margin_inside,
    point_inside,
    polygon_of,
    stance_centre,
)
from robotix.human.motion.curves import partial_rotations, ramp, sampled_curve, yaw_rotations
from robotix.human.motion.goals import hold_hand, hold_height, hold_posture, turn_trunk
from robotix.human.motion.loads import Load
from robotix.human.motion.performer import BodyAction, Infeasible, Performer, Shortfall
from robotix.human.motion.styles import posture_of

__all__ = [
    "SIDEWAYS",
    "Palm",
    "adopt",
    "after",
    "brace",
    "change_height",
    "grasp",
    "lean_towards",
    "look_at",
    "move_goal",
    "reach",
    "release",
    "rotate_goal",
    "shift_weight",
    "straighten",
    "together",
    "turn_palm",
    "wait",
    "wait_until",
]

GRASP_TOLERANCE = 0.01  # m
BRACED_MARGIN = 0.01  # m
MIN_GRASP_MARGIN = 0.002  # m, of the CoM right after a load is grasped or released
CATCH_UP_TIMEOUT = 1.0  # s; how long a move waits for the body
CATCH_UP_CHECK_TICKS = 5  # ticks


@dataclass(frozen=True, eq=False)
class Palm:
    """Orientation of a hand for a grasp: one of its axes points along a direction.

    The x axis of a hand is that of a bar in the fist, towards the thumb; y is normal to the palm.
    """

    axis: int
    direction: Array  # (3,), unit


SIDEWAYS = Palm(1, np.array([0.0, 1.0, 0.0]))  # palms facing each other, as with hanging arms


def ticks_of(person: Performer, seconds: float) -> int:
    """Return a duration in ticks, at least one."""
    return max(round(seconds / person.dt), 1)


def wait(person: Performer, seconds: float) -> BodyAction:
    """Do nothing for some seconds."""
    for _ in range(ticks_of(person, seconds)):
        yield


def wait_until(is_so: Callable[[], bool]) -> BodyAction:
    """Do nothing until a condition holds."""
    while not is_so():
        yield


def after(person: Performer, seconds: float, action: BodyAction) -> BodyAction:
    """Start an action after some seconds."""
    yield from wait(person, seconds)
    yield from action


def together(*actions: BodyAction) -> BodyAction:
    """Run actions in parallel, until the last one ends."""
    for _ in zip_longest(*actions):
        yield


def move_goal(
    person: Performer, goal: str, *, through: Sequence[ArrayLike], seconds: float
) -> BodyAction:
    """Move a goal through points, with a minimum-jerk time law over the whole path."""
    target = person.goal(goal)
    positions = [np.array(position, dtype=float) for position in (target.position, *through)]
    target.aim = positions[-1]
    for tick, row in enumerate(sampled_curve(positions, ticks_of(person, seconds))):
        person.goal(goal).position[:] = row
        yield
        if tick % CATCH_UP_CHECK_TICKS == 0 and np.isfinite(target.tolerance):
            yield from _wait_for_body(person, goal)


def _wait_for_body(person: Performer, goal: str) -> BodyAction:
    """Wait until the body has caught up with a goal; raise Infeasible after a timeout."""
    target = person.goal(goal)
    for _ in range(ticks_of(person, CATCH_UP_TIMEOUT)):
        if person.goal_error(goal) < target.tolerance / 4:
            return
        yield
    raise Infeasible(Shortfall(goal, person.time, person.goal_error(goal, at=target.aim)))


def rotate_goal(person: Performer, goal: str, *, by: Array, seconds: float) -> BodyAction:
    """Rotate a goal by a rotation vector, rad."""
    start = person.goal(goal).rotation.copy()
    for rotation in partial_rotations(by, ramp(ticks_of(person, seconds))) @ start:
        person.goal(goal).rotation[:] = rotation
        yield


def adopt(person: Performer, posture: Mapping[str, float] | Array, *, seconds: float) -> BodyAction:
    """Change the comfort posture: angles by joint in degrees, or a posture in rad."""
    goal = posture_of(person.manikin, posture) if isinstance(posture, Mapping) else posture
    names = person.manikin.model.dof_names
    joints = [dof for dof, name in enumerate(names) if not name.endswith("toe_extension")]
    start, change = person.comfort[joints], goal[joints] - person.comfort[joints]
    for fraction in ramp(ticks_of(person, seconds)):  # except the toes, which follow the gait plan
        person.comfort[joints] = start + fraction * change
        yield


def shift_weight(
    person: Performer, *, to: ArrayLike | None = None, seconds: float = 0.8
) -> BodyAction:
    """Move the centre of mass over a point; the centre of the stance when None."""
    position = stance_centre(person) if to is None else np.asarray(to, dtype=float)
    target = np.array([position[0], position[1], 0.0])
    yield from move_goal(person, "balance", through=[target], seconds=seconds)


def change_height(person: Performer, *, to: float, seconds: float) -> BodyAction:
    """Move the pelvis to a height, m."""
    if not person.has_goal("height"):
        hold_height(person, float(person.posture().position("pelvis")[2]))
    yield from move_goal(person, "height", through=[(0.0, 0.0, to)], seconds=seconds)


def reach(
    person: Performer,
    side: Side,
    *,
    to: ArrayLike,
    via: Sequence[ArrayLike] = (),
    seconds: float = 1.0,
    palm: Palm | None = None,
) -> BodyAction:
    """Move a hand to a point via others, and rotate it to the orientation of the grasp."""
    hand = f"{side}_hand"
    if not person.has_goal(hand) or palm is not None:
        here = person.goal(hand).position if person.has_goal(hand) else None
        position = person.posture().position(hand) if here is None else here.copy()
        hold_hand(person, side, position, along=None if palm is None else palm.direction)
    turning = () if palm is None else (turn_palm(person, side, to=palm, seconds=0.8 * seconds),)
    yield from together(move_goal(person, hand, through=[*via, to], seconds=seconds), *turning)


def turn_palm(person: Performer, side: Side, *, to: Palm, seconds: float) -> BodyAction:
    """Rotate a hand by the smallest angle that aligns its axis with the direction of the palm."""
    goal = f"{side}_palm"
    now = person.goal(goal).rotation[:, to.axis]
    axis = np.cross(now, to.direction)
    angle = float(np.arctan2(np.linalg.norm(axis), now @ to.direction))
    vector = angle * axis / max(float(np.linalg.norm(axis)), 1e-12)
    yield from rotate_goal(person, goal, by=vector, seconds=seconds)


def straighten(person: Performer, *, seconds: float) -> BodyAction:
    """Rotate pelvis and trunk to upright."""
    hold_posture(person)
    heading = person.goal("pelvis_turn").rotation.copy()
    rotations = []
    for part in ("pelvis_level", "trunk_turn"):
        vector = log_rotation(heading @ person.goal(part).rotation.T)
        rotations.append(rotate_goal(person, part, by=vector, seconds=seconds))
    yield from together(*rotations)


def look_at(person: Performer, position: ArrayLike, *, seconds: float = 0.6) -> BodyAction:
    """Rotate the trunk half of the yaw towards a point; the neck does the rest (`gaze`)."""
    direction = np.asarray(position, dtype=float) - person.posture().position("neck")
    heading = person.goal("pelvis_turn").rotation
    ahead = heading.T @ direction
    yaw = 0.5 * float(np.clip(np.arctan2(ahead[1], ahead[0]), -1.0, 1.0))
    start = person.posture().pose("chest").rotation
    turn_trunk(person, start, axes="z")
    by = log_rotation(heading @ yaw_rotations(yaw) @ start.T)
    yield from rotate_goal(person, "trunk_turn", by=by, seconds=seconds)


def lean_towards(
    person: Performer, positions: Mapping[Side, ArrayLike], *, seconds: float = 1.0
) -> BodyAction:
    """Flex the hips until the hands reach their points within 86 % of the arm length."""
    posture = person.posture()
    hips = posture.position("pelvis")
    arm = 0.86 * sum(person.size(f"{part}_length") for part in ("upper_arm", "forearm", "grip"))
    forward = person.goal("pelvis_turn").rotation[:, 1]
    lean = 0.0
    for lean in np.radians(np.arange(0, 85, 2)):
        rotation = exp_rotation(lean * forward)
        away = [
            np.asarray(position) - hips - rotation @ (posture.position(f"{side}_shoulder") - hips)
            for side, position in positions.items()
        ]
        if max(np.linalg.norm(away, axis=1)) <= arm:
            break
    goal, model = person.comfort.copy(), person.manikin.model
    for name, fraction in (
        *((f"{side}_hip_flexion", 0.85) for side in SIDES),
        ("L5S1_flexion", 0.2),
        ("T12L1_flexion", 0.1),
    ):
        goal[model.dof_index(name)] += fraction * lean
    yield from adopt(person, goal, seconds=seconds)


def brace(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.5) -> BodyAction:
    """Shift the weight so that grasping or releasing a load at a point keeps the balance."""
    polygon = polygon_of(person, *person.contacts)
    to = point_inside(polygon, braced(person, load, at), margin=BRACED_MARGIN)
    yield from shift_weight(person, to=to, seconds=seconds)


def grasp(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.25) -> BodyAction:
    """Close the hands on a load, and carry it from then on."""
    yield from wait(person, seconds)
    posture = person.posture()
    hands = [posture.position(f"{side}_hand") for side in load.hands]
    missing = float(np.linalg.norm(np.mean(hands, axis=0) - np.asarray(at)))
    if missing > GRASP_TOLERANCE:
        raise Infeasible(Shortfall(f"the grasp of {load.name}", person.time, missing))
    person.take_load(load)
    _check_balance(person, f"the balance with {load.name}")


def release(person: Performer, name: str, *, seconds: float = 0.25) -> BodyAction:
    """Open the hands and release a load."""
    yield from wait(person, seconds)
    person.release_load(name)
    _check_balance(person, f"the balance without {name}")


def _check_balance(person: Performer, what: str) -> None:
    """Raise Infeasible if the CoM left the support polygon with the change of the load."""
    margin = margin_inside(person, polygon_of(person, *person.contacts))
    if margin < MIN_GRASP_MARGIN:
        raise Infeasible(Shortfall(what, person.time, MIN_GRASP_MARGIN - margin))
