"""Small motions that tasks are made of. Each is a generator: one `yield` a tick.

They move goals along minimum-jerk courses; several at once with `together`, one after the other
with `yield from`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest

import numpy as np
from numpy.typing import ArrayLike

from robotix.geometry import Array, exp_rotation, log_rotation
from robotix.human.balance import braced, stance_centre
from robotix.human.curves import ramp, sampled_curve, yaw_rotations
from robotix.human.loads import Load
from robotix.human.performer import Action, Infeasible, Performer, Shortfall
from robotix.human.skeleton import SIDES, Side
from robotix.human.styles import posture_of

__all__ = [
    "adopt",
    "after",
    "brace",
    "change_height",
    "grasp",
    "lean_towards",
    "look_at",
    "move",
    "reach",
    "release",
    "shift_weight",
    "together",
    "turn_palm",
    "wait",
    "wait_until",
]

GRASP_TOLERANCE = 0.01  # m


def ticks_of(person: Performer, seconds: float) -> int:
    """Return how many ticks a time takes, at least one."""
    return max(round(seconds / person.dt), 1)


def wait(person: Performer, seconds: float) -> Action:
    """Let time pass."""
    for _ in range(ticks_of(person, seconds)):
        yield


def wait_until(is_so: Callable[[], bool]) -> Action:
    """Let time pass until a condition holds."""
    while not is_so():
        yield


def after(person: Performer, seconds: float, action: Action) -> Action:
    """Begin an action later."""
    yield from wait(person, seconds)
    yield from action


def together(*actions: Action) -> Action:
    """Do all at the same time, until the last has ended."""
    for _ in zip_longest(*actions):
        yield


def move(person: Performer, goal: str, *, through: Sequence[ArrayLike], seconds: float) -> Action:
    """Move a goal from where it is through places to the last of them."""
    target = person.goal(goal)
    start = target.position.copy()
    for row in sampled_curve([start, *through], ticks_of(person, seconds)):
        person.goal(goal).position[:] = row
        yield


def adopt(
    person: Performer, posture: Mapping[str, float] | Array, *, seconds: float
) -> Action:
    """Change what is comfortable: angles in degrees, or a posture in rad."""
    goal = posture_of(person.manikin, posture) if isinstance(posture, Mapping) else posture
    start = person.comfort.copy()
    for share in ramp(ticks_of(person, seconds)):
        person.comfort[:] = start + share * (goal - start)
        yield


def shift_weight(
    person: Performer, *, to: ArrayLike | None = None, seconds: float = 0.8
) -> Action:
    """Bring the centre of mass over a place, the middle of the stance when none is given."""
    place = stance_centre(person) if to is None else np.asarray(to, dtype=float)
    target = np.array([place[0], place[1], 0.0])
    yield from move(person, "balance", through=[target], seconds=seconds)


def change_height(person: Performer, *, to: float, seconds: float) -> Action:
    """Raise or lower the pelvis."""
    if not person.has_goal("height"):
        person.hold_height(float(person.posture().position("pelvis")[2]))
    yield from move(person, "height", through=[(0.0, 0.0, to)], seconds=seconds)


def reach(
    person: Performer,
    side: Side,
    *,
    to: ArrayLike,
    via: Sequence[ArrayLike] = (),
    seconds: float = 1.0,
    palm: Array | None = None,
) -> Action:
    """Bring a hand to a place, through others on the way."""
    hand = f"{side}_hand"
    if not person.has_goal(hand) or palm is not None:
        here = person.goal(hand).position if person.has_goal(hand) else None
        place = person.posture().position(hand) if here is None else here.copy()
        person.hold_hand(side, place, palm=palm)
    turning = () if palm is None else (turn_palm(person, side, to=palm, seconds=0.8 * seconds),)
    yield from together(move(person, hand, through=[*via, to], seconds=seconds), *turning)


def turn_palm(person: Performer, side: Side, *, to: Array, seconds: float) -> Action:
    """Turn a hand until its y axis is that of a rotation, the short way."""
    goal = f"{side}_palm"
    start = person.goal(goal).rotation.copy()
    axis = np.cross(start[:, 1], to[:, 1])
    angle = float(np.arctan2(np.linalg.norm(axis), start[:, 1] @ to[:, 1]))
    axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
    for share in ramp(ticks_of(person, seconds)):
        person.goal(goal).rotation[:] = exp_rotation(share * angle * axis) @ start
        yield


def look_at(person: Performer, place: ArrayLike, *, seconds: float = 0.6) -> Action:
    """Turn the trunk half-way towards a place; the neck has no joint."""
    way = np.asarray(place, dtype=float) - person.posture().position("neck")
    heading = person.goal("pelvis_turn").rotation
    ahead = heading.T @ way
    yaw = 0.5 * float(np.clip(np.arctan2(ahead[1], ahead[0]), -1.0, 1.0))
    if not person.has_goal("trunk_turn"):
        person.want_trunk(person.posture().pose("chest").rotation)
    start = person.goal("trunk_turn").rotation.copy()
    way_to_turn = log_rotation(heading @ yaw_rotations(yaw) @ start.T)
    for share in ramp(ticks_of(person, seconds)):
        person.goal("trunk_turn").rotation[:] = exp_rotation(share * way_to_turn) @ start
        yield


def lean_towards(
    person: Performer, places: Mapping[Side, ArrayLike], *, seconds: float = 1.0
) -> Action:
    """Bend the trunk at the hips as far as the hands need to get to places, elbows bent."""
    posture = person.posture()
    hips = posture.position("pelvis")
    arm = 0.86 * sum(person.size(f"{part}_length") for part in ("upper_arm", "forearm", "grip"))
    forward = person.goal("pelvis_turn").rotation[:, 1]
    lean = 0.0
    for lean in np.radians(np.arange(0, 85, 2)):
        turn = exp_rotation(lean * forward)
        away = [
            np.asarray(place) - hips - turn @ (posture.position(f"{side}_shoulder") - hips)
            for side, place in places.items()
        ]
        if max(np.linalg.norm(away, axis=1)) <= arm:
            break
    goal, model = person.comfort.copy(), person.manikin.model
    for name, share in (
        *((f"{side}_hip_flexion", 0.85) for side in SIDES),
        ("L5S1_flexion", 0.2),
        ("T12L1_flexion", 0.1),
    ):
        goal[model.dof_index(name)] += share * lean
    yield from adopt(person, goal, seconds=seconds)


def brace(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.5) -> Action:
    """Shift the weight so that taking or putting a load at a place keeps the balance."""
    yield from shift_weight(person, to=braced(person, load, at), seconds=seconds)


def grasp(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.25) -> Action:
    """Close the hands on a load and carry it from then on."""
    yield from wait(person, seconds)
    posture = person.posture()
    hands = [posture.position(f"{side}_hand") for side in load.hands]
    missing = float(np.linalg.norm(np.mean(hands, axis=0) - np.asarray(at)))
    if missing > GRASP_TOLERANCE:
        raise Infeasible(Shortfall(f"the grasp of {load.name}", person.time, missing))
    person.take(load)


def release(person: Performer, name: str, *, seconds: float = 0.25) -> Action:
    """Let go of a load."""
    yield from wait(person, seconds)
    person.put(name)
