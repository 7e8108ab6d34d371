"""Boxes in one hand or two: picking up, moving, putting down.

Positions are of the centre of a box. A box is turned about the vertical by its yaw, rad, to the
left; the hands stay at its sides, or one hand at the handle on its top.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robotix.geometry import Array, Box
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.walking import raise_heels, stand_on_soles, stand_on_toes, toe_polygon
from robotix.human.motion.actions import (
    SIDEWAYS,
    Palm,
    adopt,
    after,
    brace,
    change_height,
    grasp,
    lean_towards,
    move_goal,
    reach,
    release,
    rotate_goal,
    shift_weight,
    straighten,
    together,
    turn_palm,
)
from robotix.human.motion.balance import ahead_of_ankle, braced, stance_centre
from robotix.human.motion.curves import translated, yaw_rotations
from robotix.human.motion.furniture import Table
from robotix.human.motion.goals import free_hand, loosen
from robotix.human.motion.loads import Load
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import standing_height
from robotix.human.motion.styles import posture_of
from robotix.human.motion.support import support_margins

__all__ = [
    "BOTH_HANDS",
    "HOLD_HEIGHT_RATIO",
    "hold_position",
    "move_box",
    "pick_up",
    "put_down",
    "thickness",
]

BOTH_HANDS: tuple[Side, ...] = ("right", "left")
HOLD_HEIGHT_RATIO = 0.56  # of stature: hands below the elbows
FLOOR_GRIP_RATIO = 0.08  # of stature: hands at a box on the floor, where people bend all the way
TOE_MARGIN = 0.01  # m; with a smaller margin on the toes the feet stay flat
DEEP_BEND = 0.8  # of the bend to the floor: from here on who squats raises the heels
# Girth of the thighs over stature: from the first to the second, stance and back change most.
SLIM_RATIO, THICK_RATIO = 0.378, 0.388
THICK_BACK = 0.85  # of the flexion of the back in a bend, of a body with thick thighs
KNEES_OUT = 500.0  # degrees by which the hips open, per width of the stance over stature
HIGH_GRIP_RATIO = 0.54  # of stature: from there the hands come back before they sink
PELVIS_SHARE = 0.4  # of the turn to a box at the side is done by the pelvis, the rest above it


# -- picking up ---------------------------------------------------------------------------------


def pick_up(
    person: Performer, box: Load, *, at: Array, to: float, yaw: float = 0.0, pace: float = 1.0
) -> BodyAction:
    """Bend down to a box, grasp it, and lift it to a height, m; `pace` divides the times."""
    held = hold_position(person, box, height=to)
    loosen(person)
    depth = _bend(person, box, at)
    if person.style.heel_rise and depth > DEEP_BEND and _can_lift_on_toes(person, box, at):
        yield from _pick_up_on_toes(person, box, at=at, to=held, yaw=yaw, pace=pace)
        return
    yield from together(
        adopt(person, _bent(person, depth), seconds=1.6 / pace),
        *(_approach(person, hand, box, at, yaw=yaw, seconds=1.8 / pace) for hand in box.hands),
        *_turn_pelvis(person, PELVIS_SHARE * yaw, seconds=1.4 / pace),
        after(person, 0.3 / pace, brace(person, box, at=at, seconds=1.3 / pace)),
    )
    yield from grasp(person, box, at=grip_centre(box, at), seconds=0.25 / pace)
    through = [_past_knees(person, at, held, out=0.04 * depth, yaw=yaw), held]
    yaws = [yaw / 2, 0.0]
    if (short := _clear_of_knees(person, box) - float(at[0])) > 0.02 and not yaw:
        through = [translated(at, x=short, z=0.06), translated(through[0], x=short), held]
        yaws = [0.0, 0.0, 0.0]
    yield from together(
        move_box(person, box, through=through, yaws=yaws, seconds=1.8 / pace),
        *_face_ahead(person, box, yaw, seconds=1.4 / pace),
        shift_weight(person, seconds=1.3 / pace),
        after(person, 0.15 / pace, adopt(person, holding(person), seconds=1.6 / pace)),
    )


def _bend(person: Performer, box: Load, at: Array) -> float:
    """Return how far down a box is: 0 at the height at which it is held, 1 at the floor."""
    highest, lowest = HOLD_HEIGHT_RATIO * person.stature, FLOOR_GRIP_RATIO * person.stature
    grip = float(at[2]) + box.grip_height
    return float(np.clip((highest - grip) / (highest - lowest), 0.0, 1.0))


def _bent(person: Performer, depth: float) -> Array:
    """Return the comfort posture bent down by a fraction of the way to the floor."""
    wide = _foot_spread(person) - abs(float(person.manikin.skeleton["right_ankle"][1]))
    knees_out = KNEES_OUT * wide / person.stature if wide > 0.01 else 0.0
    angles = {**person.style.bent, "hip_abduction": knees_out, "hip_internal_rotation": -knees_out}
    for joint in ("L5S1_flexion", "T12L1_flexion"):
        angles[joint] *= 1 - (1 - THICK_BACK) * thickness(person.manikin)
    upright, bent = holding(person), posture_of(person.manikin, angles)
    return np.asarray(upright + depth * (bent - upright))


def thickness(manikin: Manikin) -> float:
    """Return 0 for slim thighs, 1 for thick ones, which the trunk meets in a deep bend."""
    body = manikin.anthropometry
    ratio = body["thigh_girth"] / body.stature
    return float(np.clip((ratio - SLIM_RATIO) / (THICK_RATIO - SLIM_RATIO), 0.0, 1.0))


def _foot_spread(person: Performer) -> float:
    """Return half the distance of the feet, m."""
    right, left = (person.goal(f"{side}_foot").position[1] for side in SIDES)
    return abs(float(left - right)) / 2


def _past_knees(person: Performer, at: Array, held: Array, *, out: float, yaw: float) -> Array:
    """Return a point on the way up: in front of the knees, half of the turn done."""
    ankles = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    away = yaw_rotations(-yaw / 2) @ ((at - ankles) * (1, 1, 0))
    away *= 1 + out / max(float(np.linalg.norm(away)), 1e-9)
    middle = ankles + away if yaw else np.array([at[0] + out, (at[1] + held[1]) / 2, 0.0])
    return np.array([middle[0], middle[1], 0.55 * held[2] + 0.45 * at[2]])


def _clear_of_knees(person: Performer, box: Load) -> float:
    """Return the distance of a box in front of the ankles at which it passes the knees, m."""
    ankles = np.mean([person.goal(f"{side}_foot").position[0] for side in SIDES])
    toes = person.size("foot_length") - person.size("heel_to_ankle")
    return float(ankles + toes + 0.035 + box.box.size[0] / 2)


def _turn_pelvis(person: Performer, angle: float, *, seconds: float) -> list[BodyAction]:
    if abs(angle) < 1e-6:
        return []
    return [rotate_goal(person, "pelvis_turn", by=np.array([0, 0, angle]), seconds=seconds)]


def _face_ahead(person: Performer, box: Load, yaw: float, *, seconds: float) -> list[BodyAction]:
    """Turn pelvis and palms back from a box at the side."""
    if abs(yaw) < 1e-6:
        return []
    palms = [turn_palm(person, hand, to=SIDEWAYS, seconds=seconds) for hand in box.hands]
    return [*_turn_pelvis(person, -PELVIS_SHARE * yaw, seconds=seconds), *palms]


def _can_lift_on_toes(person: Performer, box: Load, at: Array) -> bool:
    """Return whether the toes alone keep the balance while a box is grasped."""
    polygon = toe_polygon(person)
    middle = _middle(polygon)
    before = braced(person, box, at, middle=middle)
    return bool(support_margins(polygon, [before, 2 * middle - before]).min() > TOE_MARGIN)


def _pick_up_on_toes(
    person: Performer, box: Load, *, at: Array, to: Array, yaw: float, pace: float
) -> BodyAction:
    """Squat with raised heels, grasp a box, and rise onto the soles with it."""
    polygon, home = toe_polygon(person), stance_centre(person)
    middle = _middle(polygon)
    yield from together(
        adopt(person, _bent(person, 1.0), seconds=2.2 / pace),
        *(_approach(person, hand, box, at, yaw=yaw, seconds=2.3 / pace) for hand in box.hands),
        *_turn_pelvis(person, PELVIS_SHARE * yaw, seconds=1.8 / pace),
        _get_onto_toes(person, middle, braced(person, box, at, middle=middle), pace=pace),
    )
    yield from grasp(person, box, at=grip_centre(box, at), seconds=0.25 / pace)
    # the knees are in front of the toes: the box moves around them
    short = 0.0 if yaw else max(_clear_of_knees(person, box) - float(at[0]), 0.0)
    out = translated(at, x=short + 0.045, z=0.1)
    past_knees = _past_knees(person, at, to, out=short + 0.09, yaw=yaw)
    yield from together(
        move_box(
            person,
            box,
            through=[out, past_knees, to],
            yaws=[yaw, yaw / 2, 0.0],
            seconds=2.8 / pace,
        ),
        *_face_ahead(person, box, yaw, seconds=2.2 / pace),
        after(person, 0.15 / pace, adopt(person, holding(person), seconds=1.6 / pace)),
        _get_onto_soles(person, middle, home, pace=pace),
    )


def _get_onto_toes(
    person: Performer, middle: Array, braced_at: Array, *, pace: float
) -> BodyAction:
    yield from shift_weight(person, to=translated(middle, x=-0.01), seconds=0.8 / pace)
    stand_on_toes(person)
    rise = float(np.radians(person.style.heel_rise))
    yield from together(
        shift_weight(person, to=braced_at, seconds=1.0 / pace),
        raise_heels(person, to=rise, seconds=1.0 / pace),
    )


def _get_onto_soles(person: Performer, middle: Array, home: Array, *, pace: float) -> BodyAction:
    yield from together(
        shift_weight(person, to=translated(middle, x=-0.015), seconds=1.0 / pace),
        after(person, 0.2 / pace, raise_heels(person, to=0.0, seconds=1.0 / pace)),
    )
    stand_on_soles(person)
    yield from shift_weight(person, to=home, seconds=0.9 / pace)


def _middle(polygon: Array) -> Array:
    return np.asarray((polygon.min(axis=0) + polygon.max(axis=0)) / 2)


# -- putting down -------------------------------------------------------------------------------


def put_down(
    person: Performer, box: Load, *, on: Table, aside: float = 0.0, pace: float = 1.0
) -> BodyAction:
    """Place a box on a table, `aside` to the left of its middle, and withdraw the hands."""
    size = box.box.size
    position = np.array(
        [on.near + size[0] / 2 + 0.04, on.middle + aside, on.height + size[2] / 2 + 1e-4]
    )
    above = translated(position, x=-0.3 * size[0], z=0.05)
    loosen(person)
    yield from together(
        lean_towards(
            person, {hand: grip_centre(box, position) for hand in box.hands}, seconds=1.3 / pace
        ),
        move_box(person, box, through=[above, position], seconds=1.4 / pace),
        after(person, 0.2 / pace, brace(person, box, at=position, seconds=1.1 / pace)),
    )
    yield from release(person, box.name, seconds=0.25 / pace)
    yield from together(
        *(_draw_back(person, hand, box, pace=pace) for hand in box.hands),
        shift_weight(person, seconds=1.0 / pace),
        adopt(person, holding(person), seconds=1.0 / pace),
    )
    for hand in box.hands:
        free_hand(person, hand)
    yield from together(
        straighten(person, seconds=0.9 / pace),
        adopt(person, person.style.standing, seconds=0.9 / pace),
        change_height(person, to=standing_height(person), seconds=0.9 / pace),
    )


# -- parts --------------------------------------------------------------------------------------


def move_box(
    person: Performer,
    box: Load,
    *,
    through: Sequence[Array],
    yaws: Sequence[float] = (),
    seconds: float,
) -> BodyAction:
    """Move a held box through points; `yaws` are its headings there, 0 when left out."""
    headings = list(yaws) or [0.0] * len(through)
    yield from together(
        *(
            move_goal(
                person,
                f"{hand}_hand",
                through=[
                    _grip(person, hand, box, position, yaw=yaw)
                    for position, yaw in zip(through, headings, strict=True)
                ],
                seconds=seconds,
            )
            for hand in box.hands
        )
    )


def grip_centre(box: Load, position: Array) -> Array:
    """Return the middle of the grips of a box at a position, (3,), m."""
    return translated(position, z=box.grip_height)


def _grip(person: Performer, hand: Side, box: Load, position: Array, *, yaw: float = 0.0) -> Array:
    """Return the grip of a hand on a box: at its side, or at the handle for one hand."""
    centre = grip_centre(box, position)
    if len(box.hands) == 1:
        return centre
    solid = person.manikin.model.body(f"{hand}_hand_segment").collision[0]
    thickness = float(solid.size[1]) if isinstance(solid, Box) else 0.04
    half = float(box.box.size[1]) / 2 + thickness / 2 + 1e-3
    return np.asarray(centre + yaw_rotations(yaw) @ (0.0, SIDES[hand] * half, 0.0))


def hold_position(person: Performer, box: Load, *, height: float) -> Array:
    """Return the position of a box held close to the body, (3,), m; one hand holds it at a side."""
    belly = max(person.size(f"{part}_depth") for part in ("waist", "chest", "hip")) / 2
    ankles = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    ahead = ahead_of_ankle(person) + belly + 0.025 + float(box.box.size[0]) / 2
    return translated(ankles, x=ahead, y=side_of(person, box), z=height)


def side_of(person: Performer, box: Load) -> float:
    """Return how far to the left of the middle a box is held: in front of the hands that do."""
    if len(box.hands) == 2:
        return 0.0
    return 0.6 * SIDES[box.hands[0]] * person.size("shoulder_half_width")


def holding(person: Performer) -> Array:
    """Return the comfort posture while holding a box in front of the body."""
    angles = {**person.style.standing, "shoulder_flexion": 12, "elbow_flexion": 80}
    return posture_of(person.manikin, angles)


def _approach(
    person: Performer, hand: Side, box: Load, position: Array, *, yaw: float, seconds: float
) -> BodyAction:
    """Move a hand to the side of a box from outside, or to its handle from above."""
    grip = _grip(person, hand, box, position, yaw=yaw)
    turn = yaw_rotations(yaw)
    if len(box.hands) == 1:
        outside = translated(grip, x=-0.06, z=0.12)
    else:
        rise = 0.45 * person.size("knee_height") * _bend(person, box, position)
        outside = grip + turn @ (-0.06, SIDES[hand] * 0.05, max(rise, 0.03))
    palm = Palm(SIDEWAYS.axis, np.asarray(turn @ SIDEWAYS.direction))
    yield from reach(person, hand, to=grip, via=[outside], seconds=seconds, palm=palm)


def _draw_back(person: Performer, hand: Side, box: Load, *, pace: float) -> BodyAction:
    """Withdraw a hand from the box, back over the edge of the table, and down beside the body."""
    grip, ankle = person.goal(f"{hand}_hand").position.copy(), person.goal(f"{hand}_foot").position
    off = 0.05 if len(box.hands) == 2 else 0.0
    aside = translated(grip, y=SIDES[hand] * off, z=0.02 if off else 0.05)
    back = np.array([ankle[0] + 0.04 * person.stature, aside[1], aside[2] + 0.05])
    middle = np.mean([person.goal(f"{side}_foot").position[1] for side in SIDES])
    out = middle + SIDES[hand] * (person.size("shoulder_half_width") + 0.07)
    beside = np.array([ankle[0] + 0.02 * person.stature, out, 0.465 * person.stature])
    goal = f"{hand}_hand"
    if grip[2] < HIGH_GRIP_RATIO * person.stature:
        yield from move_goal(person, goal, through=[aside, back, beside], seconds=1.4 / pace)
        return
    yield from move_goal(person, goal, through=[aside, back], seconds=0.9 / pace)
    yield from move_goal(person, goal, through=[beside], seconds=0.8 / pace)
