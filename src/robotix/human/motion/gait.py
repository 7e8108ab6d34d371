"""Walking, planned: from footprints to courses of feet, weight, pelvis and arms.

The weight is over the stance foot whenever the other one is lifted, so a walk could be stopped at
any instant. The hind heel rises before its toes leave the floor; feet land flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.balance import ahead_of_ankle
from robotix.human.motion.curves import (
    course,
    lower_envelope,
    minimum_jerk,
    pitch_rotations,
    yaw_rotations,
)
from robotix.human.motion.performer import Performer

__all__ = [
    "FootTrajectory",
    "Footprint",
    "Gait",
    "GaitPlan",
    "plan_gait",
    "standing_prints",
    "toe_joint",
]


STRETCH = 0.991  # of the length of a straight leg while walking: knees bent by 15° or more


LEG_SHARE = 0.074  # how far the centre of mass goes along with a foot, by de Leva's masses of a leg


LEAN_SHIFT = 0.16  # of stature: how far a rad of lean carries the mass before the hips


@dataclass(frozen=True, eq=False)
class Footprint:
    """Where a flat foot stands: the sole under the ankle, and its heading."""

    side: Side
    place: Array  # (3,), m
    yaw: float = 0.0  # rad

    def apply(self, local: Array) -> Array:
        """Return a point given in the foot's axes, in the world's."""
        return self.place + yaw_rotations(self.yaw) @ local


@dataclass(frozen=True)
class Gait:
    """How a person walks; lengths in m, times in s."""

    double_support: float = 0.36
    swing: float = 0.52
    first: float = 0.75  # shifting the weight before the first step
    last: float = 0.8  # and after the last
    lift: float = 0.04  # of the swinging foot
    heel_rise: float = 0.6  # rad, of the hind foot for a step of `long_step`
    rolling: float = 0.5  # share of the double support in which the hind heel rises
    long_step: float = 0.35
    arm_swing: float = 0.35  # rad, for a step of `long_step`
    climb_first: float = 0.0  # 0: up and forward together; 1: up before forward
    lean: float = 0.0  # rad, of the trunk, forward
    droop: float = 0.15  # rad, how far the swinging foot's heel is above its toes

    def at_pace(self, pace: float) -> Gait:
        """Return the same gait at another pace; 2 takes half the time."""
        times = ("double_support", "swing", "first", "last")
        return replace(self, **{name: getattr(self, name) / pace for name in times})


@dataclass(frozen=True, eq=False)
class FootTrajectory:
    """One foot's course, a row a tick."""

    positions: Array  # (n, 3), of the sole under the ankle
    rotations: Array  # (n, 3, 3)
    rise: Array  # (n,), rad, of the heel: the toes stay level


@dataclass(frozen=True, eq=False)
class GaitPlan:
    """All courses of a walk, a row a tick, and what touches when."""

    feet: dict[Side, FootTrajectory]
    weight: Array  # (n, 3), where the centre of mass should be; z does not count
    heights: Array  # (n,), of the pelvis
    yaw: Array  # (n,), of the heading
    stride: Array  # (n,), m, how far the left foot is before the right one
    events: dict[int, list[tuple[str, str]]]  # row: ("touch" | "leave", contact)

    def __len__(self) -> int:
        return len(self.weight)


@dataclass(frozen=True, eq=False)
class _Step:
    """One step with its times: the heel rises, the toes leave, the foot lands."""

    start: Footprint
    end: Footprint
    stance: Footprint
    heel_off: float
    lift_off: float
    landing: float
    rise: float  # rad


def plan_gait(person: Performer, footprints: Sequence[Footprint], *, gait: Gait) -> GaitPlan:
    """Plan a walk from the present stance through footprints, in turn."""
    steps, duration = _time_steps(person, footprints, gait)
    count = max(round(duration / person.dt), 1)
    times: Array = person.dt * np.arange(1.0, count + 1)
    feet = {side: _foot_course(person, side, steps, times, gait) for side in SIDES}
    yaw = np.mean([_yaw_course(person, side, steps, times) for side in SIDES], axis=0)
    weight = _weight_course(person, steps, feet, times, duration)
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    apart = feet["left"].positions - feet["right"].positions
    return GaitPlan(
        feet,
        weight,
        _pelvis_heights(person, feet, weight, yaw, lean=gait.lean),
        yaw,
        (apart[:, :2] * ahead).sum(axis=1),
        _events(steps, person.dt, count),
    )


