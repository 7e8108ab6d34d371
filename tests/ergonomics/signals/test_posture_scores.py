"""RULA, REBA and OWAS of postures: worked by hand from the published tables, and mirrored."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.assessed import assessed, assessed_posture, man, stooped, turned
from support.people import SIDES, random_q

from robotix.ergonomics import Job
from robotix.human import mirrored


def reasons(steps: object) -> dict[str, str]:
    return {step.part: step.reason for step in steps}  # type: ignore[attr-defined]


def test_standing_at_ease() -> None:
    # RULA: arm 1, forearm at 12° 2, wrist, twist 1: A 2; neck, trunk, legs 1: B 1; C(2, 1) = 2
    # REBA: A 1, B(1, 2, 1) = 1 -> 1; OWAS: 1121 -> 1
    found = assessed_posture(man(), np.array(man().relaxed))
    assert [found.scores.rula[side][0] for side in SIDES] == [2, 2]
    assert [found.scores.reba[side][0] for side in SIDES] == [1, 1]
    assert found.scores.owas_code == ("1121",) and found.scores.owas[0] == 1


def test_a_stoop_with_a_box() -> None:
    # trunk 70°, arms 70° to it and hanging, elbows straight, 10 kg, fair grip
    # RULA: A(3, 2, 1, 1) = 3 + load 1 = 4; B(1, 4, 1) = 5 + load 1 = 6; C(4, 6) = 6
    # REBA: A(1, 4, 1) = 3 + load 1 = 4; arm 3 - 1 (hangs), B(2, 2, 1) = 2 + fair 1 = 3; C(4, 3) = 4
    # OWAS: back bent, arms below the shoulder, both legs straight, up to 10 kg
    found = assessed_posture(man(), stooped(man(), 70), load=10)
    assert [found.scores.rula[side][0] for side in SIDES] == [6, 6]
    assert [found.scores.reba[side][0] for side in SIDES] == [4, 4]
    assert found.scores.owas_code == ("2121",)
    arm = found.scorer.rula(0, "right")
    assert reasons(arm.steps)["trunk"] == "flexed by 70°: 4"
    assert (arm.score_c, arm.score_d) == (4, 6)
    body = found.scorer.reba(0, "left")
    assert "helped by gravity: -1" in reasons(body.steps)["upper arm"]


def test_a_deep_squat_with_raised_arms() -> None:
    # knees 90° (+2), trunk upright, arms 120° up, elbows straight
    # REBA: A(1, 1, 3) = 3; B(4, 2, 1) = 5; C(3, 5) = 4; OWAS: both arms raised, both knees bent
    q = turned(man(), knee_flexion=90, hip_flexion=90, shoulder_flexion=120)
    found = assessed_posture(man(), q)
    assert [found.scores.reba[side][0] for side in SIDES] == [4, 4]
    assert found.scores.owas_code == ("1341",)


def test_sideways_arms_are_abducted_and_above_the_shoulder_they_count_in_full() -> None:
    aside = assessed_posture(man(), turned(man(), shoulder_abduction=60)).scorer.rula(0, "right")
    assert aside.posture.arm_abducted and aside.posture.upper_arm == pytest.approx(0, abs=1e-9)
    high = assessed_posture(man(), turned(man(), shoulder_abduction=120)).scorer.rula(0, "right")
    assert high.posture.upper_arm == pytest.approx(math.radians(120))


def test_twists_bends_and_wrists_are_seen() -> None:
    q = turned(man(), L5S1_axial_left=30, T12L1_lateral_right=15, L5S1_lateral_right=15)
    for side in SIDES:
        q[man().model.dof_index(f"{side}_forearm_pronation")] = math.radians(70)
        q[man().model.dof_index(f"{side}_wrist_radial_deviation")] = math.radians(-20)
    posture = assessed_posture(man(), q).scorer.rula(0, "left").posture
    assert posture.trunk_twisted and posture.trunk_side_bent
    assert posture.wrist_twisted and posture.wrist_deviated


def test_the_job_changes_the_scores() -> None:
    q = stooped(man(), 40)
    plain = assessed_posture(man(), q, load=4)
    often = assessed_posture(man(), q, load=4, job=Job(per_minute=6, is_static=True))
    assert often.scores.rula["right"][0] > plain.scores.rula["right"][0]
    assert often.scores.reba["right"][0] == plain.scores.reba["right"][0] + 2
    nodding = assessed_posture(man(), q, job=Job(neck=math.radians(30)))
    assert nodding.scorer.rula(0, "right").posture.neck == pytest.approx(math.radians(30))


@given(seed=st.integers(0, 2**32 - 1), load=st.sampled_from([0.0, 3.0, 15.0]))
@settings(max_examples=15)
def test_a_mirrored_posture_has_mirrored_scores(seed: int, load: float) -> None:
    q = random_q(man().model, seed)
    here, there = (assessed_posture(man(), each, load=load) for each in (q, mirrored(q)))
    for side, opposite in zip(SIDES, reversed(SIDES), strict=True):
        assert here.scores.rula[side][0] == there.scores.rula[opposite][0]
        assert here.scores.reba[side][0] == there.scores.reba[opposite][0]
    assert here.scores.owas_code == there.scores.owas_code
    assert here.back.compression[0] == pytest.approx(there.back.compression[0], abs=1e-6)
    assert here.back.shear[0] == pytest.approx(there.back.shear[0], abs=1e-6)


def test_scoring_kinds_once_is_scoring_every_instant() -> None:
    found = assessed("lift")
    for row in range(0, len(found.times), 7):
        for side in SIDES:
            assert found.scores.rula[side][row] == found.scorer.rula(row, side).score
            assert found.scores.reba[side][row] == found.scorer.reba(row, side).score
        code = found.scorer.owas(row)
        assert (found.scores.owas_code[row], found.scores.owas[row]) == (code.code, code.category)
