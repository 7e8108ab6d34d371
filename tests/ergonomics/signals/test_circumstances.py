"""Support and loads of a performance."""

from __future__ import annotations

import numpy as np
from support.assessed import assessed, man, turned
from support.people import SIDES

from robotix.ergonomics import assess, held
from robotix.human.motion.contacts import grip, seat, sole
from robotix.kinematics import Posture


def test_what_bears_and_what_is_held_counts() -> None:
    q = turned(man(), hip_flexion=90, knee_flexion=90)
    feet = [sole(man(), side) for side in SIDES]
    sitting = assess(held(Posture(man().model, q), man(), contacts=[*feet, seat(man())]))
    assert sitting.scores.owas_code[0][2] == "1"
    assert sitting.scorer.reba(0, "right").posture.is_sitting
    one_leg = assess(held(Posture(man().model, np.zeros(39)), man(), contacts=feet[:1]))
    assert one_leg.scores.owas_code[0][2] == "3"
    assert one_leg.scorer.reba(0, "right").posture.on_one_leg
    assert not one_leg.scorer.rula(0, "right").posture.legs_supported
    right_only = assess(held(Posture(man().model, np.zeros(39)), man(), load=6, hands=["right"]))
    assert right_only.scorer.rula(0, "right").posture.arm_effort.load == 6
    assert right_only.scorer.rula(0, "left").posture.arm_effort.load == 0
    assert right_only.scorer.rula(0, "left").posture.body_effort.load == 6


def test_a_hand_that_is_supported_rests() -> None:
    q = turned(man(), shoulder_flexion=45, elbow_flexion=60)
    contacts = [
        sole(man(), "right"),
        grip(man(), "left"),
    ]  # without a left foot, the hand must help
    found = assess(held(Posture(man().model, q), man(), contacts=contacts))
    assert found.facts.is_arm_supported["left"][0] and not found.facts.is_arm_supported["right"][0]
    assert found.scorer.rula(0, "left").posture.arm_supported


def test_walking_is_steps_that_follow_each_other() -> None:
    walking = assessed("walk").facts.is_walking
    assert 0.5 < walking.mean() < 1
    assert not assessed("reach").facts.is_walking.any()
