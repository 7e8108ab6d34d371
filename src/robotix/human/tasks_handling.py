"""Reaching, lifting and carrying."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from robotix.geometry import Array, Box
from robotix.human.balance import stance_centre
from robotix.human.furniture import FLOOR, Crate, Table
from robotix.human.gait import Footprint, Gait
from robotix.human.loads import Load
from robotix.human.manikin import Manikin
from robotix.human.performance import Room
from robotix.human.performer import Action, Performer
from robotix.human.skeleton import SIDES, Side
from robotix.human.staging import Staging, standing, standing_height
from robotix.human.styles import Style, posture_of
from robotix.human.vocabulary import (
    adopt,
    after,
    brace,
    change_height,
    grasp,
    lean_towards,
    look_at,
    move,
    reach,
    release,
    shift_weight,
    together,
    wait,
)
from robotix.human.walking import footprints_along, walk

__all__ = ["carry", "lift", "reach_on_table"]

TABLE_HEIGHT = 0.42  # of stature
BOTH: tuple[Side, ...] = ("right", "left")
CRATE = (0.17, 0.20, 0.16)  # depth, width and height, of stature


def reach_on_table(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 0.5,
    table_height: float | None = None,
    distance: float | None = None,
    aside: float | None = None,
) -> Staging:
    """Reach for a thing on a table with the right hand, grab it and bring it to the chest.

    `distance` from the ankles and `aside` (to the left) say where it stands.
    """
    person = standing(manikin, style=style)
    stature = manikin.anthropometry.stature
    height = TABLE_HEIGHT * stature if table_height is None else table_height
    table = Table(height, near=0.14 * stature)
    x = 0.32 * stature if distance is None else distance
    y = -0.06 * stature if aside is None else aside
    thing = Box(np.array([0.07, 0.07, 0.20]))
    place = np.array([x, y, height + thing.size[2] / 2])
    cup = Load("cup", load, ("right",), thing)
    return Staging(person, fetch(person, cup, place), Room({**table.solids, **FLOOR}))


def fetch(person: Performer, thing: Load, place: Array) -> Action:
    """Grab a thing from a table and bring it close."""
    start = person.posture().position("right_hand")
    above = place + (-0.35 * (place[0] - start[0]), 0.0, 0.16)
    near = np.array([0.16, -0.06, 0.0]) * person.manikin.anthropometry.stature
    close = near + (0.0, 0.0, max(place[2] + 0.12, 0.62 * person.manikin.anthropometry.stature))
    yield from wait(person, 0.2)
    person.loosen()
    yield from together(
        look_at(person, place),
        reach(person, "right", to=place, via=[above], seconds=1.5, palm=np.eye(3)),
        shift_weight(person, to=stance_centre(person) + (0.03, 0.0), seconds=1.4),
        lean_towards(person, {"right": place}, seconds=1.3),
    )
    yield from brace(person, thing, at=place, seconds=0.3)
    yield from grasp(person, thing, at=place)
    lifted = place + (-0.03, 0.0, 0.12)
    yield from together(
        reach(person, "right", to=close, via=[lifted], seconds=1.4),
        shift_weight(person, seconds=1.2),
        adopt(person, person.style.standing, seconds=1.2),
        after(person, 0.3, look_at(person, close)),
    )
    yield from wait(person, 0.4)


# -- lifting ------------------------------------------------------------------------------------


def lift(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 10.0,
    table_height: float | None = None,
    box_distance: float | None = None,
) -> Staging:
    """Lift a box from the floor, hold it, step to a table and put it there."""
    return _lift_and_put(manikin, style, load, table_height, box_distance, walk_distance=0.0)


def carry(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 8.0,
    table_height: float | None = None,
    box_distance: float | None = None,
    distance: float = 1.6,
) -> Staging:
    """Lift a box from the floor, carry it over a distance and put it on a table."""
    return _lift_and_put(manikin, style, load, table_height, box_distance, walk_distance=distance)


def _lift_and_put(
    manikin: Manikin,
    style: Style,
    load: float,
    table_height: float | None,
    box_distance: float | None,
    *,
    walk_distance: float,
) -> Staging:
    person = standing(manikin, style=style)
    stature = manikin.anthropometry.stature
    crate = Crate(*(share * stature for share in CRATE))
    toes = person.size("foot_length") - person.size("heel_to_ankle")
    x = toes + 0.02 + crate.depth / 2 if box_distance is None else box_distance
    place = np.array([x, 0.0, crate.height / 2])
    height = TABLE_HEIGHT * stature if table_height is None else table_height
    room_between = x + crate.depth / 2 + 0.05
    table = Table(height, near=room_between + walk_distance)
    box = Load("box", load, BOTH, crate.box)
    script = bring(person, box, place, table)
    return Staging(person, script, Room({**table.solids, **FLOOR}))


def bring(person: Performer, box: Load, place: Array, table: Table) -> Action:
    """Lift a box, walk to a table and put it there."""
    yield from wait(person, 0.2)
    yield from pick_up(person, box, place)
    yield from wait(person, 0.3)
    stand_off = table.near - 0.155 * person.manikin.anthropometry.stature
    yield from walk_on(person, stand_off)
    yield from put_down(person, box, table)
    yield from wait(person, 0.3)


def pick_up(person: Performer, box: Load, place: Array) -> Action:
    """Bend to a box on the floor, take it, and straighten up with it."""
    upright = person.comfort.copy()
    side = grip_half_width(person, box)
    person.loosen()
    yield from together(
        adopt(person, person.style.bent, seconds=1.6),
        *(_approach(person, hand, place, side) for hand in BOTH),
        after(person, 0.3, brace(person, box, at=place, seconds=1.3)),
    )
    yield from grasp(person, box, at=place)
    held = hold_place(person, box)
    clear = np.array([place[0] + 0.01, 0.0, 0.55 * held[2] + 0.45 * place[2]])
    yield from together(
        *(_carry_hand(person, hand, [clear, held], side, 1.8) for hand in BOTH),
        shift_weight(person, seconds=1.3),
        after(person, 0.15, adopt(person, holding(person), seconds=1.6)),
    )


def put_down(person: Performer, box: Load, table: Table) -> Action:
    """Put a box on a table, let go and draw the hands back."""
    side, size = grip_half_width(person, box), box.box.size
    place = np.array([table.near + size[0] / 2 + 0.04, 0.0, table.height + size[2] / 2 + 1e-4])
    over = place + (-0.3 * size[0], 0.0, 0.05)
    person.loosen()
    yield from together(
        lean_towards(person, {hand: place for hand in BOTH}, seconds=1.3),
        *(_carry_hand(person, hand, [over, place], side, 1.4) for hand in BOTH),
        after(person, 0.2, brace(person, box, at=place, seconds=1.1)),
    )
    yield from release(person, box.name)
    yield from together(
        *(_draw_back(person, hand) for hand in BOTH),
        shift_weight(person, seconds=1.0),
        adopt(person, holding(person), seconds=1.0),
    )
    for hand in BOTH:
        person.free_hand(hand)
    person.stay_upright()
    yield from together(
        adopt(person, person.style.standing, seconds=0.9),
        change_height(person, to=standing_height(person), seconds=0.9),
    )


# -- parts --------------------------------------------------------------------------------------


def grip_half_width(person: Performer, box: Load) -> float:
    """Return how far from its middle the hands hold a box."""
    hand = person.manikin.model.body("right_hand_segment").collision[0]
    thickness = float(hand.size[1]) if isinstance(hand, Box) else 0.04
    return float(box.box.size[1]) / 2 + thickness / 2 + 1e-3


def hold_place(person: Performer, box: Load) -> Array:
    """Return where a box is held before the body: as near as it gets, hands below the elbows."""
    belly = max(person.size("waist_depth"), person.size("chest_depth")) / 2
    ankles = np.mean([person.goal(f"{side}_foot").position for side in SIDES], axis=0)
    ahead = belly + 0.05 + box.box.size[0] / 2
    height = 0.56 * person.manikin.anthropometry.stature
    return np.array([ankles[0] + ahead, ankles[1], ankles[2] + height])


def holding(person: Performer) -> Array:
    """Return the comfort of standing with a box before the body."""
    angles = {**person.style.standing, "shoulder_flexion": 12, "elbow_flexion": 80}
    return posture_of(person.manikin, angles)


def _approach(person: Performer, hand: Side, place: Array, side: float) -> Action:
    """Bring a hand beside a box, from outside."""
    grip = place + (0.0, SIDES[hand] * side, 0.0)
    wide = grip + (-0.06, SIDES[hand] * 0.05, 0.45 * person.size("knee_height"))
    yield from reach(person, hand, to=grip, via=[wide], seconds=1.8, palm=np.eye(3))


def _carry_hand(
    person: Performer, hand: Side, places: list[Array], side: float, seconds: float
) -> Action:
    through = [place + (0.0, SIDES[hand] * side, 0.0) for place in places]
    yield from move(person, f"{hand}_hand", through=through, seconds=seconds)


def _draw_back(person: Performer, hand: Side) -> Action:
    """Open a hand to the side, then draw it back to the body."""
    grip = person.goal(f"{hand}_hand").position.copy()
    aside = grip + (0.0, SIDES[hand] * 0.05, 0.02)
    back = grip + (-0.28, SIDES[hand] * 0.06, 0.06)
    yield from move(person, f"{hand}_hand", through=[aside, back], seconds=1.0)


def walk_on(person: Performer, x: float) -> Action:
    """Walk straight on until the ankles are at x."""
    feet = [person.goal(f"{side}_foot").position for side in SIDES]
    start = np.mean(feet, axis=0)
    half = abs(float(feet[1][1] - feet[0][1])) / 2
    way = x - float(start[0])
    if way < 0.02:
        return
    prints = footprints_along(
        person,
        lambda s: (start + (s, 0.0, 0.0), 0.0),
        length=way,
        step_length=0.175 * person.manikin.anthropometry.stature,
        half_width=half,
    )
    yield from walk(person, prints)
