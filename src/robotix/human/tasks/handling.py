"""Reaching for something on a table."""

from __future__ import annotations

import numpy as np

from robotix.geometry import Array, Box
from robotix.human.body.manikin import Manikin
from robotix.human.motion.actions import (
    SIDEWAYS,
    adopt,
    brace,
    change_height,
    grasp,
    lean_towards,
    look_at,
    reach,
    shift_weight,
    straighten,
    together,
    wait,
)
from robotix.human.motion.balance import stance_centre
from robotix.human.motion.curves import translated
from robotix.human.motion.furniture import FLOOR, Table
from robotix.human.motion.goals import loosen
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import BodyAction, Performer
from robotix.human.motion.scenario import Scenario, standing, standing_height
from robotix.human.motion.styles import Style
from robotix.human.tasks.lifting import TABLE_HEIGHT_RATIO

__all__ = ["reach_on_table"]

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
