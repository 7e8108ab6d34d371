"""Trials with simulated operators: reproducible, measured, limited in time."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from robotix.errors import UnknownName
from robotix.experiments.runner import make_setup, run_trial
from robotix.experiments.trial import TrialPlan


def plan(**changes: object) -> TrialPlan:
    values: dict[str, object] = {
        "participant": "P01", "task": "chess", "levels": {"arm": "kuka_lwr"}, "seed": 5,
    }  # fmt: skip
    return TrialPlan(**(values | changes))  # type: ignore[arg-type]


def test_a_trial_is_measured_and_the_same_again() -> None:
    first, second = run_trial(plan()), run_trial(plan())
    assert first == second
    assert first.status == "finished"
    measures = first.measures
    assert measures["path_length"] > 0.3  # there and back: lift, carry, lower
    assert measures["sparc"] < 0
    assert 0.2 < measures["throughput"] < 8
    assert 0 <= measures["time_near_singularity"] <= first.duration
    assert measures["submovements"] >= 4
    assert all(math.isfinite(value) for value in measures.values())


def test_the_time_limit_ends_a_trial() -> None:
    outcome = run_trial(plan(time_limit=2.0))
    assert outcome.status == "timeout"
    assert outcome.duration == pytest.approx(2.0, abs=0.05)


def test_a_recording_is_written(tmp_path: Path) -> None:
    file = tmp_path / "trial.mcap"
    outcome = run_trial(plan(time_limit=1.0, recording=file))
    assert outcome.recording == file
    assert file.stat().st_size > 1000


@pytest.mark.parametrize(
    ("levels", "word"),
    [
        ({"mounting": "ceiling"}, "ceiling"),
        ({"speed": "warp"}, "warp"),
    ],
)
def test_unknown_levels_are_named(levels: dict[str, str], word: str) -> None:
    with pytest.raises(UnknownName, match=word):
        make_setup(levels)


def test_any_other_factor_changes_nothing_in_the_room() -> None:
    assert make_setup({"weather": "rain"}) == make_setup({})


def test_levels_become_a_setup() -> None:
    setup = make_setup({"arm": "amtec_ulwr", "mounting": "rail_tilt", "speed": "slow"})
    assert (setup.arm, setup.mounting) == ("amtec_ulwr", "rail_tilt")
    assert setup.tilt > 0
    assert setup.speed < make_setup({}).speed
    assert make_setup({"appearance": "technical"}).appearance == "technical"
    with pytest.raises(UnknownName, match="coloured"):
        make_setup({"appearance": "white"})
