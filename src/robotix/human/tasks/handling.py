"""Reaching, lifting and carrying."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from robotix.geometry import Array, Box
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.actions import (
    SIDEWAYS,
    adopt,
    after,
    brace,
    change_height,
    grasp,
    lean_towards,
    look_at,
    move_goal,
    reach,
    release,
    shift_weight,
    straighten,
    together,
    wait,
)
from robotix.human.motion.balance import ahead_of_ankle, braced, stance_centre
from robotix.human.motion.curves import translated
from robotix.human.motion.furniture import FLOOR, Crate, Table
from robotix.human.motion.goals import free_hand, loosen
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing, standing_height
from robotix.human.motion.styles import Style, posture_of
from robotix.human.motion.support import support_margins
from robotix.human.motion.walking import (
    footprints_along,
    raise_heels,
    stand_on_soles,
    stand_on_toes,
    toe_polygon,
    walk,
)

__all__ = ["carry", "lift", "reach_on_table"]

BOTH_HANDS: tuple[Side, ...] = ("right", "left")
TABLE_HEIGHT_RATIO = 0.42  # of stature, as the sizes below
CRATE_RATIOS = (0.17, 0.20, 0.16)  # depth, width, height
LADEN_STEP_RATIO = 0.15
HOLD_HEIGHT_RATIO = 0.56  # hands below the elbows
TOE_MARGIN = 0.01  # m; with a smaller margin on the toes the feet stay flat
CUP_SIZE = (0.07, 0.07, 0.20)  # m


def reach_on_table(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 0.5,
    table_height: float | None = None,
    distance: float | None = None,
    aside: float | None = None,
) -> Scenario:
    """Reach for a cup on a table with the right hand, grasp it and bring it to the chest.

    The cup is at `distance` in front of the ankles and `aside` to the left, m.
    """
    person = standing(manikin, style=style)
    height = TABLE_HEIGHT_RATIO * person.stature if table_height is None else table_height
    table = Table(height, near=0.14 * person.stature)
    cup = Load("cup", load, ("right",), Box(np.array(CUP_SIZE)))
    x = 0.32 * person.stature if distance is None else distance
    y = -0.06 * person.stature if aside is None else aside
    position = np.array([x, y, height + CUP_SIZE[2] / 2])
    person.avoid({"table": table.solids["table"]}, distance=0.005)
    return Scenario(person, fetch(person, cup, position), Environment({**table.solids, **FLOOR}))


def fetch(person: Performer, thing: Load, position: Array) -> BodyAction:
    """Grasp an object on a table with the right hand, and bring it to the chest."""
    start = person.posture().position("right_hand")
    above = translated(position, x=-0.35 * (position[0] - start[0]), z=0.16)
    height = max(position[2] + 0.12, 0.62 * person.stature)
    chest = np.array([0.205 * person.stature, -0.05 * person.stature, height])
    yield from wait(person, 0.2)
    loosen(person)
    yield from together(
        look_at(person, position),
        reach(person, "right", to=position, via=[above], seconds=1.5, palm=SIDEWAYS),
        shift_weight(person, to=translated(stance_centre(person), x=0.03), seconds=1.4),
        lean_towards(person, {"right": position}, seconds=1.3),
    )
    yield from brace(person, thing, at=position, seconds=0.3)
    yield from grasp(person, thing, at=position)
    yield from together(
        reach(person, "right", to=chest, via=[translated(position, x=-0.03, z=0.12)], seconds=1.4),
        straighten(person, seconds=1.2),
        shift_weight(person, seconds=1.2),
        adopt(person, person.style.standing, seconds=1.2),
        change_height(person, to=standing_height(person), seconds=1.2),
    )
    yield from wait(person, 0.4)


# -- lifting and carrying -----------------------------------------------------------------------


def lift(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 10.0,
    table_height: float | None = None,
    box_distance: float | None = None,
) -> Scenario:
    """Lift a box from the floor, step to a table and place it there."""
    return carry(
        manikin,
        style=style,
        load=load,
        table_height=table_height,
        box_distance=box_distance,
        distance=0.0,
    )


def carry(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 8.0,
    table_height: float | None = None,
    box_distance: float | None = None,
    distance: float = 1.6,
) -> Scenario:
    """Lift a box from the floor, carry it over a distance and place it on a table.

    `box_distance` is from the ankles to the centre of the box, m.
    """
    person = standing(manikin, style=style)
    crate = Crate(*(ratio * person.stature for ratio in CRATE_RATIOS))
    toes = person.size("foot_length") - person.size("heel_to_ankle")
    x = toes + 0.035 + crate.depth / 2 if box_distance is None else box_distance
    position = np.array([x, 0.0, crate.height / 2])
    height = TABLE_HEIGHT_RATIO * person.stature if table_height is None else table_height
    room_to_bend = crate.depth / 2 + 0.15 * person.stature
    table = Table(height, near=x + room_to_bend + distance)
    box = Load("box", load, BOTH_HANDS, crate.box)
    script = bring(person, box, at=position, to=table)
    return Scenario(person, script, Environment({**table.solids, **FLOOR}))


def bring(person: Performer, box: Load, *, at: Array, to: Table) -> BodyAction:
    """Lift a box, walk to a table and place it there."""
    yield from wait(person, 0.2)
    over_table = to.height + float(box.box.size[2]) / 2 + 0.05
    yield from pick_up(person, box, at=at, to=max(HOLD_HEIGHT_RATIO * person.stature, over_table))
    yield from wait(person, 0.3)
    yield from walk_on(person, to=to.near - 0.155 * person.stature)
    yield from put_down(person, box, on=to)
    yield from wait(person, 0.3)


def pick_up(person: Performer, box: Load, *, at: Array, to: float) -> BodyAction:
    """Bend down to a box on the floor, grasp it, and lift it to a height, m."""
    held = hold_position(person, box, height=to)
    loosen(person)
    if person.style.heel_rise and _can_lift_on_toes(person, box, at):
        yield from _pick_up_on_toes(person, box, at=at, to=held)
        return
    yield from together(
        adopt(person, person.style.bent, seconds=1.6),
        *(_approach(person, hand, box, at) for hand in BOTH_HANDS),
        after(person, 0.3, brace(person, box, at=at, seconds=1.3)),
    )
    yield from grasp(person, box, at=at)
    past_knees = np.array([at[0] + 0.04, 0.0, 0.55 * held[2] + 0.45 * at[2]])
    yield from together(
        move_box(person, box, through=[past_knees, held], seconds=1.8),
        shift_weight(person, seconds=1.3),
        after(person, 0.15, adopt(person, holding(person), seconds=1.6)),
    )


def _can_lift_on_toes(person: Performer, box: Load, at: Array) -> bool:
    """Return whether the toes alone keep the balance while a box is grasped."""
    polygon = toe_polygon(person)
    middle = _middle(polygon)
    before = braced(person, box, at, middle=middle)
    return bool(support_margins(polygon, [before, 2 * middle - before]).min() > TOE_MARGIN)


def _pick_up_on_toes(person: Performer, box: Load, *, at: Array, to: Array) -> BodyAction:
    """Squat with raised heels, grasp a box, and rise onto the soles with it."""
    polygon, home = toe_polygon(person), stance_centre(person)
    middle = _middle(polygon)
    yield from together(
        adopt(person, person.style.bent, seconds=2.2),
        *(_approach(person, hand, box, at, seconds=2.3) for hand in BOTH_HANDS),
        _get_onto_toes(person, middle, braced(person, box, at, middle=middle)),
    )
    yield from grasp(person, box, at=at)
    # the knees are in front of the toes: the box moves around them
    out = translated(at, x=0.045, z=0.1)
    past_knees = np.array([at[0] + 0.09, 0.0, 0.55 * to[2] + 0.45 * at[2]])
    yield from together(
        move_box(person, box, through=[out, past_knees, to], seconds=2.8),
        after(person, 0.15, adopt(person, holding(person), seconds=1.6)),
        _get_onto_soles(person, middle, home),
    )


def _get_onto_toes(person: Performer, middle: Array, braced_at: Array) -> BodyAction:
    yield from shift_weight(person, to=translated(middle, x=-0.01), seconds=0.8)
    stand_on_toes(person)
    rise = float(np.radians(person.style.heel_rise))
    yield from together(
        shift_weight(person, to=braced_at, seconds=1.0),
        raise_heels(person, to=rise, seconds=1.0),
    )


def _get_onto_soles(person: Performer, middle: Array, home: Array) -> BodyAction:
    yield from together(
        shift_weight(person, to=translated(middle, x=-0.015), seconds=1.0),
        after(person, 0.2, raise_heels(person, to=0.0, seconds=1.0)),
    )
    stand_on_soles(person)
    yield from shift_weight(person, to=home, seconds=0.9)


def _middle(polygon: Array) -> Array:
    return np.asarray((polygon.min(axis=0) + polygon.max(axis=0)) / 2)


def put_down(person: Performer, box: Load, *, on: Table) -> BodyAction:
    """Place a box on a table, release it and withdraw the hands."""
    size = box.box.size
    position = np.array([on.near + size[0] / 2 + 0.04, 0.0, on.height + size[2] / 2 + 1e-4])
    above = translated(position, x=-0.3 * size[0], z=0.05)
    loosen(person)
    yield from together(
        lean_towards(person, {hand: position for hand in BOTH_HANDS}, seconds=1.3),
        move_box(person, box, through=[above, position], seconds=1.4),
        after(person, 0.2, brace(person, box, at=position, seconds=1.1)),
    )
    yield from release(person, box.name)
    yield from together(
        *(_draw_back(person, hand) for hand in BOTH_HANDS),
        shift_weight(person, seconds=1.0),
        adopt(person, holding(person), seconds=1.0),
    )
    for hand in BOTH_HANDS:
        free_hand(person, hand)
    yield from together(
        straighten(person, seconds=0.9),
        adopt(person, person.style.standing, seconds=0.9),
        change_height(person, to=standing_height(person), seconds=0.9),
    )


def walk_on(person: Performer, *, to: float) -> BodyAction:
    """Walk straight ahead until the ankles are at x = `to`."""
    feet = [person.goal(f"{side}_foot").position for side in SIDES]
    start = np.mean(feet, axis=0)
    distance = to - float(start[0])
    if distance < 0.02:
        return
    prints = footprints_along(
        lambda s: (translated(start, x=s), 0.0),
        length=distance,
        step_length=LADEN_STEP_RATIO * person.stature,
        half_width=abs(float(feet[1][1] - feet[0][1])) / 2,
    )
    yield from walk(person, prints)


# -- parts --------------------------------------------------------------------------------------


def move_box(
    person: Performer, box: Load, *, through: Sequence[Array], seconds: float
) -> BodyAction:
    """Move a box held by both hands through points."""
    yield from together(
        *(
            move_goal(
                person,
                f"{hand}_hand",
                through=[_grip(person, hand, box, position) for position in through],
                seconds=seconds,
            )
            for hand in BOTH_HANDS
        )
    )


def _grip(person: Performer, hand: Side, box: Load, position: Array) -> Array:
    """Return the grip of a hand on a box at a position: at its side, at half its height."""
    solid = person.manikin.model.body(f"{hand}_hand_segment").collision[0]
    thickness = float(solid.size[1]) if isinstance(solid, Box) else 0.04
    return translated(position, y=SIDES[hand] * (float(box.box.size[1]) / 2 + thickness / 2 + 1e-3))


def hold_position(person: Performer, box: Load, *, height: float) -> Array:
    """Return the position of a box held close to the body, (3,), m."""
    belly = max(person.size(f"{part}_depth") for part in ("waist", "chest", "hip")) / 2
    ankles = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    ahead = ahead_of_ankle(person) + belly + 0.025 + float(box.box.size[0]) / 2
    return translated(ankles, x=ahead, z=height)


def holding(person: Performer) -> Array:
    """Return the comfort posture while holding a box in front of the body."""
    angles = {**person.style.standing, "shoulder_flexion": 12, "elbow_flexion": 80}
    return posture_of(person.manikin, angles)


def _approach(
    person: Performer, hand: Side, box: Load, position: Array, *, seconds: float = 1.8
) -> BodyAction:
    """Move a hand to the side of a box, from outside."""
    grip = _grip(person, hand, box, position)
    wide = translated(grip, x=-0.06, y=SIDES[hand] * 0.05, z=0.45 * person.size("knee_height"))
    yield from reach(person, hand, to=grip, via=[wide], seconds=seconds, palm=SIDEWAYS)


def _draw_back(person: Performer, hand: Side) -> BodyAction:
    """Withdraw a hand sideways, back over the edge of the table, and down beside the body."""
    grip, ankle = person.goal(f"{hand}_hand").position.copy(), person.goal(f"{hand}_foot").position
    aside = translated(grip, y=SIDES[hand] * 0.05, z=0.02)
    back = np.array([ankle[0] + 0.04 * person.stature, aside[1], aside[2] + 0.05])
    out = SIDES[hand] * (person.size("shoulder_half_width") + 0.07)
    beside = np.array([ankle[0] + 0.02 * person.stature, out, 0.465 * person.stature])
    yield from move_goal(person, f"{hand}_hand", through=[aside, back, beside], seconds=1.4)
