"""The performer: goals, limits, avoidance, and goals out of reach."""

from __future__ import annotations

import pytest
from support.standing_people import person_of

from robotix.errors import UnknownName
from robotix.geometry import Capsule, Pose
from robotix.human.evaluation.report import measure
from robotix.human.motion.actions import (
    reach,
)
from robotix.human.motion.curves import translated
from robotix.human.motion.goals import loosen
from robotix.human.motion.performance import Environment
from robotix.human.motion.performer import Infeasible, Performer
from robotix.human.motion.scenario import Scenario, run_scenario


def test_unknown_goals_are_named(stander: Performer) -> None:
    with pytest.raises(UnknownName, match="right_foot"):
        stander.goal("rigt_foot")
    assert stander.has_goal("balance") and not stander.has_goal("right_hand")


def test_goals_are_checked_while_ticking() -> None:
    person = person_of()
    person.goal("balance").position[0] += 0.6
    with pytest.raises(Infeasible):
        for _ in range(100):
            person.tick()
    model = person.manikin.model
    assert ((person.q >= model.lower) & (person.q <= model.upper)).all()


def test_what_is_to_be_avoided_is_not_touched() -> None:
    person = person_of()
    loosen(person)
    post = Capsule(0.05, 1.0, Pose.at(0.3, -0.25, 1.0))
    person.avoid({"post": post}, distance=0.01)
    start = person.posture().position("right_hand")
    script = reach(person, "right", to=translated(start, x=0.35, z=0.2), seconds=1.2)
    performance = run_scenario(Scenario(person, script, Environment({"post": post})), task="reach")
    assert measure(performance).penetration < 1e-3
