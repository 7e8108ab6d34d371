"""Walking on the flat, around a hole, and up stairs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from robotix.geometry import Array
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import Footprint, Gait
from robotix.human.gait.walking import Path, footprints_along, walk
from robotix.human.motion.actions import wait
from robotix.human.motion.furniture import FLOOR, Hole, Stairs
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing
from robotix.human.motion.styles import Style

__all__ = ["climb_stairs", "walk_ahead", "walk_around_hole"]

# Step length of stature; longer steps bring the stance ankle to its limit and jerk the hips.
STEP_RATIO = 0.19
BRISK_GAIT = Gait(double_support=0.24, swing=0.30, rolling=0.8, heel_rise=0.4, lift=0.03)
# A dynamic walk: speed (m/s) and ratio of step length to cadence (m per step a minute) of a person
# with legs of a length (m), share of a step with both feet on the floor, and first and last step,
# of the others. Steps are shorter and quicker than people's: joints then accelerate less.
SPEED, WALK_RATIO, LEG_LENGTH = 1.335, 0.0053, 0.9
DOUBLE_SUPPORT, END_STEPS = 0.15, (0.5, 0.8)
# m, of a foot from the path: more than in a slow walk, and for every m of girth of thicker thighs
WIDE, WIDE_THIGH, SLIM_THIGH = 0.018, 0.17, 0.62
AROUND, WIDER = 0.7, 0.04  # speed of that straight ahead, and that, in a curve
STRIDE = Gait(
    first=0.7,
    last=0.9,
    rolling=1.9,
    heel_rise=0.87,
    landing_pitch=0.22,
    arm_swing=0.6,
    is_dynamic=True,
    pelvis_turn=0.08,
    trunk_turn=0.12,
    extension=0.985,
    push_off=0.966,
    bounce=0.037,
    smoothing=0.13,
)
TOE_OUT, CURVE_TOE_OUT = 0.47, 0.4  # rad, on stairs and in a curve
LATE_THICK = 25.0  # 1/m: thick thighs turn out more when they come to rest beside each other
RISER_RATIO, TREAD_RATIO = 0.088, 0.166  # of stature


def walk_ahead(
    manikin: Manikin,
    *,
    style: Style,
    distance: float = 4.0,
    speed: float | None = None,
    step_length: float | None = None,
    pace: float = 1.0,
) -> Scenario:
    """Walk straight ahead.

    Speed (m/s) and step length (m) follow from the length of the legs when they are not given;
    `pace` multiplies the speed. The slow style does not reach a speed.
    """
    person = standing(manikin, style=style)
    path = _straight
    if style.is_static:
        length = STEP_RATIO * manikin.anthropometry.stature if step_length is None else step_length
        prints = _prints(person, path, length=distance, step_length=length)
        gait = BRISK_GAIT.at_pace(pace)
    else:
        gait, prints = striding(
            person, path, length=distance, speed=speed, step_length=step_length, pace=pace
        )
    return Scenario(person, stroll(person, prints, gait), Environment(dict(FLOOR)))


def _straight(s: float) -> tuple[Array, float]:
    return np.array([s, 0.0, 0.0]), 0.0


def striding(
    person: Performer,
    path: Path,
    *,
    length: float,
    speed: float | None = None,
    step_length: float | None = None,
    pace: float = 1.0,
    wider: float = 0.0,
) -> tuple[Gait, list[Footprint]]:
    """Return gait and footprints of a dynamic walk along a path of some length, m.

    Feet are `wider` apart from the path than straight ahead, m.

    The ratio of step length and cadence is nearly the same at all usual speeds [Murakami2017];
    lengths scale with the legs, times with their square root (both assumed).
    """
    scale = leg_length(person) / LEG_LENGTH
    usual = SPEED * scale**0.5
    v = (usual if speed is None else speed) * pace
    usual_step = (60 * v * WALK_RATIO * scale**1.5) ** 0.5
    seconds = (usual_step if step_length is None else step_length) / v
    both, one = (  # contacts change at a tick
        round(part * seconds / person.dt) * person.dt
        for part in (DOUBLE_SUPPORT, 1 - DOUBLE_SUPPORT)
    )
    wanted = v * (both + one) if step_length is None else step_length
    gait = replace(
        STRIDE,
        double_support=both,
        swing=one,
        long_step=wanted,
        arm_swing=STRIDE.arm_swing * min(v / usual, 1.0),
    )
    prints = _prints(
        person,
        path,
        length=length,
        step_length=wanted,
        end_steps=END_STEPS,
        wider=wider + _wide(person),
    )
    return gait, prints


def _wide(person: Performer) -> float:
    """Return how much wider than a slow walk a quick one is, so that thighs clear each other, m."""
    return WIDE + WIDE_THIGH * max(person.size("thigh_girth") - SLIM_THIGH, 0.0)


def leg_length(person: Performer) -> float:
    """Return the height of the hips over the floor with straight legs, m."""
    parts = ("thigh_length", "shank_length", "ankle_height")
    return sum(person.size(part) for part in parts)


def _prints(
    person: Performer,
    path: Path,
    *,
    length: float,
    step_length: float,
    end_steps: Sequence[float] = (),
    wider: float = 0.0,
) -> list[Footprint]:
    return footprints_along(
        path,
        length=length,
        step_length=step_length,
        half_width=walking_half_width(person) + wider,
        end_half_width=standing_half_width(person)
        + (1.6 * (_wide(person) - WIDE) if wider else 0.0),
        end_steps=end_steps,
    )


def walk_around_hole(
    manikin: Manikin,
    *,
    style: Style,
    distance: float = 3.0,
    hole_radius: float = 0.35,
    speed: float | None = None,
    pace: float = 1.0,
) -> Scenario:
    """Walk around a hole in the floor, on its left side."""
    least = 4 * hole_radius + 1.0
    if distance < least:
        raise ValueError(
            f"to get around a hole of radius {hole_radius:g} m, walk at least {least:g} m, "
            f"not {distance:g} m"
        )
    person = standing(manikin, style=style)
    hole = Hole(distance / 2, 0.0, hole_radius)
    wide = walking_half_width(person) + (0.0 if style.is_static else WIDER + _wide(person))
    aside = hole_radius + wide + 0.6 * person.size("foot_breadth") + 0.06
    path, length = _detour(distance, aside)
    if style.is_static:
        stature = manikin.anthropometry.stature
        prints = _prints(person, path, length=length, step_length=STEP_RATIO * stature)
        gait = BRISK_GAIT.at_pace(pace)
    else:
        gait, prints = striding(
            person, path, length=length, speed=speed, pace=AROUND * pace, wider=WIDER
        )
        gait = replace(gait, toe_out=CURVE_TOE_OUT)
    room = Environment({**FLOOR}, holes=(hole,))
    return Scenario(person, stroll(person, prints, gait), room)


def climb_stairs(
    manikin: Manikin,
    *,
    style: Style,
    steps: int = 4,
    riser: float | None = None,
    tread: float | None = None,
    pace: float = 1.0,
) -> Scenario:
    """Climb stairs with one foot on each tread, and stand on the last one."""
    person = standing(manikin, style=style)
    stature = manikin.anthropometry.stature
    stairs = Stairs(
        int(steps),
        RISER_RATIO * stature if riser is None else riser,
        TREAD_RATIO * stature if tread is None else tread,
        start=person.size("foot_length") - person.size("heel_to_ankle") + 0.04,
    )
    gait = replace(
        Gait().at_pace(0.75 * pace),
        climb_first=1.15,
        lift=0.04,
        heel_rise=1.1,
        rolling=0.8,
        arm_swing=0.25,
        lean=0.25,
        droop=0.4,
        toe_out=TOE_OUT,
        late_toe_out=1 + LATE_THICK * (_wide(person) - WIDE),
    )
    script = stroll(person, list(_treads(person, stairs)), gait)
    return Scenario(person, script, Environment({**stairs.solids, **FLOOR}))


# -- scripts ------------------------------------------------------------------------------------


def stroll(person: Performer, prints: list[Footprint], gait: Gait) -> BodyAction:
    """Walk through footprints, and come to rest."""
    yield from wait(person, 0.2)
    yield from walk(person, prints, gait=gait)
    yield from wait(person, 0.3)


def standing_half_width(person: Performer) -> float:
    """Return half the distance between the ankles while standing, m."""
    return abs(float(person.manikin.skeleton["right_ankle"][1]))


def walking_half_width(person: Performer) -> float:
    """Return the distance of the feet from the path while walking, m."""
    return person.size("foot_breadth") / 2 + 0.012


def _treads(person: Performer, stairs: Stairs) -> list[Footprint]:
    """Return a footprint on the middle of each tread, and one beside the last."""
    prints = []
    sides: tuple[Side, Side] = ("right", "left")
    middle = person.size("foot_length") / 2 - person.size("heel_to_ankle")
    thick = _wide(person) - WIDE
    for index in range(1, stairs.count + 2):
        side = sides[(index - 1) % 2]
        x, z = stairs.middle(min(index, stairs.count))
        half = walking_half_width(person) + 0.01 + thick
        if index >= stairs.count:
            half = min(standing_half_width(person), half + 0.01) + thick
        position = np.array([x - middle, SIDES[side] * half, z])
        prints.append(Footprint(side, position))
    return prints


def _detour(distance: float, aside: float) -> tuple[Callable[[float], tuple[Array, float]], float]:
    """Return a path along x with a smooth bulge to the left, and its length, m."""
    x = np.linspace(0.0, distance, 400)
    swell = np.clip(x / distance, 0.0, 1.0)
    y = aside * 64 * (swell * (1 - swell)) ** 3
    s = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])
    yaw = np.arctan2(np.gradient(y), np.gradient(x))

    def path(after: float) -> tuple[Array, float]:
        position = np.array([np.interp(after, s, x), np.interp(after, s, y), 0.0])
        return position, float(np.interp(after, s, yaw))

    return path, float(s[-1])
