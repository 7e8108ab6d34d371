"""Gait planning: from footprints to trajectories of feet, centre of mass, pelvis and heading.

The gait is statically stable: the centre of mass is over the stance foot whenever the other foot is
lifted, so a walk could stop at any instant. The rear heel rises before its toes leave the floor;
feet land flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.balance import ahead_of_ankle
from robotix.human.motion.curves import (
    clamped_spline,
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
    "current_footprints",
    "plan_gait",
    "toe_joint",
]

# Largest distance from hip to ankle, of the straight leg: knees stay bent by 15° or more.
LEG_EXTENSION_RATIO = 0.991
# Displacement of the centre of mass per displacement of one foot, from de Leva's leg masses.
LEG_MASS_RATIO = 0.074
# Forward displacement of the centre of mass against the hips, of stature, per rad of lean.
LEAN_SHIFT_RATIO = 0.16


@dataclass(frozen=True, eq=False)
class Footprint:
    """Pose of a flat foot: the point of the sole under the ankle, and the heading."""

    side: Side
    position: Array  # (3,), m
    yaw: float = 0.0  # rad

    def apply(self, local: Array) -> Array:
        """Map a point from the frame of the foot to the world."""
        return self.position + yaw_rotations(self.yaw) @ local


@dataclass(frozen=True)
class Gait:
    """Parameters of a gait; lengths in m, times in s."""

    double_support: float = 0.36
    swing: float = 0.52
    first: float = 0.75  # weight shift before the first step
    last: float = 0.8  # weight shift after the last step
    lift: float = 0.04  # height of the swing foot
    heel_rise: float = 0.6  # rad, of the rear foot at a step of `long_step`
    rolling: float = 0.5  # fraction of the double support in which the rear heel rises
    long_step: float = 0.35
    arm_swing: float = 0.35  # rad, at a step of `long_step`
    climb_first: float = 0.0  # 0: up and forward together; 1: up before forward
    lean: float = 0.0  # rad, of the trunk, forward
    droop: float = 0.15  # rad, pitch of the swing foot, heel up

    def at_pace(self, pace: float) -> Gait:
        """Return the gait with all times divided by `pace`."""
        times = ("double_support", "swing", "first", "last")
        return replace(self, **{name: getattr(self, name) / pace for name in times})


@dataclass(frozen=True, eq=False)
class FootTrajectory:
    """Trajectory of one foot, one row per tick."""

    positions: Array  # (n, 3), of the sole under the ankle
    rotations: Array  # (n, 3, 3)
    rise: Array  # (n,), rad, pitch of the foot about the toe joint; the toes stay level


@dataclass(frozen=True, eq=False)
class GaitPlan:
    """All trajectories of a walk, one row per tick, and the contact events."""

    feet: dict[Side, FootTrajectory]
    com: Array  # (n, 3), desired centre of mass; z is not used
    heights: Array  # (n,), of the pelvis
    yaw: Array  # (n,), rad, heading of the pelvis
    stride: Array  # (n,), m, forward distance from the right foot to the left one
    events: dict[int, list[tuple[str, str]]]  # row: ("touch" | "leave", contact)

    def __len__(self) -> int:
        return len(self.com)


@dataclass(frozen=True, eq=False)
class _Step:
    """One step and its times, s: heel off, toe off, landing."""

    start: Footprint
    end: Footprint
    stance: Footprint
    heel_off: float
    lift_off: float
    landing: float
    rise: float  # rad


def plan_gait(person: Performer, footprints: Sequence[Footprint], *, gait: Gait) -> GaitPlan:
    """Plan a walk from the present stance through footprints, in order."""
    steps, duration = _time_steps(person, footprints, gait)
    count = max(round(duration / person.dt), 1)
    times: Array = person.dt * np.arange(1.0, count + 1)
    feet = {side: _foot_trajectory(person, side, steps, times, gait) for side in SIDES}
    yaw = np.mean([_yaw_series(person, side, steps, times) for side in SIDES], axis=0)
    weight = _com_series(person, steps, feet, times, duration)
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


def current_footprints(person: Performer) -> dict[Side, Footprint]:
    """Return the footprints of the present stance."""
    prints: dict[Side, Footprint] = {}
    for side in SIDES:
        goal = person.goal(f"{side}_foot")
        yaw = float(np.arctan2(goal.rotation[1, 0], goal.rotation[0, 0]))
        prints[side] = Footprint(side, goal.position.copy(), yaw)
    return prints


def _time_steps(
    person: Performer, footprints: Sequence[Footprint], gait: Gait
) -> tuple[list[_Step], float]:
    standing = current_footprints(person)
    steps: list[_Step] = []
    time = 0.0
    for index, end in enumerate(footprints):
        stance = standing["left" if end.side == "right" else "right"]
        start = standing[end.side]
        shift = gait.first if index == 0 else gait.double_support
        behind = _forward(stance, stance.position - start.position)
        rise = gait.heel_rise * float(np.clip(behind / gait.long_step, 0.0, 1.2))
        lift_off = time + shift
        heel_off = lift_off - (gait.rolling * shift if rise > 0.02 else 0.0)
        landing = lift_off + gait.swing
        steps.append(_Step(start, end, stance, heel_off, lift_off, landing, rise))
        standing[end.side] = end
        time = landing
    return steps, time + gait.last


def _forward(print_: Footprint, displacement: Array) -> float:
    return float(displacement[0] * np.cos(print_.yaw) + displacement[1] * np.sin(print_.yaw))


# -- feet ---------------------------------------------------------------------------------------


def toe_joint(person: Performer) -> Array:
    """Return the toe joint in the frame of a flat foot, (3,), m."""
    ahead = person.size("heel_to_ball") - person.size("heel_to_ankle")
    return np.array([ahead, 0.0, person.size("toe_joint_height")])


def _foot_trajectory(
    person: Performer, side: Side, steps: Sequence[_Step], times: Array, gait: Gait
) -> FootTrajectory:
    """Move the toe joint from footprint to footprint with level toes; the foot pitches about it."""
    local = toe_joint(person)
    first = current_footprints(person)[side]
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
        displacement = step.end.apply(local) - step.start.apply(local)
        joint[:, :2] += along[:, None] * displacement[:2]
        joint[:, 2] += above * displacement[2] + gait.lift * bump
    yaw = _yaw_series(person, side, steps, times)
    rotations = yaw_rotations(yaw) @ pitch_rotations(rise)
    return FootTrajectory(joint - rotations @ local, rotations, rise)


def _yaw_series(person: Performer, side: Side, steps: Sequence[_Step], times: Array) -> Array:
    yaw = np.full(len(times), current_footprints(person)[side].yaw)
    for step in (step for step in steps if step.end.side == side):
        part = (times - step.lift_off) / (step.landing - step.lift_off)
        yaw_change = (step.end.yaw - step.start.yaw + np.pi) % (2 * np.pi) - np.pi
        yaw += yaw_change * minimum_jerk(part)
    return yaw


# -- weight and pelvis --------------------------------------------------------------------------


def _com_series(
    person: Performer,
    steps: Sequence[_Step],
    feet: dict[Side, FootTrajectory],
    times: Array,
    duration: float,
) -> Array:
    """Return the desired centre of mass: over each stance foot while the other one swings, (n, 3).

    A swinging leg moves the centre of mass by its mass fraction. The spline therefore goes through
    the centre of mass minus this part of the legs, so that the trunk moves smoothly.
    """
    ahead = ahead_of_ankle(person)
    length, half = person.size("foot_length"), person.size("foot_breadth") / 2
    knots, positions = [0.0], [person.goal("balance").position[:2].copy()]
    last = dict(current_footprints(person))
    for step in steps:
        last[step.end.side] = step.end
        inward = 0.32 * half * (1 if step.stance.side == "right" else -1)
        before = _forward(step.stance, step.stance.position - step.start.position)
        beyond = _forward(step.stance, step.end.position - step.stance.position)
        climbed = step.stance.position[2] - step.start.position[2]
        onto = ahead - np.clip(0.16 * before + 0.3 * climbed, -0.2 * length, 0.275 * length)
        for knot, x in (
            (step.lift_off, onto),
            (step.landing, ahead + np.clip(0.27 * beyond, -0.2 * length, 0.32 * length)),
        ):
            knots.append(knot)
            positions.append(step.stance.apply(np.array([x, inward, 0.0]))[:2])
    ends = [p.apply(np.array([ahead, 0.0, 0.0]))[:2] for p in last.values()]
    knots.append(duration)
    positions.append(np.mean(ends, axis=0))
    legs = LEG_MASS_RATIO * np.sum([foot.positions[:, :2] for foot in feet.values()], axis=0)
    rows = np.clip(np.round(np.array(knots) / person.dt).astype(int) - 1, 0, len(times) - 1)
    carried = clamped_spline(knots, np.array(positions) - legs[rows], at=times)
    return np.pad(carried + legs, ((0, 0), (0, 1)))


def _pelvis_heights(
    person: Performer, feet: dict[Side, FootTrajectory], weight: Array, yaw: Array, *, lean: float
) -> Array:
    """Return the largest pelvis heights at which both knees stay slightly bent, smoothed, (n,)."""
    posture = person.posture()
    heading = yaw_rotations(yaw)
    now = yaw_rotations(float(np.mean([p.yaw for p in current_footprints(person).values()])))
    pelvis = posture.position("pelvis")
    back = LEAN_SHIFT_RATIO * lean * person.stature  # the hips move back when the trunk leans
    heights = []
    for side in SIDES:
        hip = posture.position(f"{side}_hip")
        length = LEG_EXTENSION_RATIO * (person.size("thigh_length") + person.size("shank_length"))
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
    """Return the contact events before each row."""
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