def standing_prints(person: Performer) -> dict[Side, Footprint]:
    """Return where the feet stand now."""
    prints: dict[Side, Footprint] = {}
    for side in SIDES:
        goal = person.goal(f"{side}_foot")
        yaw = float(np.arctan2(goal.rotation[1, 0], goal.rotation[0, 0]))
        prints[side] = Footprint(side, goal.position.copy(), yaw)
    return prints


def _time_steps(
    person: Performer, footprints: Sequence[Footprint], gait: Gait
) -> tuple[list[_Step], float]:
    standing = standing_prints(person)
    steps: list[_Step] = []
    time = 0.0
    for index, end in enumerate(footprints):
        stance = standing["left" if end.side == "right" else "right"]
        start = standing[end.side]
        shift = gait.first if index == 0 else gait.double_support
        behind = _forward(stance, stance.place - start.place)
        rise = gait.heel_rise * float(np.clip(behind / gait.long_step, 0.0, 1.2))
        lift_off = time + shift
        heel_off = lift_off - (gait.rolling * shift if rise > 0.02 else 0.0)
        landing = lift_off + gait.swing
        steps.append(_Step(start, end, stance, heel_off, lift_off, landing, rise))
        standing[end.side] = end
        time = landing
    return steps, time + gait.last


def _forward(print_: Footprint, way: Array) -> float:
    return float(way[0] * np.cos(print_.yaw) + way[1] * np.sin(print_.yaw))


# -- feet ---------------------------------------------------------------------------------------


def toe_joint(person: Performer) -> Array:
    """Return the toes' joint in the axes of a flat foot."""
    ahead = person.size("heel_to_ball") - person.size("heel_to_ankle")
    return np.array([ahead, 0.0, person.size("toe_joint_height")])


def _foot_course(
    person: Performer, side: Side, steps: Sequence[_Step], times: Array, gait: Gait
) -> FootTrajectory:
    """Move the toes' joint from print to print, level toes; the heel rises about it."""
    local = toe_joint(person)
    first = standing_prints(person)[side]
    joint = np.tile(first.apply(local), (len(times), 1))
    rise = np.zeros(len(times))
    for step in (step for step in steps if step.end.side == side):
        swing = step.landing - step.lift_off
        part = (times - step.lift_off) / swing
        peak = step.lift_off + 0.2 * swing
        up = minimum_jerk((times - step.heel_off) / (peak - step.heel_off))
        down = minimum_jerk((times - peak) / (0.75 * swing))
        w = np.clip(part, 0.0, 1.0)
        bump = 64 * (w * (1 - w)) ** 3
        rise += step.rise * (up - down) + gait.droop * bump
        along = minimum_jerk((part - 0.3 * gait.climb_first) / (1 - 0.3 * gait.climb_first))
        above = minimum_jerk(part / (1 - 0.45 * gait.climb_first))
        way = step.end.apply(local) - step.start.apply(local)
        joint[:, :2] += along[:, None] * way[:2]
        joint[:, 2] += above * way[2] + gait.lift * bump
    yaw = _yaw_course(person, side, steps, times)
    rotations = yaw_rotations(yaw) @ pitch_rotations(rise)
    return FootTrajectory(joint - rotations @ local, rotations, rise)


def _yaw_course(person: Performer, side: Side, steps: Sequence[_Step], times: Array) -> Array:
    yaw = np.full(len(times), standing_prints(person)[side].yaw)
    for step in (step for step in steps if step.end.side == side):
        part = (times - step.lift_off) / (step.landing - step.lift_off)
        turn = (step.end.yaw - step.start.yaw + np.pi) % (2 * np.pi) - np.pi
        yaw += turn * minimum_jerk(part)
    return yaw


# -- weight and pelvis --------------------------------------------------------------------------


