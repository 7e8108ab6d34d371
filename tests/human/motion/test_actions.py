"""Actions: waiting, grasping and reaching."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.people import SIDES
from support.standing_people import person_of

from robotix.geometry import Box
from robotix.human.evaluation.report import MAX_SLIP, measure
from robotix.human.motion.actions import (
    SIDEWAYS,
    after,
    grasp,
    reach,
    shift_weight,
    together,
    wait,
)
from robotix.human.motion.curves import translated
from robotix.human.motion.goals import FOOT_TOLERANCE, loosen
from robotix.human.motion.loads import Load
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import Performer
from robotix.human.motion.scenario import Scenario, run_scenario
from robotix.kinematics import Posture


def test_waiting_changes_nothing(stander: Performer) -> None:
    person = person_of()
    performance = run_scenario(Scenario(person, wait(person, 0.5), Environment()), task="wait")
    motion = performance.motion
    assert abs(np.diff(motion.q, axis=0)).max() < 1e-3
    assert measure(performance).success


def test_a_load_that_would_throw_one_over_is_not_taken() -> None:
    person = person_of("f", percentile=5.0)
    box = Load("anvil", 300.0, ("right", "left"), Box(np.array([0.3, 0.3, 0.3])))
    hands = np.mean([person.posture().position(f"{side}_hand") for side in SIDES], axis=0)
    ahead = translated(hands, x=0.15)
    moving = [
        reach(person, side, to=translated(person.posture().position(f"{side}_hand"), x=0.15))
        for side in SIDES
    ]

    def script() -> object:
        yield from together(*moving)
        yield from grasp(person, box, at=ahead)

    performance = run_scenario(Scenario(person, script(), Environment()), task="take")  # type: ignore[arg-type]
    assert "balance with anvil" in performance.shortfalls[0].what
    assert not performance.loads


@settings(max_examples=12)
@given(
    sex=st.sampled_from(["f", "m"]),
    stature=st.floats(1.45, 2.0),
    build=st.floats(18.5, 38.0),
    place=st.tuples(st.floats(-0.1, 0.5), st.floats(-0.5, 0.3), st.floats(0.25, 1.1)),
)
def test_any_body_reaching_anywhere_stays_whole(
    sex: str, stature: float, build: float, place: tuple[float, float, float]
) -> None:
    person = person_of(sex, stature=stature, mass=build * stature**2)
    loosen(person)
    target = np.array(place) * stature
    script = together(
        reach(person, "right", to=target, seconds=1.2, palm=SIDEWAYS),
        after(person, 0.2, shift_weight(person, seconds=0.5)),
        wait(person, 1.6),
    )
    performance = run_scenario(Scenario(person, script, Environment()), task="reach")
    report = measure(performance)
    assert report.com_margin > 0
    assert report.foot_slip < FOOT_TOLERANCE  # beyond, the performer gives up
    assert report.foot_slip < MAX_SLIP or any("a contact slips" in p for p in report.problems)
    assert report.limit_violation == 0
    if not performance.shortfalls:
        end = Posture(person.manikin.model, performance.motion.q[-1]).position("right_hand")
        assert np.linalg.norm(end - target) < 0.025  # else it would have given up
