"""Climbing a ladder with hands and feet.

One limb moves at a time, three support the body. The support polygon is the hull of all contacts
seen from above: the treads of the feet and the grips of the hands. With the centre of mass inside
it, upward forces at the contacts balance the body; no hand needs to pull.
"""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Capsule
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.gait.footprints import toe_joint
from robotix.human.motion.actions import (
    Palm,
    adopt,
    after,
    change_height,
    reach,
    shift_weight,
    ticks_of,
    together,
    wait,
)
from robotix.human.motion.balance import point_inside, polygon_of
from robotix.human.motion.contacts import grip, tread
from robotix.human.motion.curves import (
    minimum_jerk,
    pitch_rotations,
    ramp,
    sampled_curve,
    translated,
)
from robotix.human.motion.furniture import FLOOR, Ladder
from robotix.human.motion.goals import place_foot, place_tread, support_on_hand
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing, standing_height
from robotix.human.motion.styles import Style

__all__ = ["climb_ladder"]

BENT_KNEE_RATIO = 0.965  # of standing height: ready to lift a foot
LADDER_LEAN = np.radians(35.0)  # from the vertical
RUNG_SPACING_RATIO = 0.14  # of stature
HAND_HEIGHT_RATIO = 0.56  # of shoulder height above the feet
PELVIS_LEAN, TRUNK_LEAN = 0.5, 0.75  # rad
COM_FRACTION = {"hand": 0.15, "foot": 0.05}  # of the distance from feet to hands, by moving limb
SUPPORT_MARGIN = 0.02  # m, of the CoM inside the support polygon of three limbs
CLIMBING_DEG = {
    "hip_flexion": 35,
    "knee_flexion": 30,
    "ankle_dorsiflexion": 10,
    "shoulder_flexion": 60,
    "shoulder_abduction": 12,
    "elbow_flexion": 60,
}
FOOT_HANG_ANGLE = 0.5  # rad, pitch of the swing foot
SHIFT_SCALE = 0.25  # m; a weight shift of d takes sqrt(d / SHIFT_SCALE) seconds
WIDER = 0.005  # m, of each foot from the middle than in standing: thighs pass each other
SOLE_CLEARANCE = 1e-4  # m between sole and rung


def climb_ladder(
    manikin: Manikin,
    *,
    style: Style,
    rungs: int = 3,
    spacing: float | None = None,
    lean: float | None = None,
) -> Scenario:
    """Climb some rungs of a ladder, from the floor."""
    half = abs(float(manikin.skeleton["right_ankle"][1])) + WIDER
    person = standing(manikin, style=style, half_width=half)
    step = RUNG_SPACING_RATIO * manikin.anthropometry.stature if spacing is None else spacing
    top = int(rungs) + int(np.ceil(1.35 * person.size("shoulder_height") / step))
    ladder = Ladder(
        step,
        top,
        foot=tread_ahead(person) - 0.02,
        lean=fitted_lean(person) if lean is None else lean,
    )
    names = frozenset(name for name in ladder.solids if name.startswith("rung"))
    room = Environment({**ladder.solids, **FLOOR}, graspable=names)
    return Scenario(person, climb(person, ladder, int(rungs)), room)


def fitted_lean(person: Performer) -> float:
    """Return the lean of a ladder from the vertical, rad, at which the thighs clear its rungs."""
    solid = person.manikin.model.body("right_thigh").collision[0]
    thick = solid.radius / person.stature if isinstance(solid, Capsule) else 0.05
    return float(LADDER_LEAN + np.clip(6.5 * (thick - 0.048), 0.0, 0.08))


def climb(person: Performer, ladder: Ladder, rungs: int) -> BodyAction:
    """Grip a rung, then climb: hand, foot, hand, foot."""
    yield from wait(person, 0.2)
    high = round(HAND_HEIGHT_RATIO * person.size("shoulder_height") / ladder.rung(1)[2])
    yield from take_hold(person, ladder, high)
    sides: tuple[Side, Side] = ("right", "left")
    for rung in range(1, rungs + 1):
        first, second = sides if rung % 2 else sides[::-1]
        yield from move_hand(person, first, ladder, high + rung)
        yield from move_foot(person, first, ladder, rung)
        yield from move_hand(person, second, ladder, high + rung)
        yield from move_foot(person, second, ladder, rung)
    yield from wait(person, 0.3)


def tread_ahead(person: Performer) -> float:
    """Return the distance of the rung in front of the ankle, m."""
    return 0.7 * (person.size("heel_to_ball") - person.size("heel_to_ankle"))


def hand_position(person: Performer, side: Side, ladder: Ladder, rung: int) -> Array:
    """Return the position of a hand on a rung, (3,), m."""
    between_rails = ladder.width / 2 - 0.04 - person.size("hand_breadth") / 2
    aside = min(0.9 * person.size("shoulder_half_width"), between_rails)
    return translated(ladder.rung(rung), y=SIDES[side] * aside)