def _weight_course(
    person: Performer,
    steps: Sequence[_Step],
    feet: dict[Side, FootTrajectory],
    times: Array,
    duration: float,
) -> Array:
    """Lead the weight over each stance foot while the other one swings.

    A leg that swings takes its share of the mass along; smooth is the way of what the legs carry.
    """
    ahead = ahead_of_ankle(person)
    length, half = person.size("foot_length"), person.size("foot_breadth") / 2
    knots, places = [0.0], [person.goal("balance").position[:2].copy()]
    last = dict(standing_prints(person))
    for step in steps:
        last[step.end.side] = step.end
        inward = 0.32 * half * (1 if step.stance.side == "right" else -1)
        before = _forward(step.stance, step.stance.place - step.start.place)
        beyond = _forward(step.stance, step.end.place - step.stance.place)
        climbed = step.stance.place[2] - step.start.place[2]
        onto = ahead - np.clip(0.16 * before + 0.3 * climbed, -0.2 * length, 0.275 * length)
        for knot, x in (
            (step.lift_off, onto),
            (step.landing, ahead + np.clip(0.27 * beyond, -0.2 * length, 0.32 * length)),
        ):
            knots.append(knot)
            places.append(step.stance.apply(np.array([x, inward, 0.0]))[:2])
    ends = [p.apply(np.array([ahead, 0.0, 0.0]))[:2] for p in last.values()]
    knots.append(duration)
    places.append(np.mean(ends, axis=0))
    legs = LEG_SHARE * np.sum([foot.positions[:, :2] for foot in feet.values()], axis=0)
    rows = np.clip(np.round(np.array(knots) / person.dt).astype(int) - 1, 0, len(times) - 1)
    carried = course(knots, np.array(places) - legs[rows], at=times)
    return np.pad(carried + legs, ((0, 0), (0, 1)))


def _pelvis_heights(
    person: Performer, feet: dict[Side, FootTrajectory], weight: Array, yaw: Array, *, lean: float
) -> Array:
    """Carry the pelvis as high as both legs let it with their knees a little bent."""
    posture = person.posture()
    heading = yaw_rotations(yaw)
    now = yaw_rotations(float(np.mean([p.yaw for p in standing_prints(person).values()])))
    pelvis = posture.position("pelvis")
    back = LEAN_SHIFT * lean * person.stature  # the hips of who leans
    heights = []
    for side in SIDES:
        hip = posture.position(f"{side}_hip")
        length = STRETCH * (person.size("thigh_length") + person.size("shank_length"))
        offset = now.T @ ((hip - posture.com) * (1, 1, 0)) - (back, 0.0, 0.0)
        hips = weight + heading @ offset
        rise = np.array([0.0, 0.0, person.size("ankle_height")])
        ankles = feet[side].positions + feet[side].rotations @ rise
        apart = np.linalg.norm((hips - ankles)[:, :2], axis=1)
        reach = np.sqrt(np.maximum(length**2 - apart**2, 0.0))
        heights.append(ankles[:, 2] + reach + pelvis[2] - hip[2])
    highest = lower_envelope(np.min(heights, axis=0), width=round(0.16 / person.dt))
    feet_now = np.mean([person.goal(f"{side}_foot").position[2] for side in SIDES])
    climbed = np.mean([foot.positions[-1, 2] for foot in feet.values()]) - feet_now
    ramps = np.arange(1, len(highest) + 1) * person.dt / 0.5
    start, end = pelvis[2] - highest[0], pelvis[2] + climbed - highest[-1]
    blend = start * (1 - minimum_jerk(ramps)) + end * (1 - minimum_jerk(ramps[::-1]))
    return np.asarray(highest + blend)


def _events(steps: Sequence[_Step], dt: float, count: int) -> dict[int, list[tuple[str, str]]]:
    """Return what touches and leaves before which row."""
    events: dict[int, list[tuple[str, str]]] = {}

    def add(time: float, *facts: tuple[str, str]) -> None:
        events.setdefault(min(round(time / dt), count), []).extend(facts)

    for step in steps:
        side = step.end.side
        if step.heel_off < step.lift_off:
            add(step.heel_off, ("leave", f"{side}_foot"), ("touch", f"{side}_toes"))
            add(step.lift_off, ("leave", f"{side}_toes"))
        else:
            add(step.lift_off, ("leave", f"{side}_foot"))
        add(step.landing, ("touch", f"{side}_foot"))
    return events
