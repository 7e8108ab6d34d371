"""Scenarios: standing, and scripts that end early."""

from __future__ import annotations

import numpy as np
from support.people import SIDES
from support.standing_people import person_of

from robotix.human.evaluation.report import measure
from robotix.human.motion.actions import (
    reach,
)
from robotix.human.motion.balance import margin_inside, polygon_of, stance_centre
from robotix.human.motion.goals import loosen
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import Performer, Shortfall
from robotix.human.motion.scenario import Scenario, run_scenario


def test_a_stander_is_in_balance_with_unlocked_knees(stander: Performer) -> None:
    feet = polygon_of(stander, "right_foot", "left_foot")
    assert margin_inside(stander, feet) > 0.05
    np.testing.assert_allclose(stander.posture().com[:2], stance_centre(stander), atol=1e-4)
    q, model = stander.q, stander.model
    for side in SIDES:
        assert np.degrees(q[model.dof_index(f"{side}_knee_flexion")]) > 4.0 - 1e-9
        np.testing.assert_allclose(stander.posture().position(f"{side}_foot")[2], 0, atol=1e-6)
    assert not stander.shortfalls


def test_what_is_out_of_reach_ends_in_a_report() -> None:
    person = person_of()
    loosen(person)
    target = np.array([1.8, 0.0, 1.2])
    script = reach(person, "right", to=target, seconds=1.2)
    performance = run_scenario(Scenario(person, script, Environment()), task="reach")
    (shortfall,) = performance.shortfalls
    assert shortfall.what == "right_hand" and 0.2 < shortfall.missing < 1.2
    report = measure(performance)
    assert not report.success and "right_hand falls short by" in report.problems[0]
    assert report.com_margin > 0 and report.limit_violation == 0 and report.foot_slip < 1e-3
    assert "cm" in str(Shortfall("x", 1.0, 0.5))
