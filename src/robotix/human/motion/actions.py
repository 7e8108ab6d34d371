"""Small motions that tasks are made of. Each is a generator: one `yield` a tick.

They move goals along minimum-jerk courses; several at once with `together`, one after the other
with `yield from`.
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
    place_inside,
    polygon_of,
    stance_centre,
)
from robotix.human.motion.contact_keeping import hold_hand, hold_height, hold_posture, turn_trunk
from robotix.human.motion.curves import ramp, sampled_curve, turning, yaw_rotations
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
    "move",
    "reach",
    "release",
    "shift_weight",
    "straighten",
    "together",
    "turn",
    "turn_palm",
    "wait",
    "wait_until",
]

GRASP_TOLERANCE = 0.01  # m
BRACED_MARGIN = 0.01  # m
LEAST_MARGIN = 0.002  # m, of the balance when a load changes hands
PATIENCE = 1.0  # s to wait for a body that cannot follow
LOOK_EVERY = 5  # ticks


@dataclass(frozen=True, eq=False)
class Palm:
    """How a hand is turned for a grasp: one of its axes points along a direction.

    Its x axis is that of a bar in the fist, thumb ahead; its y axis goes through the palm.
    """

    axis: int
    direction: Array  # (3,), unit


SIDEWAYS = Palm(1, np.array([0.0, 1.0, 0.0]))  # as at rest: palms facing each other


def ticks_of(person: Performer, seconds: float) -> int:
    """Return how many ticks a time takes, at least one."""
    return max(round(seconds / person.dt), 1)


def wait(person: Performer, seconds: float) -> BodyAction:
    """Let time pass."""
    for _ in range(ticks_of(person, seconds)):
        yield


def wait_until(is_so: Callable[[], bool]) -> BodyAction:
    """Let time pass until a condition holds."""
    while not is_so():
        yield


def after(person: Performer, seconds: float, action: BodyAction) -> BodyAction:
    """Begin an action later."""
    yield from wait(person, seconds)
    yield from action


def together(*actions: BodyAction) -> BodyAction:
    """Do all at the same time, until the last has ended."""
    for _ in zip_longest(*actions):
        yield


def move(
    person: Performer, goal: str, *, through: Sequence[ArrayLike], seconds: float
) -> BodyAction:
    """Move a goal from where it is through places to the last of them."""
    target = person.goal(goal)
    places = [np.array(place, dtype=float) for place in (target.position, *through)]
    target.aim = places[-1]
    for tick, row in enumerate(sampled_curve(places, ticks_of(person, seconds))):
        person.goal(goal).position[:] = row
        yield
        if tick % LOOK_EVERY == 0 and np.isfinite(target.leash):
            yield from _wait_for(person, goal)


def _wait_for(person: Performer, goal: str) -> BodyAction:
    """Let the body catch up with a goal that runs ahead of it; give up after a while."""
    target = person.goal(goal)
    for _ in range(ticks_of(person, PATIENCE)):
        if person.missing(goal) < target.leash / 4:
            return
        yield
    raise Infeasible(Shortfall(goal, person.time, person.missing(goal, at=target.aim)))


def turn(person: Performer, goal: str, *, by: Array, seconds: float) -> BodyAction:
    """Turn a goal by a rotation vector."""
    start = person.goal(goal).rotation.copy()
    for rotation in turning(by, ramp(ticks_of(person, seconds))) @ start:
        person.goal(goal).rotation[:] = rotation
        yield


def adopt(person: Performer, posture: Mapping[str, float] | Array, *, seconds: float) -> BodyAction:
    """Change what is comfortable: angles in degrees, or a posture in rad."""
    goal = posture_of(person.manikin, posture) if isinstance(posture, Mapping) else posture
    names = person.manikin.model.dof_names
    joints = [dof for dof, name in enumerate(names) if not name.endswith("toe_extension")]
    start, way = person.comfort[joints], goal[joints] - person.comfort[joints]
    for share in ramp(ticks_of(person, seconds)):  # the toes go with the heels
        person.comfort[joints] = start + share * way
        yield


def shift_weight(
    person: Performer, *, to: ArrayLike | None = None, seconds: float = 0.8
) -> BodyAction:
    """Bring the centre of mass over a place, the middle of the stance when none is given."""
    place = stance_centre(person) if to is None else np.asarray(to, dtype=float)
    target = np.array([place[0], place[1], 0.0])
    yield from move(person, "balance", through=[target], seconds=seconds)


def change_height(person: Performer, *, to: float, seconds: float) -> BodyAction:
    """Raise or lower the pelvis."""
    if not person.has_goal("height"):
        hold_height(person, float(person.posture().position("pelvis")[2]))
    yield from move(person, "height", through=[(0.0, 0.0, to)], seconds=seconds)


def reach(
    person: Performer,
    side: Side,
    *,
    to: ArrayLike,
    via: Sequence[ArrayLike] = (),
    seconds: float = 1.0,
    palm: Palm | None = None,
) -> BodyAction:
    """Bring a hand to a place, through others on the way, and turn it as it shall grasp."""
    hand = f"{side}_hand"
    if not person.has_goal(hand) or palm is not None:
        here = person.goal(hand).position if person.has_goal(hand) else None
        place = person.posture().position(hand) if here is None else here.copy()
        hold_hand(person, side, place, along=None if palm is None else palm.direction)
    turning = () if palm is None else (turn_palm(person, side, to=palm, seconds=0.8 * seconds),)
    yield from together(move(person, hand, through=[*via, to], seconds=seconds), *turning)


def turn_palm(person: Performer, side: Side, *, to: Palm, seconds: float) -> BodyAction:
    """Turn a hand the short way until its axis points as told."""
    goal = f"{side}_palm"
    now = person.goal(goal).rotation[:, to.axis]
    axis = np.cross(now, to.direction)
    angle = float(np.arctan2(np.linalg.norm(axis), now @ to.direction))
    way = angle * axis / max(float(np.linalg.norm(axis)), 1e-12)
    yield from turn(person, goal, by=way, seconds=seconds)


def straighten(person: Performer, *, seconds: float) -> BodyAction:
    """Bring pelvis and trunk upright."""
    hold_posture(person)
    heading = person.goal("pelvis_turn").rotation.copy()
    turns = []
    for part in ("pelvis_level", "trunk_turn"):
        way = log_rotation(heading @ person.goal(part).rotation.T)
        turns.append(turn(person, part, by=way, seconds=seconds))
    yield from together(*turns)


def look_at(person: Performer, place: ArrayLike, *, seconds: float = 0.6) -> BodyAction:
    """Turn the trunk half-way towards a place; the neck has no joint."""
    way = np.asarray(place, dtype=float) - person.posture().position("neck")
    heading = person.goal("pelvis_turn").rotation
    ahead = heading.T @ way
    yaw = 0.5 * float(np.clip(np.arctan2(ahead[1], ahead[0]), -1.0, 1.0))
    start = person.posture().pose("chest").rotation
    turn_trunk(person, start, turns="z")
    by = log_rotation(heading @ yaw_rotations(yaw) @ start.T)
    yield from turn(person, "trunk_turn", by=by, seconds=seconds)


def lean_towards(
    person: Performer, places: Mapping[Side, ArrayLike], *, seconds: float = 1.0
) -> BodyAction:
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


def brace(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.5) -> BodyAction:
    """Shift the weight so that taking or putting a load at a place keeps the balance."""
    polygon = polygon_of(person, *person.contacts)
    to = place_inside(polygon, braced(person, load, at), margin=BRACED_MARGIN)
    yield from shift_weight(person, to=to, seconds=seconds)


def grasp(person: Performer, load: Load, *, at: ArrayLike, seconds: float = 0.25) -> BodyAction:
    """Close the hands on a load and carry it from then on."""
    yield from wait(person, seconds)
    posture = person.posture()
    hands = [posture.position(f"{side}_hand") for side in load.hands]
    missing = float(np.linalg.norm(np.mean(hands, axis=0) - np.asarray(at)))
    if missing > GRASP_TOLERANCE:
        raise Infeasible(Shortfall(f"the grasp of {load.name}", person.time, missing))
    person.take(load)
    _check_balance(person, f"the balance with {load.name}")


def release(person: Performer, name: str, *, seconds: float = 0.25) -> BodyAction:
    """Let go of a load."""
    yield from wait(person, seconds)
    person.put(name)
    _check_balance(person, f"the balance without {name}")


def _check_balance(person: Performer, what: str) -> None:
    """Refuse to go on when a load that changed hands throws the body over."""
    margin = margin_inside(person, polygon_of(person, *person.contacts))
    if margin < LEAST_MARGIN:
        raise Infeasible(Shortfall(what, person.time, LEAST_MARGIN - margin))
