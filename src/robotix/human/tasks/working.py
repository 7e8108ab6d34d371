"""Work in a posture that is kept: over the head, on the knees, on a chair."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Box, Capsule
from robotix.human.body.manikin import Manikin
from robotix.human.body.skeleton import SIDES, Side
from robotix.human.motion.actions import (
    SIDEWAYS,
    adopt,
    brace,
    grasp,
    reach,
    release,
    rotate_goal,
    shift_weight,
    together,
    wait,
)
from robotix.human.motion.contacts import instep, knee
from robotix.human.motion.curves import translated
from robotix.human.motion.furniture import FLOOR, Table
from robotix.human.motion.goals import balance_at, face, kneel_on, level_insteps, sit_level
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing
from robotix.human.motion.styles import Style, posture_of
from robotix.human.tasks.sitting import ARMS_IN_DEG, SITTING_DEG, fitted_chair, seated

__all__ = ["kneel", "overhead", "seated_work"]

TOOL_SIZE, TWO_HANDED_SIZE = (0.16, 0.05, 0.05), (0.16, 0.10, 0.05)  # m
GRIP_SPREAD = 0.06  # m, of each hand from the middle of a tool
PART_SIZE = (0.10, 0.06, 0.11)  # m
HAND_PITCH = 2.4  # rad, of a hand from hanging to over the head
OVERHEAD_RATIO = 1.06  # of stature: hands above the head
REACHING_UP_DEG = {
    "hip_flexion": 3, "knee_flexion": 9, "ankle_dorsiflexion": 4,
    "shoulder_flexion": 140, "shoulder_abduction": 20, "elbow_flexion": 60,
}  # fmt: skip
KNEELING_DEG = {
    "hip_flexion": 12, "knee_flexion": 98, "ankle_dorsiflexion": -48,
    "shoulder_flexion": 10, "shoulder_abduction": 9, "elbow_flexion": 30,
}  # fmt: skip
BOWED_DEG = {
    **KNEELING_DEG, "hip_flexion": 55, "L5S1_flexion": 20, "T12L1_flexion": 12,
    "shoulder_flexion": 70, "elbow_flexion": 25,
}  # fmt: skip


def overhead(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 1.5,
    height: float | None = None,
    distance: float | None = None,
    hands: int = 2,
    seconds: float = 4.0,
) -> Scenario:
    """Raise a tool over the head, work there for some time, and lower it.

    Args:
        manikin: The body.
        style: How it moves.
        load: Mass of the tool, kg.
        height: Of the hands at work, m.
        distance: Of the hands in front of the ankles, m.
        hands: 2, or 1 for the right hand.
        seconds: How long it works there.
    """
    person = standing(manikin, style=style)
    z = OVERHEAD_RATIO * person.stature if height is None else height
    x = 0.14 * person.stature if distance is None else distance
    sides: tuple[Side, ...] = ("right", "left") if int(hands) == 2 else ("right",)
    size = np.array(TOOL_SIZE if len(sides) == 1 else TWO_HANDED_SIZE)
    tool = Load("tool", load, sides, Box(size))
    at = np.array([x, 0.0 if len(sides) == 2 else -0.5 * person.size("shoulder_half_width"), z])
    script = work_overhead(person, tool, at, seconds=seconds)
    return Scenario(person, script, Environment(dict(FLOOR)))


def work_overhead(person: Performer, tool: Load, at: Array, *, seconds: float) -> BodyAction:
    """Take a tool in front of the body, raise it to a point, hold it there, and lower it."""
    stature = person.stature
    before = np.array([0.19 * stature, at[1], 0.60 * stature])
    face_high = np.array([0.24 * stature, at[1], 0.86 * stature])
    held = {**REACHING_UP_DEG, "shoulder_flexion": 25, "elbow_flexion": 85}
    yield from wait(person, 0.2)
    yield from together(
        *_bring(person, tool, before, via=[], seconds=1.2),
        adopt(person, held, seconds=1.2),
    )
    yield from brace(person, tool, at=before, seconds=0.3)
    yield from grasp(person, tool, at=before)
    yield from together(
        *_bring(person, tool, at, via=[face_high], seconds=1.6),
        *_pitch_palms(person, tool, -HAND_PITCH, seconds=1.6),
        adopt(person, REACHING_UP_DEG, seconds=1.5),
        shift_weight(person, seconds=1.2),
    )
    yield from wait(person, seconds)
    yield from together(
        *_bring(person, tool, before, via=[face_high], seconds=1.6),
        *_pitch_palms(person, tool, HAND_PITCH, seconds=1.6),
        adopt(person, held, seconds=1.5),
    )
    yield from wait(person, 0.3)


def _bring(
    person: Performer, tool: Load, to: Array, *, via: list[Array], seconds: float
) -> list[BodyAction]:
    """Move a tool, each hand at its half of it."""
    spread = GRIP_SPREAD if len(tool.hands) == 2 else 0.0
    moves = []
    for side in tool.hands:
        *first, last = (translated(each, y=SIDES[side] * spread) for each in (*via, to))
        palm = None if person.has_goal(f"{side}_hand") else SIDEWAYS
        moves.append(reach(person, side, to=last, via=first, seconds=seconds, palm=palm))
    return moves


def _pitch_palms(
    person: Performer, tool: Load, angle: float, *, seconds: float
) -> list[BodyAction]:
    """Pitch the goals of the palms with the rising hands.

    That angle is free, but half a turn beside it would leave the other two undefined.
    """
    by = np.array([0.0, angle, 0.0])
    return [rotate_goal(person, f"{side}_palm", by=by, seconds=seconds) for side in tool.hands]


# -- on the knees -------------------------------------------------------------------------------


def kneel(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 1.0,
    height: float | None = None,
    distance: float | None = None,
    seconds: float = 4.0,
) -> Scenario:
    """Kneel on both knees, and work with a tool in the right hand near the floor.

    Args:
        manikin: The body.
        style: How it moves.
        load: Mass of the tool, kg.
        height: Of the hand at work, m.
        distance: Of the hand in front of the knees, m.
        seconds: How long it works there.
    """
    person = kneeling(manikin, style=style)
    z = 0.15 * person.stature if height is None else height
    x = 0.20 * person.stature if distance is None else distance
    tool = Load("tool", load, ("right",), Box(np.array(TOOL_SIZE)))
    at = np.array([x, -0.06 * person.stature, z])
    script = work_low(person, tool, at, seconds=seconds)
    return Scenario(person, script, Environment(dict(FLOOR)))


def kneeling(manikin: Manikin, *, style: Style) -> Performer:
    """Return a person kneeling upright on both knees and the tips of the feet, facing x."""
    body = manikin.anthropometry
    q = posture_of(manikin, KNEELING_DEG)
    q[2] = _knee_radius(manikin) + body["thigh_length"] - body["hip_height"]
    person = Performer(manikin, style=style, start=q)
    person.comfort[:] = posture_of(manikin, KNEELING_DEG)
    half = abs(float(manikin.skeleton["right_knee"][1]))
    behind = body["shank_length"] + 0.8 * (body["foot_length"] - body["heel_to_ankle"])
    for side, sign in SIDES.items():
        at = np.array([0.0, sign * half, _knee_radius(manikin)])
        kneel_on(person, side, knee_at=at, toes_at=np.array([-behind, sign * half, 2e-4]))
        person.add_contact(knee(manikin, side))
        person.add_contact(instep(manikin, side))
    face(person, np.eye(3))
    balance_at(person, (-0.3 * behind, 0.0))
    person.settle(3.0)
    level_insteps(person)
    person.shortfalls.clear()
    person.settle(0.3)
    return person


def _knee_radius(manikin: Manikin) -> float:
    solids = [manikin.model.body(f"right_{part}").collision[-1] for part in ("thigh", "shank")]
    return max(solid.radius for solid in solids if isinstance(solid, Capsule)) + 2e-4


def work_low(person: Performer, tool: Load, at: Array, *, seconds: float) -> BodyAction:
    """Bow to a point with a tool in the right hand, work there, and straighten up."""
    start = person.posture().position("right_hand").copy()
    ready = translated(start, x=0.10 * person.stature, z=0.06 * person.stature)
    home = person.goal("balance").position[:2].copy()
    yield from wait(person, 0.2)
    yield from reach(person, "right", to=ready, seconds=0.8, palm=SIDEWAYS)
    yield from grasp(person, tool, at=ready)
    over = translated(at, x=-0.05, z=0.12)
    yield from together(
        reach(person, "right", to=at, via=[over], seconds=1.6),
        adopt(person, BOWED_DEG, seconds=1.5),
        shift_weight(person, to=translated(home, x=0.02), seconds=1.3),
    )
    yield from wait(person, seconds)
    yield from together(
        reach(person, "right", to=ready, via=[over], seconds=1.6),
        adopt(person, KNEELING_DEG, seconds=1.5),
        shift_weight(person, to=home, seconds=1.3),
    )
    yield from wait(person, 0.3)


# -- on a chair ---------------------------------------------------------------------------------


def seated_work(
    manikin: Manikin,
    *,
    style: Style,
    load: float = 1.0,
    seat_height: float | None = None,
    table_height: float | None = None,
    distance: float | None = None,
    aside: float | None = None,
    seconds: float = 2.0,
) -> Scenario:
    """Sit at a table, fetch a part with the right hand, and work on it in front of the body.

    Args:
        manikin: The body.
        style: How it moves.
        load: Mass of the part, kg.
        seat_height: Of the seat, m.
        table_height: Of the table, m.
        distance: Of the part in front of the ankles, m.
        aside: Of the part to the left, m; negative to the right.
        seconds: How long it works on it.
    """
    chair = fitted_chair(manikin, seat_height)
    person = seated(manikin, chair, style=style, posture={**SITTING_DEG, **ARMS_IN_DEG})
    sit_level(person)
    stature = person.stature
    height = chair.seat_height + 0.165 * stature if table_height is None else table_height
    table = Table(height, near=_belly(person) + 0.06, width=1.2)
    x = table.near + 0.06 * stature if distance is None else distance
    y = -0.12 * stature if aside is None else aside
    part = Load("part", load, ("right",), Box(np.array(PART_SIZE)))
    at = np.array([x, y, height + PART_SIZE[2] / 2 + 1e-4])
    near = np.array([table.near + 0.06, -0.03 * stature, height + PART_SIZE[2] / 2 + 0.04])
    person.avoid({"table": table.solids["table"]}, distance=0.005)
    script = fetch_part(person, part, at, near, seconds=seconds)
    return Scenario(person, script, Environment({**chair.solids, **table.solids, **FLOOR}))


def _belly(person: Performer) -> float:
    """Return x of the front of a sitting person's trunk."""
    depth = max(person.size(f"{part}_depth") for part in ("waist", "chest"))
    return float(person.posture().position("chest")[0] + depth / 2)


def fetch_part(
    person: Performer, part: Load, at: Array, near: Array, *, seconds: float
) -> BodyAction:
    """Fetch a part on a table to a place near the body, work on it, and bring it back."""
    above = translated(at, x=-0.05, z=0.10)
    edge = translated(near, x=-0.02, z=0.10)
    yield from wait(person, 0.2)
    yield from reach(person, "right", to=at, via=[edge, above], seconds=1.6, palm=SIDEWAYS)
    yield from grasp(person, part, at=at)
    yield from reach(person, "right", to=near, via=[translated(at, z=0.08)], seconds=1.2)
    yield from wait(person, seconds)
    yield from reach(person, "right", to=at, via=[translated(at, z=0.08)], seconds=1.2)
    yield from release(person, part.name)
    yield from reach(person, "right", to=edge, via=[above], seconds=1.0)
    yield from wait(person, 0.2)
