"""Styles of motion."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import SIDES, manikin

from robotix.errors import UnknownName
from robotix.geometry import Array
from robotix.human.motion.actions import (
    adopt,
    move_goal,
    together,
    wait,
)
from robotix.human.motion.goals import hold_hand, loosen
from robotix.human.motion.scenario import standing
from robotix.human.motion.styles import STYLES, posture_of, style_named


def bent(name: str) -> tuple[Array, Array]:
    """Return the posture with both hands at one place near the floor, and where the hands are."""
    person = standing(manikin(), style=style_named(name))
    loosen(person)
    for side in SIDES:
        hold_hand(person, side, person.posture().position(f"{side}_hand"))
    for _ in together(
        move_goal(person, "right_hand", through=[(0.42, -0.2, 0.2)], seconds=1.6),
        move_goal(person, "left_hand", through=[(0.42, 0.2, 0.2)], seconds=1.6),
        adopt(person, person.style.bent, seconds=1.6),
        wait(person, 2.2),
    ):
        person.tick()
    posture = person.posture()
    return person.q.copy(), np.array([posture.position(f"{side}_hand") for side in SIDES])


def test_styles_bend_differently_for_the_same_hand_path() -> None:
    model = manikin().model
    knee, spine = model.dof_index("right_knee_flexion"), model.dof_index("L5S1_flexion")
    postures = {name: bent(name) for name in STYLES}
    hands = np.array([places for _, places in postures.values()])
    assert abs(hands - hands[0]).max() < 2e-3
    knees = {name: np.degrees(q[knee]) for name, (q, _) in postures.items()}
    backs = {name: np.degrees(q[spine]) for name, (q, _) in postures.items()}
    assert knees["stoop"] < 25 < 50 < knees["natural"] < knees["squat"]
    assert backs["squat"] < backs["natural"] < backs["stoop"]


def test_an_unknown_style_is_named() -> None:
    with pytest.raises(UnknownName, match="stoop"):
        style_named("stop")
    with pytest.raises(UnknownName):
        posture_of(manikin(), {"kne_flexion": 10})
