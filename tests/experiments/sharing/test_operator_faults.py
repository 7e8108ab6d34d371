"""Faults while an operator drives: the trial's row says what the robot did."""

import pytest

from robotix.errors import UnknownName
from robotix.experiments.runner import run_trial
from robotix.experiments.trial import TrialPlan


def trial(**levels: str) -> dict[str, float]:
    plan = TrialPlan("S001", "tables", levels=levels, time_limit=6.0, seed=3)
    return dict(run_trial(plan).measures)


def test_a_lost_channel_is_reacted_to() -> None:
    row = trial(fault="packet_loss loss=1 start=3 seconds=1.5")
    assert row["fault_reacted"] == 1.0
    assert row["fault_time_to_react"] < 0.5


def test_a_locked_joint_stops_the_arm() -> None:
    row = trial(fault="joint_lock joint=2 start=2.5 seconds=3", reaction="stop")
    assert row["fault_travel"] >= 0.0
    assert "fault_contacts" in row


def test_a_person_steps_in() -> None:
    row = trial(fault="person_steps_in start=1", reaction="stop")
    assert row["fault_min_distance"] < 3.0


def test_without_a_fault_there_is_nothing_to_score() -> None:
    assert not [name for name in trial() if name.startswith("fault")]


def test_unknown_reactions_are_named() -> None:
    with pytest.raises(UnknownName, match="stop"):
        trial(fault="joint_lock joint=2", reaction="stopp")
