"""Fingers that close on what the hands hold."""

from __future__ import annotations

import numpy as np
import pytest
from support.people import manikin

from robotix.human import perform
from robotix.human.body.head_and_hands import RELAXED_FINGERS
from robotix.human.motion.fingers import FLAT, MAX_BEND, finger_bend, finger_bends
from robotix.human.motion.gestures import make_gestures


def test_fingers_lie_around_a_cylinder() -> None:
    assert finger_bend(0.035, 0.19) == pytest.approx(0.095 / 0.043)
    assert finger_bend(0.0, 0.19) == pytest.approx(MAX_BEND)
    assert finger_bend(0.02, 0.19) > finger_bend(0.03, 0.19)


def test_the_hand_with_the_cup_closes_and_the_other_does_not() -> None:
    reach = perform("reach", manikin("f"))
    bends, phase = finger_bends(reach), reach.loads[0]
    held = (reach.motion.times >= phase.start) & (reach.motion.times <= phase.end)
    assert (bends["right"][held] > 1.5 * RELAXED_FINGERS).all()
    assert np.ptp(bends["right"][held]) < 1e-12
    assert (bends["left"] == RELAXED_FINGERS).all()
    assert bends["right"][0] == RELAXED_FINGERS


def test_hands_lie_flat_on_a_box_and_close_on_rungs() -> None:
    lift = perform("lift", manikin("m"))
    middle = (lift.loads[0].start + lift.loads[0].end) / 2
    assert make_gestures(lift).at(middle).fingers["left"] == pytest.approx(FLAT)
    ladder = perform("climb_ladder", manikin("m"))
    hold = next(p for p in ladder.contacts if p.contact.name == "right_hand")
    closed = make_gestures(ladder).at((hold.start + hold.end) / 2).fingers["right"]
    assert closed > np.radians(180)
