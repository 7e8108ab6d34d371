"""Standing up and sitting down, with or without a table in front."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from robotix.geometry import Array, Capsule
from robotix.human.body.manikin import Manikin
from robotix.human.motion.actions import (
    adopt,
    after,
    move_goal,
    shift_weight,
    ticks_of,
    together,
    wait,
    wait_until,
)
from robotix.human.motion.balance import ahead_of_ankle, margin_inside, polygon_of, stance_centre
from robotix.human.motion.contacts import seat, sole
from robotix.human.motion.curves import ramp
from robotix.human.motion.furniture import FLOOR, Chair, Table
from robotix.human.motion.goals import balance_at, face, hold_point, loosen, place_foot
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, feet_together, standing
from robotix.human.motion.styles import Style, posture_of
from robotix.model import ControlPoint

__all__ = ["sit_down", "stand_up", "stand_up_at_table"]

SHANK_LEAN = np.radians(15.0)  # feet drawn back, ready to stand up
MAX_SHANK_LEAN = np.radians(20.0)  # limit of the ankles; reached when leaving the seat
SITTING_DEG = {
    "hip_flexion": 86,
    "knee_flexion": 105,
    "ankle_dorsiflexion": 15,
    "L5S1_flexion": 4,
    "shoulder_flexion": 14,
    "shoulder_abduction": 8,
    "elbow_flexion": 52,
}
LEANING_DEG = {
    "hip_flexion": 103,
    "knee_flexion": 107,
    "ankle_dorsiflexion": 19,
    "L5S1_flexion": 10,
    "T12L1_flexion": 4,
    "shoulder_flexion": 80,
    "shoulder_abduction": 8,
    "elbow_flexion": 15,
}
ARMS_IN_DEG = {
    "shoulder_flexion": 28,
    "elbow_flexion": 118,
    "shoulder_abduction": 10,
}  # at the chest
PELVIS_TILT = np.radians(20.0)  # of the pelvis while leaning forward to rise: it rolls on the seat
# Fractions of the displacement from standing to sitting, along each axis.
SITTING_PATH = ((0.28, 0, 0.06), (0.56, 0, 0.21), (0.84, 0, 0.5), (0.96, 0, 0.77))
# Of rising and sitting down, against the slow style; who leans more slowly leans less.
PACE, LEAN_PACE, TABLE_PACE, SIT_PACE = 1.5, 1.3, 1.0, 1.6
# Of the CoM inside the support polygon of the feet, m: enough to leave the seat, and desired.
LIFT_OFF_MARGIN, HEEL_MARGIN = 0.013, 0.018


def stand_up(manikin: Manikin, *, style: Style, seat_height: float | None = None) -> Scenario:
    """Stand up from a chair with fixed feet."""
    chair = fitted_chair(manikin, seat_height)
    person = seated(manikin, chair, style=style)
    return Scenario(person, rise(person), Environment({**chair.solids, **FLOOR}))


def sit_down(manikin: Manikin, *, style: Style, seat_height: float | None = None) -> Scenario:
    """Sit down on a chair that stands behind."""
    chair = fitted_chair(manikin, seat_height)
    person = standing(manikin, style=style)
    return Scenario(person, sit(person, chair), Environment({**chair.solids, **FLOOR}))


def stand_up_at_table(
    manikin: Manikin,
    *,
    style: Style,
    seat_height: float | None = None,
    table_height: float | None = None,
    table_distance: float | None = None,
) -> Scenario:
    """Stand up between chair and table without touching them; `table_distance` from the ankles."""
    chair = fitted_chair(manikin, seat_height)
    body = manikin.anthropometry
    near = 0.12 * body.stature if table_distance is None else table_distance
    height = chair.seat_height + 0.165 * body.stature if table_height is None else table_height
    table = Table(height, near, width=1.4)
    person = seated(manikin, chair, style=style)
    person.avoid({"table": table.solids["table"]})
    script = rise(person, leaning={**LEANING_DEG, **ARMS_IN_DEG}, pace=TABLE_PACE)
    return Scenario(person, script, Environment({**chair.solids, **table.solids, **FLOOR}))


# -- scripts ------------------------------------------------------------------------------------


def rise(
    person: Performer, *, leaning: Mapping[str, float] = LEANING_DEG, pace: float | None = None
) -> BodyAction:
    """Lean forward until the feet carry the whole weight, then straighten up."""
    over_feet, roll = over_heels(person), PELVIS_TILT * _radius(person.manikin, "pelvis")
    if pace is None:
        pace = 1.0 if person.style.is_static else PACE
    lean = min(pace, LEAN_PACE)
    yield from wait(person, 0.2 / pace)
    yield from together(
        shift_weight(person, to=over_feet, seconds=1.5 / lean),
        adopt(person, leaning, seconds=1.3 / lean),
        _roll_on_seat(person, by=roll, seconds=1.4 / lean),
        _leave_seat(person, pace=pace),
    )
    yield from wait(person, 0.3 / pace if lean > 1 else 0.4)


def _leave_seat(person: Performer, *, pace: float) -> BodyAction:
    feet = polygon_of(person, "right_foot", "left_foot")
    upright = standing(person.manikin, style=person.style).posture()
    end = upright.position(seat_point(person.manikin))
    yield from wait_until(lambda: margin_inside(person, feet) > LIFT_OFF_MARGIN)
    person.remove_contact("seat")
    start = person.goal("seat").position.copy()
    via = [end + np.array(fraction) * (start - end) for fraction in reversed(SITTING_PATH)]
    yield from together(
        move_goal(person, "seat", through=[*via, end], seconds=1.8 / pace),
        after(person, 0.25 / pace, adopt(person, person.style.standing, seconds=1.3 / pace)),
        after(person, 0.5 / pace, shift_weight(person, seconds=1.1 / pace)),
    )


def sit(person: Performer, chair: Chair) -> BodyAction:
    """Lower the pelvis onto the seat with the CoM over the feet, then lean back."""
    pace = 1.0 if person.style.is_static else SIT_PACE
    yield from wait(person, 0.2 / pace)
    hip, position = seat_point(person.manikin), seat_position(person.manikin, chair)
    roll = PELVIS_TILT * _radius(person.manikin, "pelvis")
    position[0] += roll
    loosen(person)
    start = person.posture().position(hip)
    hold_point(person, "seat", hip, start)
    via = [start + np.array(fraction) * (position - start) for fraction in SITTING_PATH]
    over_feet = over_heels(person)
    yield from together(
        move_goal(person, "seat", through=[*via, position], seconds=2.0 / pace),
        shift_weight(person, to=over_feet, seconds=1.0 / pace),
        adopt(person, LEANING_DEG, seconds=1.4 / pace),
    )
    person.add_contact(seat(person.manikin))
    back = seated(person.manikin, chair, style=person.style).posture().com
    yield from together(
        _roll_on_seat(person, by=-roll, seconds=1.3 / pace),
        shift_weight(person, to=back, seconds=1.3 / pace),
        adopt(person, SITTING_DEG, seconds=1.3 / pace),
    )
    yield from wait(person, 0.3 / pace)


def _roll_on_seat(person: Performer, *, by: float, seconds: float) -> BodyAction:
    """Roll the pelvis on the seat by a distance, m, as long as the seat is in contact."""
    start = person.goal("seat").position[0]
    for fraction in ramp(ticks_of(person, seconds)):
        if "seat" not in person.contacts:
            return
        person.goal("seat").position[0] = start + fraction * by
        yield


def over_heels(person: Performer) -> Array:
    """Return the rearmost desired CoM while only the feet support the body, (2,), m."""
    behind = person.size("heel_to_ankle") - HEEL_MARGIN
    return np.asarray(stance_centre(person) - (behind + ahead_of_ankle(person), 0.0))


# -- sitting ------------------------------------------------------------------------------------


def seat_point(manikin: Manikin) -> ControlPoint:
    """Return the centre of the cylindrical underside of the pelvis, which rolls on a seat."""
    return ControlPoint("pelvis", manikin.model.body("pelvis").collision[0].pose)


def _radius(manikin: Manikin, body: str) -> float:
    solid = manikin.model.body(body).collision[0]
    return solid.radius if isinstance(solid, Capsule) else 0.1


def fitted_chair(manikin: Manikin, seat_height: float | None = None) -> Chair:
    """Return a chair behind the ankles, by default so high that the thighs are level."""
    body = manikin.anthropometry
    level = _level_seat(manikin)
    height = level if seat_height is None else seat_height
    hip = _hip_behind(manikin, height)
    # a thigh that slopes down must clear the edge of the seat
    drop = max(height - level, 0.0)
    spare = _hip_above_seat(manikin) - _radius(manikin, "right_thigh") - 2e-3
    on_seat = body["thigh_length"] * spare / max(drop, 1e-9)
    calves = -_radius(manikin, "right_shank") - 0.01  # while standing in front of it
    front = min(calves, hip + max(on_seat, 0.03))
    behind = _radius(manikin, "pelvis") + 0.09
    return Chair(height, front, depth=max(front - hip, 0.0) + behind)


def _level_seat(manikin: Manikin) -> float:
    """Return the seat height at which the thighs are level, m."""
    return _knee_height(manikin, MAX_SHANK_LEAN) - _hip_above_seat(manikin)


def _knee_height(manikin: Manikin, lean: float) -> float:
    """Return the height of the knees over flat feet with leaning shanks, m."""
    body = manikin.anthropometry
    return float(body["ankle_height"] + body["shank_length"] * np.cos(lean))


def _hip_above_seat(manikin: Manikin) -> float:
    """Return the height of the hips above a seat, sitting upright."""
    return _radius(manikin, "pelvis") - float(seat_point(manikin).pose.translation[2])


def _hip_behind(manikin: Manikin, seat_height: float) -> float:
    """Return x of a sitter's hips, the ankles at 0."""
    body = manikin.anthropometry
    drop = seat_height + _hip_above_seat(manikin) - _knee_height(manikin, SHANK_LEAN)
    level = np.sqrt(max(body["thigh_length"] ** 2 - drop**2, 0.0))
    return float(body["shank_length"] * np.sin(SHANK_LEAN) - level)


def seat_position(manikin: Manikin, chair: Chair) -> Array:
    """Return the position of the seat point while sitting, (3,), m."""
    x = _hip_behind(manikin, chair.seat_height)
    return np.array([x, 0.0, chair.seat_height + _radius(manikin, "pelvis")])


def seated(
    manikin: Manikin, chair: Chair, *, style: Style, posture: Mapping[str, float] = SITTING_DEG
) -> Performer:
    """Return a person sitting on a chair, by default with the hands on the thighs."""
    q = posture_of(manikin, posture)
    position, hip = seat_position(manikin, chair), seat_point(manikin)
    rise = position - manikin.skeleton["pelvis"] - hip.pose.translation
    q[:3] = rise
    person = Performer(manikin, style=style, start=q)
    for side, foot in feet_together(manikin).items():
        place_foot(person, side, foot)
        person.add_contact(sole(manikin, side))
    face(person, np.eye(3))
    hold_point(person, "seat", hip, position)
    person.add_contact(seat(manikin))
    person.comfort[:] = posture_of(manikin, posture)
    person.settle()
    balance_at(person, person.posture().com)
    return person