def take_hold(person: Performer, ladder: Ladder, rung: int) -> BodyAction:
    """Lean to the ladder, and grip a rung with both hands."""
    stature = person.stature
    forward = translated(person.goal("balance").position, x=0.03)
    reaching = []
    for side, sign in SIDES.items():
        position = hand_position(person, side, ladder, rung)
        before = translated(position, x=-0.14, z=-0.10)
        front = np.array([0.16, 1.25 * position[1] / stature, 0.56]) * stature  # elbows bent
        palm = Palm(0, np.array([0.0, -sign, 0.0]))
        hold = reach(person, side, to=position, via=[front, before], seconds=1.9, palm=palm)
        reaching.append(after(person, 0.4, hold))
    yield from together(
        *reaching,
        bow(person, PELVIS_LEAN, TRUNK_LEAN, seconds=1.5),
        adopt(person, CLIMBING_DEG, seconds=1.4),
        shift_weight(person, to=forward, seconds=1.4),
        change_height(person, to=BENT_KNEE_RATIO * standing_height(person), seconds=1.4),
    )
    for side in SIDES:
        person.add_contact(grip(person.manikin, side))
        support_on_hand(person, side)


def bow(person: Performer, pelvis: float, trunk: float, *, seconds: float) -> BodyAction:
    """Pitch pelvis and trunk forward, rad."""
    for fraction in ramp(ticks_of(person, seconds)):
        person.goal("pelvis_level").rotation[:] = pitch_rotations(fraction * pelvis)
        person.goal("trunk_turn").rotation[:] = pitch_rotations(fraction * trunk)
        yield


def unload(person: Performer, limb: str) -> BodyAction:
    """Shift the CoM into the support polygon of the other limbs."""
    others = [name for name in person.contacts if name != limb]
    polygon = polygon_of(person, *others)
    hands, feet = (
        np.mean([person.goal(f"{side}_{part}").position[0] for side in SIDES])
        for part in ("hand", "foot")
    )
    forward = COM_FRACTION["hand" if limb.endswith("hand") else "foot"]
    aim = np.array([feet + forward * (hands - feet), 0.0])
    to = point_inside(polygon, aim, margin=SUPPORT_MARGIN)
    distance = float(np.linalg.norm(to - person.goal("balance").position[:2]))
    yield from shift_weight(person, to=to, seconds=max(0.45, (distance / SHIFT_SCALE) ** 0.5))


def move_hand(person: Performer, side: Side, ladder: Ladder, rung: int) -> BodyAction:
    """Move a hand to a rung."""
    hand = f"{side}_hand"
    yield from unload(person, hand)
    person.remove_contact(hand)
    support_on_hand(person, side, is_supporting=False)
    start, end = person.goal(hand).position.copy(), hand_position(person, side, ladder, rung)
    off = translated((start + end) / 2, x=-0.09)
    yield from reach(person, side, to=end, via=[off], seconds=0.6)
    person.add_contact(grip(person.manikin, side))
    support_on_hand(person, side)


def move_foot(person: Performer, side: Side, ladder: Ladder, rung: int) -> BodyAction:
    """Move a foot onto a rung, and raise the body as far as the legs allow."""
    foot, ahead = f"{side}_foot", tread_ahead(person)
    here = person.goal(foot).position.copy()
    yield from unload(person, foot)
    person.remove_contact(foot)
    radius = ladder.rung_radius + SOLE_CLEARANCE
    axis = translated(ladder.rung(rung), y=here[1])
    yield from together(
        swing(person, side, to=translated(axis, x=-ahead, z=radius)),
        change_height(person, to=body_height(person, side, axis), seconds=0.9),
    )
    place_tread(person, side, axis, ahead=ahead, radius=radius)
    person.add_contact(tread(person.manikin, side, ahead=ahead, radius=radius))


def body_height(person: Performer, side: Side, position: Array) -> float:
    """Return the height of the pelvis with one foot at `position`, the other at its goal, m."""
    other: Side = "left" if side == "right" else "right"
    lowest = min(float(person.goal(f"{other}_foot").position[2]), float(position[2]))
    return lowest + BENT_KNEE_RATIO * standing_height(person)


def swing(person: Performer, side: Side, *, to: Array, seconds: float = 1.0) -> BodyAction:
    """Swing a foot back, up and forward to a position, pitched toes down on the way."""
    foot, toe = f"{side}_foot", person.manikin.model.dof_index(f"{side}_toe_extension")
    now, joint, length = person.posture().pose(foot), toe_joint(person), person.size("foot_length")
    place_foot(person, side, now)
    start, end = now.apply(joint), to + joint
    back = translated(start, x=-0.35 * length, z=0.25 * (end[2] - start[2]))
    over = translated(end, x=-0.32 * length, z=0.04)
    rows = sampled_curve([start, back, over, end], ticks_of(person, seconds))
    part = np.arange(1, len(rows) + 1) / len(rows)
    hang = FOOT_HANG_ANGLE * minimum_jerk(part / 0.35) * (1 - minimum_jerk((part - 0.4) / 0.6))
    first = float(np.arctan2(now.rotation[0, 2], now.rotation[0, 0]))
    rotations = pitch_rotations(hang + first * (1 - minimum_jerk(part / 0.5)))
    for position, rotation, angle in zip(rows - rotations @ joint, rotations, hang, strict=True):
        goal = person.goal(foot)
        goal.position[:], goal.rotation[:] = position, rotation
        person.comfort[toe] = angle
        yield
