"""Shared tasks as trials of a study."""

import pytest

from robotix.errors import UnknownName
from robotix.experiments.runner import run_trial
from robotix.experiments.sharing.trial import is_shared, run_shared_trial
from robotix.experiments.trial import TrialPlan


def test_a_trial_is_run_by_its_levels() -> None:
    levels = {"strategy": "pfl", "reaction": "stop", "fault": "none", "speed": "fast"}
    plan = TrialPlan("S001", "handover_to_robot", levels=levels, time_limit=40.0)
    outcome = run_trial(plan)
    assert outcome.status == "finished"
    assert {"waiting_time", "min_distance", "force_ratio", "max_rula"} <= set(outcome.measures)
    assert outcome == run_shared_trial(plan)


@pytest.mark.parametrize("levels", [{"strategy": "sms"}, {"fault": "joint_lok"}])
def test_unknown_levels_are_named(levels: dict[str, str]) -> None:
    with pytest.raises(UnknownName):
        run_shared_trial(TrialPlan("S001", "one_bench", levels=levels))


def test_shared_tasks_are_known() -> None:
    assert is_shared("one_bench")
    assert not is_shared("books")
