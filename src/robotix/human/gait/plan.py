"""Gait planning: from footprints to trajectories of feet, centre of mass, pelvis and heading.

A static gait keeps the centre of mass over the stance foot whenever the other foot is lifted, so a
walk could stop at any instant; feet land flat. In a dynamic gait the zero-moment point stays inside
the support instead, and feet roll from heel to toes (`stride`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from robotix.geometry import Array
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import (
    Footprint,
    FootTrajectory,
    Gait,
    TimedStep,
    current_footprints,
    forward_of,
    time_steps,
    toe_joint,
)
from robotix.human.gait.stride import dynamic_com, rolling_foot, swing_in_joints
from robotix.human.motion.balance import ahead_of_ankle
from robotix.human.motion.curves import (
    clamped_spline,
    lower_envelope,
    minimum_jerk,
    pitch_rotations,
    smooth_below,
    yaw_rotations,
)
from robotix.human.motion.performer import Performer

__all__ = ["GaitPlan", "plan_gait"]

# Displacement of the centre of mass per displacement of one foot, from de Leva's leg masses.
LEG_MASS_RATIO = 0.074
MIN_PASSING = 0.1  # m; a foot that gets farther ahead of the other one passes it
LATE_SCALE = 5**5 / (3**3 * 2**2)  # the largest of w³ (1 - w)² times it is 1
# Forward displacement of the centre of mass against the hips, of stature, per rad of lean.
LEAN_SHIFT_RATIO = 0.16


@dataclass(frozen=True, eq=False)
class GaitPlan:
    """All trajectories of a walk, one row per tick, and the contact events."""

    feet: dict[Side, FootTrajectory]
    com: Array  # (n, 3), desired centre of mass; z is not used
    heights: Array  # (n,), of the pelvis
    yaw: Array  # (n,), rad, heading of the pelvis
    stride: Array  # (n,), m, forward distance from the right foot to the left one
    pelvis: Array  # (n, 3, 3), orientations of the pelvis
    events: dict[int, list[tuple[str, str]]]  # row: ("touch" | "leave", contact)

    def __len__(self) -> int:
        return len(self.com)


def plan_gait(person: Performer, footprints: Sequence[Footprint], *, gait: Gait) -> GaitPlan:
    """Plan a walk from the present stance through footprints, in order."""
    steps, duration = time_steps(person, footprints, gait)
    count = max(round(duration / person.dt), 1)
    times: Array = person.dt * np.arange(1.0, count + 1)
    yaws = {side: _yaw_series(person, side, steps, times) for side in SIDES}
    make_foot = rolling_foot if gait.landing_pitch else _foot_trajectory
    feet = {side: make_foot(person, side, steps, times, gait, yaws[side]) for side in SIDES}
    yaw = np.mean(list(yaws.values()), axis=0)
    if gait.is_dynamic:
        weight = dynamic_com(person, steps, times)
    else:
        weight = _com_series(person, steps, feet, times, duration)
    turned = yaw - gait.pelvis_turn * _strides(feet, yaw) / gait.long_step
    hips = _rehearsed_hips(person, count) or _hip_paths(person, feet, weight, turned, gait)
    heights = _pelvis_heights(person, feet, hips, gait, rolling_steps=steps)
    if gait.landing_pitch:
        drop = person.posture().position("pelvis")[2] - heights
        for side in SIDES:
            hips[side][:, 2] = person.posture().position(f"{side}_hip")[2] - drop
            feet[side] = swing_in_joints(person, side, steps, gait, feet[side], hips[side], yaw)
    return GaitPlan(
        feet,
        weight,
        heights,
        yaw,
        _strides(feet, yaw),
        yaw_rotations(turned),
        _events(steps, person.dt, count),
    )


def _strides(feet: dict[Side, FootTrajectory], yaw: Array) -> Array:
    """Return the forward distance from the right foot to the left one, (n,), m."""
    ahead = np.stack([np.cos(yaw), np.sin(yaw)], axis=1)
    apart = feet["left"].positions - feet["right"].positions
    return np.asarray((apart[:, :2] * ahead).sum(axis=1))


# -- feet ---------------------------------------------------------------------------------------


def _foot_trajectory(
    person: Performer, side: Side, steps: Sequence[TimedStep], times: Array, gait: Gait, yaw: Array
) -> FootTrajectory:
    """Move the toe joint from footprint to footprint with level toes; the foot pitches about it."""
    local = toe_joint(person)
    first = current_footprints(person)[side]
    joint = np.tile(first.apply(local), (len(times), 1))
    rise, toe_out = np.zeros(len(times)), np.zeros(len(times))
    for step in (step for step in steps if step.end.side == side):
        swing = step.landing - step.lift_off
        part = (times - step.lift_off) / swing
        peak = step.lift_off + 0.2 * swing
        up = minimum_jerk((times - step.heel_off) / (peak - step.heel_off))
        down = minimum_jerk((times - peak) / (0.75 * swing))
        w = np.clip(part, 0.0, 1.0)
        bump = 64 * (w * (1 - w)) ** 3
        rise += step.rise * (up - down) + gait.droop * bump
        toe_out += SIDES[side] * gait.toe_out * _toe_out(step, w, late_most=gait.late_toe_out)
        along = minimum_jerk((part - 0.3 * gait.climb_first) / (1 - 0.3 * gait.climb_first))
        above = minimum_jerk(part / (1 - 0.45 * gait.climb_first))
        displacement = step.end.apply(local) - step.start.apply(local)
        joint[:, :2] += along[:, None] * displacement[:2]
        joint[:, 2] += above * displacement[2] + gait.lift * bump
    rotations = yaw_rotations(yaw + toe_out) @ pitch_rotations(rise)
    return FootTrajectory(joint - rotations @ local, rotations, rise)


def _toe_out(step: TimedStep, w: Array, *, late_most: float) -> Array:
    """Return the course of the yaw of a swing foot over w in [0, 1], 1 at most where it passes.

    In a step that ends beside the other foot it is later, since the toes must leave a riser first,
    and `late_most` at most.
    """
    beyond = forward_of(step.stance, step.end.position - step.stance.position)
    late = minimum_jerk(1 - beyond / MIN_PASSING)
    early = 16 * (w * (1 - w)) ** 2
    return np.asarray(early + late * (late_most * LATE_SCALE * w**3 * (1 - w) ** 2 - early))


def _yaw_series(person: Performer, side: Side, steps: Sequence[TimedStep], times: Array) -> Array:
    yaw = np.full(len(times), current_footprints(person)[side].yaw)
    for step in (step for step in steps if step.end.side == side):
        part = (times - step.lift_off) / (step.landing - step.lift_off)
        yaw_change = (step.end.yaw - step.start.yaw + np.pi) % (2 * np.pi) - np.pi
        yaw += yaw_change * minimum_jerk(part)
    return yaw


# -- weight and pelvis --------------------------------------------------------------------------


def _com_series(
    person: Performer,
    steps: Sequence[TimedStep],
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
        before = forward_of(step.stance, step.stance.position - step.start.position)
        beyond = forward_of(step.stance, step.end.position - step.stance.position)
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


def _hip_paths(
    person: Performer, feet: dict[Side, FootTrajectory], weight: Array, yaw: Array, gait: Gait
) -> dict[Side, Array]:
    """Return where the hips are, (n, 3), m; z is not used."""
    posture, heading = person.posture(), yaw_rotations(yaw)
    now = yaw_rotations(float(np.mean([p.yaw for p in current_footprints(person).values()])))
    back = LEAN_SHIFT_RATIO * gait.lean * person.stature  # the hips move back when the trunk leans
    centre = _pelvis_centres(person, feet, weight) if gait.is_dynamic else weight
    hips = {}
    for side in SIDES:
        hip = posture.position(f"{side}_hip")
        offset = now.T @ ((hip - posture.com) * (1, 1, 0)) - (back, 0.0, 0.0)
        hips[side] = centre + heading @ offset
    return hips


def _rehearsed_hips(person: Performer, count: int) -> dict[Side, Array] | None:
    """Return where the hips were in the last rehearsal, (n, 3), m; None without one."""
    if person.rehearsed_hips is None:
        return None
    first = len(person.rows)
    return {
        side: path[np.minimum(first + np.arange(count), len(path) - 1)]
        for side, path in person.rehearsed_hips.items()
    }


def _pelvis_heights(
    person: Performer,
    feet: dict[Side, FootTrajectory],
    hips: dict[Side, Array],
    gait: Gait,
    *,
    rolling_steps: Sequence[TimedStep],
) -> Array:
    """Return the largest pelvis heights at which both knees stay slightly bent, smoothed, (n,).

    A leg of a foot that rolls swings with a given knee, so that it does not limit the height.
    """
    posture = person.posture()
    pelvis = posture.position("pelvis")
    heights = []
    for side in SIDES:
        hip = posture.position(f"{side}_hip")
        own = [step for step in rolling_steps if step.end.side == side and gait.landing_pitch]
        length = _extensions(own, gait, len(hips[side]), person.dt)
        length *= person.size("thigh_length") + person.size("shank_length")
        rise = np.array([0.0, 0.0, person.size("ankle_height")])
        ankles = feet[side].positions + feet[side].rotations @ rise
        apart = np.linalg.norm((hips[side] - ankles)[:, :2], axis=1)
        reach = np.sqrt(np.maximum(length**2 - apart**2, 0.0))
        most = ankles[:, 2] + reach + pelvis[2] - hip[2]
        for step in own:
            first, last = (round(t / person.dt) for t in (step.lift_off, step.landing))
            most[first : last - 1] = np.inf
        heights.append(most)
    width = round(gait.smoothing / person.dt)
    most = np.min(heights, axis=0)
    if gait.is_dynamic:
        step_width = round((gait.double_support + gait.swing) / (2 * person.dt))
        most = np.minimum(most, lower_envelope(most, width=step_width) + gait.bounce)
    highest = (smooth_below if gait.is_dynamic else lower_envelope)(most, width=width)
    feet_now = np.mean([person.goal(f"{side}_foot").position[2] for side in SIDES])
    climbed = np.mean([foot.positions[-1, 2] for foot in feet.values()]) - feet_now
    ramps = np.arange(1, len(highest) + 1) * person.dt / 0.5
    start, end = pelvis[2] - highest[0], pelvis[2] + climbed - highest[-1]
    blend = start * (1 - minimum_jerk(ramps)) + end * (1 - minimum_jerk(ramps[::-1]))
    return np.asarray(highest + blend)


def _extensions(steps: Sequence[TimedStep], gait: Gait, count: int, dt: float) -> Array:
    """Return the largest extension of a leg, (n,): its knee bends before the toes leave."""
    found = np.full(count, gait.extension)
    for step in steps:
        first, last = (round(t / dt) for t in (step.lift_off - gait.double_support, step.lift_off))
        bent = (gait.extension - gait.push_off) * min(step.rise / gait.heel_rise, 1.0)
        found[max(first, 0) : last] -= bent * np.linspace(0.0, 1.0, last - max(first, 0))
    return found


def _pelvis_centres(person: Performer, feet: dict[Side, FootTrajectory], weight: Array) -> Array:
    """Return the centre of mass of body without legs, which swing against it, (n, 3).

    In a stance with the feet below the body it is the centre of mass of the whole.
    """
    ahead = ahead_of_ankle(person)
    legs = np.mean([foot.positions + foot.rotations @ (ahead, 0, 0) for foot in feet.values()], 0)
    return np.asarray((weight - 2 * LEG_MASS_RATIO * legs * (1, 1, 0)) / (1 - 2 * LEG_MASS_RATIO))


def _events(steps: Sequence[TimedStep], dt: float, count: int) -> dict[int, list[tuple[str, str]]]:
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
        if step.flat > step.landing:
            add(step.landing, ("touch", f"{side}_heel"))
            add(step.flat, ("leave", f"{side}_heel"), ("touch", f"{side}_foot"))
        else:
            add(step.landing, ("touch", f"{side}_foot"))
    return events
