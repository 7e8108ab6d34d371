"""Walking: playing a planned gait, and laying footprints along a way."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.actions import ticks_of
from robotix.human.motion.contact_keeping import stay_upright
from robotix.human.motion.contacts import contact_places, sole, toes
from robotix.human.motion.curves import minimum_jerk, pitch_rotations, ramp, yaw_rotations
from robotix.human.motion.gait import (
    Footprint,
    Gait,
    GaitPlan,
    plan_gait,
    standing_prints,
    toe_joint,
)
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.support import support_polygon

__all__ = [
    "footprints_along",
    "raise_heels",
    "stand_on_soles",
    "stand_on_toes",
    "step",
    "toe_polygon",
    "walk",
]


def walk(
    person: Performer, footprints: Sequence[Footprint], *, gait: Gait | None = None
) -> BodyAction:
    """Walk through footprints; what the hands hold comes along, else the arms swing."""
    if not footprints:
        return
    gait = gait or Gait()
    plan = plan_gait(person, footprints, gait=gait)
    stay_upright(person)
    comfort = _comfort_course(person, plan, gait)
    carried = _carried_courses(person, plan)
    turns = yaw_rotations(plan.yaw)
    leans = turns @ _leaning(plan, gait, person.dt)
    heights = plan.heights[:, None] * (0.0, 0.0, 1.0)
    feet = {f"{side}_foot": foot for side, foot in plan.feet.items()}
    places = {name: foot.positions for name, foot in feet.items()}
    places |= {"balance": plan.weight, "height": heights, **carried}
    rotations = {name: foot.rotations for name, foot in feet.items()}
    rotations |= {"pelvis_turn": turns, "pelvis_level": turns, "trunk_turn": leans}
    moves = [(person.goal(name), course) for name, course in places.items()]
    turnings = [(person.goal(name), course) for name, course in rotations.items()]
    for row in range(len(plan)):
        for fact, contact in plan.events.get(row, ()):
            _take_place(person, fact, contact)
        for goal, course in moves:
            goal.position[:] = course[row]
        for goal, course in turnings:
            goal.rotation[:] = course[row]
        person.comfort[:] = comfort[row]
        yield
    for fact, contact in plan.events.get(len(plan), ()):
        _take_place(person, fact, contact)


def step(
    person: Performer,
    side: Side,
    *,
    to: Sequence[float],
    yaw: float = 0.0,
    gait: Gait | None = None,
) -> BodyAction:
    """Make one step: the weight onto the other foot, then this one to a place."""
    place = np.asarray(to, dtype=float)
    yield from walk(person, [Footprint(side, place, yaw)], gait=gait)


def _take_place(person: Performer, fact: str, contact: str) -> None:
    if fact == "leave":
        person.leave(contact)
        return
    side: Side = "right" if contact.startswith("right") else "left"
    make = toes if contact.endswith("toes") else sole
    person.touch(make(person.manikin, side))


def _comfort_course(person: Performer, plan: GaitPlan, gait: Gait) -> Array:
    """Swing each arm with the leg of the other side; the toes stay level."""
    model, rows = person.manikin.model, np.tile(person.comfort, (len(plan), 1))
    for side, sign in SIDES.items():  # the left arm swings back when the left leg is ahead
        rows[:, model.dof_index(f"{side}_toe_extension")] = plan.feet[side].rise
        if person.has_goal(f"{side}_hand"):
            continue
        swing = -sign * plan.stride / gait.long_step * gait.arm_swing
        rows[:, model.dof_index(f"{side}_shoulder_flexion")] += swing
        rows[:, model.dof_index(f"{side}_elbow_flexion")] += 0.5 * np.maximum(swing, 0.0)
    return rows


def _leaning(plan: GaitPlan, gait: Gait, dt: float) -> Array:
    """Return the trunk's pitch: leaning while walking, upright at both ends."""
    time = dt * np.arange(1, len(plan) + 1)
    shares = minimum_jerk(time / gait.first) * minimum_jerk((time[-1] - time) / gait.last)
    return pitch_rotations(gait.lean * shares)


def _carried_courses(person: Performer, plan: GaitPlan) -> dict[str, Array]:
    """Let what the hands hold keep its place before the body."""
    weight, height = person.goal("balance").position, person.goal("height").position[2]
    heading = yaw_rotations(plan.yaw)
    now = yaw_rotations(float(np.mean([p.yaw for p in standing_prints(person).values()])))
    origin = np.array([weight[0], weight[1], height])
    course = plan.weight + plan.heights[:, None] * (0.0, 0.0, 1.0)
    names = [f"{side}_hand" for side in SIDES if person.has_goal(f"{side}_hand")]
    return {
        name: course + heading @ (now.T @ (person.goal(name).position - origin)) for name in names
    }


def footprints_along(
    way: Callable[[float], tuple[Array, float]],
    *,
    length: float,
    step_length: float,
    half_width: float,
    end_half_width: float | None = None,
    first: Side = "right",
) -> list[Footprint]:
    """Lay footprints along a way, both feet side by side at its end, where they may stand wider.

    `way` tells place (3,) and heading (rad) after a distance.
    """
    count = max(int(np.ceil(length / step_length - 1e-9)), 1)
    sides: tuple[Side, Side] = ("right", "left") if first == "right" else ("left", "right")
    prints = []
    for index in range(1, count + 2):
        side = sides[(index - 1) % 2]
        place, yaw = way(length * min(index / count, 1.0))
        half = half_width if index < count or end_half_width is None else end_half_width
        aside = np.array([0.0, SIDES[side] * half, 0.0])
        prints.append(Footprint(side, place + yaw_rotations(yaw) @ aside, yaw))
    return prints


# -- standing on the toes -----------------------------------------------------------------------


def toe_polygon(person: Performer) -> Array:
    """Return the support that the toes alone give, (k, 2)."""
    both = [toes(person.manikin, side) for side in SIDES]
    return support_polygon(contact_places(person.posture(), both))


def stand_on_toes(person: Performer) -> None:
    """Let the toes bear what the soles bore; the heels may rise from now on."""
    for side in SIDES:
        person.leave(f"{side}_foot")
        person.touch(toes(person.manikin, side))


def stand_on_soles(person: Performer) -> None:
    """Let the soles bear again, the heels being down."""
    for side in SIDES:
        person.leave(f"{side}_toes")
        person.touch(sole(person.manikin, side))


def raise_heels(person: Performer, *, to: float, seconds: float) -> BodyAction:
    """Turn both feet about the joints of their toes, which stay flat; `to` in rad, 0 is down."""
    local, shares = toe_joint(person), ramp(ticks_of(person, seconds))
    courses = []
    for side, print_ in standing_prints(person).items():
        goal = person.goal(f"{side}_foot")
        joint = goal.position + goal.rotation @ local
        dof = person.manikin.model.dof_index(f"{side}_toe_extension")
        start = float(person.comfort[dof])
        rise = start + shares * (to - start)
        rotations = yaw_rotations(print_.yaw) @ pitch_rotations(rise)
        courses.append((f"{side}_foot", dof, rise, rotations, joint - rotations @ local))
    for row in range(len(shares)):
        for name, dof, rise, rotations, positions in courses:
            goal = person.goal(name)
            goal.rotation[:], goal.position[:] = rotations[row], positions[row]
            person.comfort[dof] = rise[row]
        yield
